import type { VNode } from 'preact';
import { countText, ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import type {
  DecisionView,
  PassView,
  PlanView,
} from '../../../src/editor/contextPanel/ledger/state';
import type { BlockView } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatTokens, share } from '../../kit/tokens';
import { ShownExcerpts } from '../files/shownExcerpts';
import { FILES_BY_LOG, showsWords } from '../files/words';
import { nameIn, shortNameIn } from '../parts/format';
import { LinkButton } from '../parts/linkButton';
import { useMore } from '../parts/useMore';
import type { SendWish } from '../store/panelStore';
import { factorWords, plannedWords, rungWords, salienceWords } from './words';

interface PlanBodyProps {
  readonly plan: PlanView;
  /** The blocks of the window, which name those of the plan. */
  readonly blocks: readonly BlockView[];
  /** The whole length of the bar; tokens. */
  readonly inputBudget: number;
  /** Why nothing can be changed; absent if it can. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/** Draws a plan: its numbers, the blocks it would change, and the blocks it would keep and why. */
export function PlanBody({ plan, blocks, inputBudget, whyReadOnly, wish }: PlanBodyProps): VNode {
  const { before, after, target, reach, rungs, decisions, kept, shows, filesByLog, whyNothing } =
    plan;
  return (
    <div class="plan">
      <PassBar before={before} after={after} target={target} inputBudget={inputBudget} />
      <PlannedSum before={before} after={after} reach={reach} />
      {whyNothing !== undefined && <p data-testid="why-nothing">{whyNothing}</p>}
      {rungs.length > 0 && <RungList rungs={rungs} />}
      {shows !== undefined && (
        <details class="decisions" data-testid="plan-shows">
          <summary>{showsWords(shows)}</summary>
          {filesByLog === true && <p class="quiet small">{FILES_BY_LOG}</p>}
          <ShownExcerpts shown={shows} whyReadOnly={whyReadOnly} wish={wish} />
        </details>
      )}
      {decisions.length > 0 && (
        <>
          <p class="group">Would change: {countText(decisions.length, 'block')}</p>
          <DecisionRows decisions={decisions} blocks={blocks} words={plannedWords} wish={wish} />
        </>
      )}
      {kept.length > 0 && (
        <details class="decisions" data-testid="plan-kept">
          <summary>Would keep: {countText(kept.length, 'block')}, with reasons</summary>
          <DecisionRows decisions={kept} blocks={blocks} words={plannedWords} wish={wish} />
        </details>
      )}
    </div>
  );
}

/** The size of the window before and after a planned pass. */
export function PlannedSum({
  before,
  after,
  reach,
}: Pick<PlanView, 'before' | 'after' | 'reach'>): VNode {
  return (
    <p class="sum">
      <strong class="number">
        {formatTokens(before)} → {formatTokens(after)}
      </strong>{' '}
      <span class="quiet" data-testid="reach">
        {reach}
      </span>
    </p>
  );
}

type PassBarProps = Pick<PassView, 'before' | 'after' | 'target' | 'inputBudget'>;

/** Draws how far down a pass takes the window, and its target; the words next to it say so too. */
export function PassBar({ before, after, target, inputBudget }: PassBarProps): VNode {
  const scale = Math.max(inputBudget, before.tokens, after.tokens);
  const width = (tokens: number): string => `${share(tokens, scale) * 100}%`;
  return (
    <div class="drop" aria-hidden="true">
      <span class="before" style={{ width: width(before.tokens) }} />
      <span class="after" style={{ width: width(after.tokens) }} />
      <span class="target" style={{ left: width(target) }} />
    </div>
  );
}

interface RungListProps {
  readonly rungs: PassView['rungs'];
  /** Kept blocks; absent if they are mentioned elsewhere. */
  readonly kept?: number;
}

/** Lists what each rung changes and frees. */
export function RungList({ rungs, kept }: RungListProps): VNode {
  return (
    <dl class="rungs">
      {rungs.map(({ rung, blocks, tokens }) => (
        <div key={rung} class="rung" data-testid="rung" data-rung={rung}>
          <dt>{rungWords(rung)}</dt>
          <dd class="number quiet">{blocks === 0 ? '' : countText(blocks, 'block')}</dd>
          {/* The tokens a rung frees are planned on estimates. */}
          <dd class={tokens < 0 ? 'number' : 'number gain'}>
            {ESTIMATE_MARK}&nbsp;
            {tokens < 0 && '+'}
            {formatNumber(-tokens)}
          </dd>
        </div>
      ))}
      {kept !== undefined && (
        <div class="rung">
          <dt>Kept</dt>
          <dd class="number quiet kept">{countText(kept, 'block')}, with reasons</dd>
        </div>
      )}
    </dl>
  );
}

/** Decisions drawn at first, since a window may have thousands of blocks. */
const PAGE = 200;

interface DecisionRowsProps {
  readonly decisions: readonly DecisionView[];
  readonly blocks: readonly BlockView[];
  readonly words: (action: DecisionView['action']) => string;
  readonly wish: SendWish;
}

/** Lists decisions, each with its reason and its numbers; a click opens the block's text. */
export function DecisionRows({ decisions, ...common }: DecisionRowsProps): VNode {
  const { shown, rest, showMore } = useMore(decisions.length, PAGE);
  return (
    <>
      <ul class="decision-rows">
        {decisions.slice(0, shown).map((decision) => (
          <DecisionRow key={decision.blockId} decision={decision} {...common} />
        ))}
      </ul>
      {rest > 0 && (
        <LinkButton onClick={showMore} data-testid="more-decisions">
          Show more ({formatNumber(rest)} left)
        </LinkButton>
      )}
    </>
  );
}

type DecisionRowProps = Omit<DecisionRowsProps, 'decisions'> & { readonly decision: DecisionView };

function DecisionRow(props: DecisionRowProps): VNode {
  const { blockId, action } = props.decision;
  return (
    <li
      class={`decision a-${action}`}
      data-testid="decision-row"
      data-block-id={blockId}
      data-action={action}
    >
      <DecisionFacts {...props} />
    </li>
  );
}

/** Draws one decision: the block, its tokens before and after, the action, and why. */
export function DecisionFacts({ decision, blocks, words, wish }: DecisionRowProps): VNode {
  const { blockId, action, reason, before, after, salience } = decision;
  const name = nameIn(blocks, decision);
  const change =
    action === 'keep' ? formatTokens(before) : `${formatTokens(before)} → ${formatTokens(after)}`;
  return (
    <>
      <button
        type="button"
        class="plain label ellipsis"
        title={name}
        onClick={() => wish({ type: 'openBlock', blockId })}
      >
        {shortNameIn(blocks, decision)}
      </button>
      <span class="number">{change}</span>
      <span class="reason">
        <span class={`action a-${action}`}>{words(action)}</span> · {reason}
        {salience !== undefined && (
          <span class="salience" title={factorWords(salience)}>
            {' · '}
            {salienceWords(salience)}
          </span>
        )}
      </span>
    </>
  );
}
