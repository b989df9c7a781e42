import type { VNode } from 'preact';
import type { ExchangeSide, RequestForm } from '../../../src/editor/contextPanel/request/wishes';
import type { PassView, DecisionView } from '../../../src/editor/contextPanel/ledger/state';
import { ACTION_NAMES } from '../../../src/editor/contextPanel/shownNames';
import { formatNumber, formatTokens, unbroken } from '../../kit/tokens';
import type { PanelProps, PanelStore } from '../store/panelStore';
import { DecisionRows, PassBar, RungList } from './planBody';
import {
  didWords,
  freedWords,
  measuredWords,
  priceWords,
  regretWords,
  triggerWords,
} from './words';
import { keptIn, keptWords } from '../comparison/words';
import { LinkButton } from '../parts/linkButton';
import { waysFrom, stepsOf } from '../frame/travel';
import { SummaryFindings } from './checkedSummary';
import { UndoOrDone } from './undoOrDone';
import { useEffect, useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import { ShownByBlock } from '../files/shownExcerpts';
import { showsWords } from '../files/words';
import { lowered } from '../parts/format';
import { Waiting } from '../../kit/waiting';

interface PassCardProps extends PanelProps {
  readonly pass: PassView;
}

/** Shows one pass: why it ran, what it freed on which rung, its cost, and every decision. */
export function PassCard({ store, context, pass }: PassCardProps): VNode {
  const { number, name, beforeStep, before, after, undone } = pass;
  const regret = regretWords(context.neededAgain.filter((again) => again.pass === number));
  const byOthers = keptIn(store.comparing.state.value, context, number);
  return (
    <article
      class={undone ? 'pass undone' : 'pass'}
      aria-label={`${name}${undone ? ', undone' : ''}`}
      data-testid="pass-card"
      data-pass={number}
      data-before={before.tokens}
      data-after={after.tokens}
      data-undone={String(undone)}
    >
      <header class="head">
        <h3 class="number named" tabIndex={-1}>
          {name}
        </h3>
        <span class="quiet">before step {formatNumber(beforeStep)}</span>
        <PassActions store={store} context={context} pass={pass} />
      </header>
      <p class="sum">
        <strong class="number freed" data-testid="freed">
          {freedWords(pass)}
        </strong>{' '}
        <span class="number quiet">
          {formatTokens(before)} → {formatTokens(after)}
        </span>
      </p>
      <p data-testid="did">{didWords(pass)}</p>
      <p class="price quiet">
        {undone ? 'Undone by you: it is restored, except thinking.' : unbroken(priceWords(pass))}
      </p>
      {regret !== '' && (
        <p class="regret small" data-testid="regret">
          {regret}
          {byOthers !== undefined && ` ${keptWords(byOthers)}`}
        </p>
      )}
      {pass.shows !== undefined && <PassShows store={store} context={context} shows={pass.shows} />}
      <PassDecisions store={store} pass={pass} />
    </article>
  );
}

interface PassShowsProps extends Pick<PassCardProps, 'store' | 'context'> {
  readonly shows: NonNullable<PassView['shows']>;
}

/** Says how many lines of files the pass shows; unfolded, which lines and why. */
function PassShows({ store, context, shows }: PassShowsProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="decisions shows"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-testid="pass-shows"
    >
      <summary>{showsWords(shows)}</summary>
      {isOpen && <ShownByBlock store={store} context={context} blockId={shows.id} />}
    </details>
  );
}

interface PassActionsProps extends PanelProps {
  readonly pass: PassView;
}

/** Offers the actions on a pass: undo, diff and report. */
function PassActions({ store, context, pass }: PassActionsProps): VNode {
  const { wish } = store;
  const { number, name, beforeStep } = pass;
  const { first, last } = context.travel;
  const { back } = waysFrom({ at: beforeStep, first, last }, stepsOf(store));
  const to = beforeStep > last ? 'next' : beforeStep;
  return (
    <span class="acts">
      <UndoOrDone pass={pass} context={context} wish={wish} />
      <LinkButton
        label={`Diff of the requests around ${lowered(name)}`}
        hint={`Opens the requests of steps ${back} and ${to} side by side`}
        why={back === undefined ? 'There is no request before this pass' : undefined}
        onClick={() => {
          if (back !== undefined) wish({ type: 'diffRequests', from: back, to, form: 'readable' });
        }}
        data-testid="diff-pass"
      >
        Diff
      </LinkButton>
      <LinkButton
        label={`Report of ${lowered(name)}`}
        hint="Opens a report of this pass, ready for an issue; it holds no text of blocks"
        onClick={() => wish({ type: 'exportPass', number })}
        data-testid="export-pass"
      >
        Report
      </LinkButton>
    </span>
  );
}

interface ExchangesProps {
  readonly exchanges: NonNullable<PassView['exchanges']>;
  readonly store: PanelStore;
}

/** Links to the request for each summary, and to the model's answer. */
function Exchanges({ exchanges, store }: ExchangesProps): VNode | null {
  if (exchanges.length === 0) return null;
  return (
    <ul class="exchanges quiet" aria-label="Summaries">
      {exchanges.map(({ summaryId, covers, hasAnswer }) => {
        const open = (side: ExchangeSide, form: RequestForm = 'readable'): void =>
          void store.wish({ type: 'openExchange', summaryId, side, form });
        const what = `Summary of ${countText(covers, 'block')}`;
        return (
          <li key={summaryId} data-testid="exchange" data-summary-id={summaryId}>
            {what}{' '}
            <LinkButton
              label={`${what}: Request to the summariser`}
              hint="Opens the request in an editor, verbatim"
              onClick={() => open('asked')}
              data-testid="exchange-asked"
            >
              Request to the summariser
            </LinkButton>{' '}
            <LinkButton
              label={`${what}: Raw JSON of the request to the summariser`}
              hint="Opens the body of the request in an editor, as it is sent"
              onClick={() => open('asked', 'raw')}
              data-testid="exchange-raw"
            >
              Raw JSON
            </LinkButton>{' '}
            <LinkButton
              label={`${what}: Answer`}
              hint="Opens the answer in an editor, verbatim"
              why={hasAnswer ? undefined : 'No answer came: the decisions say why'}
              onClick={() => open('answered')}
              data-testid="exchange-answered"
            >
              Answer
            </LinkButton>
          </li>
        );
      })}
    </ul>
  );
}

interface PassDecisionsProps {
  readonly store: PanelStore;
  readonly pass: PassView;
}

/**
 * Unfolds why the pass ran, what each rung freed, and every decision, kept blocks included; the
 * decisions are fetched when opened.
 */
function PassDecisions({ store, pass }: PassDecisionsProps): VNode {
  const { number, beforeStep, before, after, changed, kept, policy, reach, rungs, measured } = pass;
  const { openPasses } = store.look.value;
  const isOpen = openPasses.includes(number);
  const setOpen = (open: boolean): void => {
    // Drawing it open or closed also fires the event.
    if (open === isOpen) return;
    const others = openPasses.filter((other) => other !== number);
    store.look.value = {
      ...store.look.peek(),
      openPasses: open ? [...others, number] : others,
    };
  };
  const decisions = store.decisions.value.get(number);
  // Another session can have a pass with the same number, so its decisions do not apply.
  useEffect(() => {
    if (isOpen) store.wish({ type: 'fetchDecisions', number });
  }, [isOpen, number, beforeStep, before.tokens, after.tokens]);
  return (
    <details
      class="decisions"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-testid="decisions"
    >
      <summary>
        What and why: {formatNumber(changed)} changed, {formatNumber(kept)} kept
      </summary>
      <p class="why">
        {triggerWords(pass)} · policy {policy}
      </p>
      <PassBar {...pass} />
      <p class="quiet small" data-testid="reach">
        {reach}
      </p>
      {pass.counted !== undefined && (
        <p class="quiet small" data-testid="counted">
          {pass.counted.text}
        </p>
      )}
      <RungList rungs={rungs} kept={kept} />
      {measured !== undefined && (
        <p class="measured quiet small" data-testid="measured">
          {measuredWords(measured)}
        </p>
      )}
      <Exchanges exchanges={pass.exchanges ?? []} store={store} />
      {isOpen && hasSummary(pass) && (
        <SummaryFindings store={store} pass={pass} until={store.context.value?.travel.last ?? 0} />
      )}
      {isOpen &&
        (decisions === undefined ? (
          <Waiting class="quiet">Fetching the decisions…</Waiting>
        ) : (
          <Groups decisions={decisions} store={store} />
        ))}
    </details>
  );
}

function hasSummary({ rungs }: PassView): boolean {
  return rungs.some(({ rung, blocks }) => rung === 'summarise' && blocks > 0);
}

interface GroupsProps {
  readonly decisions: readonly DecisionView[];
  readonly store: PanelStore;
}

function Groups({ decisions, store }: GroupsProps): VNode {
  const groups = [
    { name: 'Changed', of: decisions.filter(({ action }) => action !== 'keep') },
    { name: 'Kept', of: decisions.filter(({ action }) => action === 'keep') },
  ];
  return (
    <div class="scrolls">
      {groups
        .filter((group) => group.of.length > 0)
        .map((group) => (
          <section key={group.name} aria-label={group.name} data-testid="decision-group">
            <h4 class="group">
              {group.name} <span class="quiet">{formatNumber(group.of.length)}</span>
            </h4>
            <DecisionRows
              decisions={group.of}
              blocks={store.context.value?.blocks ?? []}
              words={(action) => ACTION_NAMES[action]}
              wish={store.wish}
            />
          </section>
        ))}
    </div>
  );
}
