import type { VNode } from 'preact';
import type { CacheLifeView, ContextView } from '../../../src/editor/contextPanel/state';
import { Button } from '../../kit/toolkit';
import { RewriteCauses } from '../losses/rewriteCauses';
import { LinkedSessions } from '../../kit/linkedSessions';
import { MemoryDetails } from '../bar/memoryDetails';
import type { PanelProps, SendWish } from '../store/panelStore';
import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import { exportWish } from '../blocks/listRows';
import type { Look } from '../store/keptState';
import { whyNotContinued } from '../frame/words';
import { StepField } from '../parts/numberField';
import { PaceTable } from './paceTable';
import { hasSteps } from '../frame/travel';
import type { BillView, SessionBill } from '../../../src/editor/session/state';
import { formatNumber, formatShare, formatTokens } from '../../kit/tokens';
import { passesIn, refaultWords } from '../ledger/words';

/** Describes the session, and offers the actions on it. */
export function SessionTab({ store, context }: PanelProps): VNode {
  const { turn, source } = context;
  const isEmpty = turn === 0 && source.type === 'session';
  return (
    <div class="session">
      <h2 class="spoken">{source.type === 'recording' ? 'Recording' : 'Session'}</h2>
      {isEmpty && (
        <div class="empty">
          <p class="quiet">
            No session yet: ask the agent something, or open a recording to see which blocks left
            its window.
          </p>
          <div class="answers">
            <Button
              appearance="primary"
              onClick={() => store.wish({ type: 'openAgentView' })}
              data-testid="open-agent"
            >
              Ask the Agent
            </Button>
          </div>
        </div>
      )}
      <dl class="facts" data-testid="session-facts">
        {sessionFacts(context, context.billThen ?? store.timeline.value?.totals).map(
          ({ name, value }) => (
            <div key={name} class="fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <RewriteCauses store={store} context={context} />
      {!context.offline && context.travel.at === 'now' && (
        <PaceTable pace={store.timeline.value?.pace ?? []} />
      )}
      <LinkedSessions
        links={context.links}
        onOpen={(session) => store.wish({ type: 'openLinked', session })}
      />
      <MemoryDetails context={context} wish={store.wish} />
      <SessionActions context={context} wish={store.wish} look={store.look} />
    </div>
  );
}

interface SessionActionsProps {
  readonly context: ContextView;
  readonly wish: SendWish;
  /** The filter and order of the blocks: an export contains the same rows. */
  readonly look: ReadonlySignal<Look>;
}

const FORMS = [
  { form: 'html', label: 'HTML', hint: 'Saves what is shown as one self-contained page' },
  { form: 'jsonl', label: 'JSONL', hint: 'Saves the log of the session, one event per line' },
] as const;

/** Exports and forks the session, and opens recordings. */
function SessionActions({ context, wish, look }: SessionActionsProps): VNode {
  const { travel, source } = context;
  const whyEmpty = hasSteps(travel) ? undefined : 'There is no step yet';
  return (
    <>
      <h3 class="group" id="export-title">
        Export
      </h3>
      <div class="answers" role="group" aria-labelledby="export-title">
        {FORMS.map(({ form, label, hint }) => (
          <Button
            key={form}
            disabled={whyEmpty !== undefined}
            hint={whyEmpty ?? hint}
            onClick={() => wish(exportWish(form, context, look.peek()))}
            data-testid={`session-export-${form}`}
          >
            {label}
          </Button>
        ))}
        <Button
          disabled={whyEmpty !== undefined}
          hint={whyEmpty ?? 'Saves what the session held, lost and cost as one page'}
          onClick={() => wish({ type: 'saveReport' })}
          data-testid="session-save-report"
        >
          Save Report…
        </Button>
      </div>
      {hasSteps(travel) && <Fork context={context} wish={wish} />}
      {hasSteps(travel) && <Ending context={context} wish={wish} />}
      <h3 class="group">Recordings</h3>
      <div class="answers">
        <Button
          hint="Claude Code, Codex, pi, Cline, OpenHands, Gemini CLI, OpenCode, Copilot CLI, a Messages transcript or a log of Plimsoll"
          onClick={() => wish({ type: 'openRecording' })}
          data-testid="session-open-recording"
        >
          Open a Recording…
        </Button>
        {source.type === 'recording' && source.format !== 'subAgent' && (
          <Button
            onClick={() => wish({ type: 'closeRecording' })}
            data-testid="session-close-recording"
          >
            Close This One
          </Button>
        )}
      </div>
    </>
  );
}

function Fork({ context, wish }: Pick<SessionActionsProps, 'context' | 'wish'>): VNode {
  const { at, first, last } = context.travel;
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const step = chosen ?? (at === 'now' ? last : at);
  const { source } = context;
  const why = source.type === 'recording' ? whyNotContinued(source) : undefined;
  return (
    <>
      <h3 class="group">Fork</h3>
      <div class="answers">
        <Button
          disabled={why !== undefined}
          hint={why ?? 'Starts a new session with everything up to this step'}
          onClick={() => wish({ type: 'forkAt', step })}
          data-testid="session-fork"
        >
          Fork from step
        </Button>
        <StepField
          label="Step to fork from"
          step={step}
          first={first}
          last={last}
          onStep={setChosen}
          data-testid="session-fork-step"
        />
      </div>
    </>
  );
}

/** Hands the session over to a new one, or closes it. */
function Ending({ context, wish }: Pick<SessionActionsProps, 'context' | 'wish'>): VNode {
  const { source } = context;
  const why = source.type === 'recording' ? whyNotContinued(source) : undefined;
  return (
    <>
      <h3 class="group">Hand over, close</h3>
      <div class="answers">
        <Button
          disabled={why !== undefined}
          hint={
            why ?? 'Starts a session with the task, a summary of this one and the agent’s notes'
          }
          onClick={() => wish({ type: 'handOver' })}
          data-testid="session-hand-over"
        >
          New Session from This One
        </Button>
        <Button
          disabled={why !== undefined}
          hint={
            why ??
            'Ends the session; its log stays. plimsoll.sessions.onClose decides what happens to it'
          }
          onClick={() => wish({ type: 'closeSession' })}
          data-testid="session-close"
        >
          Close Session
        </Button>
      </div>
    </>
  );
}

interface SessionFact {
  readonly name: string;
  readonly value: string;
}

/** The facts about a session or a recording; the `bill` is absent until the host has sent it. */
function sessionFacts(context: ContextView, bill: SessionBill | undefined): readonly SessionFact[] {
  const { source, title, model, offline, windowSource, balance, policy, turn } = context;
  const { travel, passes, refaults } = context;
  const size = formatNumber(balance.contextWindowTokens);
  const ran = passesIn(passes);
  const steps = travel.last === 0 ? 'none yet' : formatNumber(travel.last);
  return [
    ...(source.type === 'recording'
      ? [
          source.format === 'subAgent'
            ? { name: 'Sub-agent', value: source.file }
            : { name: 'File', value: `${source.file} (${source.format})` },
        ]
      : []),
    { name: 'Title', value: title === '' ? 'No session yet' : title },
    { name: 'Model', value: offline ? `${model} (offline demo: scripted, no AI)` : model },
    { name: 'Context window', value: `${size} tokens, ${windowSource}` },
    { name: 'Policy', value: isPolicyUnknown(source) ? 'not recorded' : policy },
    { name: 'Turns', value: formatNumber(turn) },
    { name: 'Steps', value: steps },
    { name: 'Passes', value: ran === 0 ? 'none yet' : countText(ran, 'pass', 'passes') },
    { name: 'Needed again after removal', value: refaultWords(refaults) },
    ...(context.cacheLife === undefined
      ? []
      : [{ name: 'Prompt cache', value: cacheWords(context.cacheLife) }]),
    ...(bill === undefined ? [] : billFacts(bill, context.billThen !== undefined)),
  ];
}

/** For how long the prompt cache is kept, why, and what the hour has saved. */
function cacheWords(cache: CacheLifeView): string {
  const { life, choice, since, requests, pauses, earlier, savedTokens } = cache;
  const kept = {
    '5m': 'kept for 5 minutes',
    mixed: 'tools, system prompt, task and what the last pass left are kept for 1 hour',
    '1h': 'kept for 1 hour',
  }[life];
  const before =
    earlier === undefined
      ? ''
      : `, and ${formatNumber(earlier.pauses)} of ${formatNumber(earlier.requests)} in ${countText(earlier.sessions, 'earlier session')}`;
  const why =
    choice === 'auto'
      ? `${formatNumber(pauses)} of ${countText(requests, 'request')} came after a pause of 5 to 60 minutes${before}`
      : 'as set in plimsoll.context.cacheLife';
  const effect = savedTokens < 0 ? 'cost' : 'saved';
  const tokens = formatTokens({ tokens: Math.abs(savedTokens), exact: false });
  const saved = `So far the hour ${effect} ${tokens} tokens at the price of input.`;
  return `From step ${formatNumber(since)} on ${kept}: ${why}. ${saved}`;
}

/** Says whether the log of a recording does not show its policy. */
export function isPolicyUnknown(source: ContextView['source']): boolean {
  return source.type === 'recording' && source.policyUnknown === true;
}

function billFacts(
  { recordedBill, fork, ...own }: SessionBill,
  isPast: boolean,
): readonly SessionFact[] {
  const share = ({ cacheReadShare }: BillView) =>
    cacheReadShare === null ? undefined : `${formatShare(cacheReadShare, 1)} of the input tokens`;
  if (recordedBill === undefined) {
    return [
      { name: 'Read from the cache', value: share(own) ?? 'nothing billed yet' },
      { name: isPast ? 'Cost until then' : 'Cost', value: own.cost },
      ...(fork === undefined
        ? []
        : [
            { name: 'Inherited by the fork', value: fork.inherited },
            { name: 'Spent since the fork', value: fork.spent },
          ]),
    ];
  }
  const words = (bill: BillView) => {
    const read = share(bill);
    return read === undefined ? bill.cost : `${bill.cost}, ${read} read from the cache`;
  };
  return [
    { name: 'Plimsoll would have paid', value: `${words(own)}, simulated, at list prices` },
    {
      name: "The recorded agent's bill",
      value:
        recordedBill.cacheReadShare === null
          ? recordedBill.cost
          : `${words(recordedBill)}, by the usage in the file`,
    },
  ];
}
