import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  type Balance,
  type ContextView,
  estimatesIn,
  type MemoryView,
  type ProfileView,
} from '../../../src/editor/contextPanel/state';
import { visiblePath } from '../../../src/editor/coreForPages';
import { ESTIMATE_MARK, formatNumber, formatShare, formatTokens } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';
import { budgetSum, estimatedPart, type Segment, segmentsOf, segmentTokens } from './segments';
import { WindowBar } from './windowBar';

export interface WindowFillProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Says how full the window is: one number, one bar, and the sum that makes it up. */
export function WindowFill({ context, wish }: WindowFillProps): VNode {
  const { balance, blocks, policy, windowSource } = context;
  const { used, inputBudget, headroom, contextWindowTokens } = balance;
  const [read, setRead] = useState<string | undefined>(undefined);
  const segments = segmentsOf(balance, estimatesIn(blocks));
  const isOver = headroom < 0;
  return (
    <section class="fill" aria-label="How full the context window is">
      <div class="figures">
        <strong class="used number" data-testid="used" data-tokens={used.tokens}>
          {!used.exact && <span class="guess">{ESTIMATE_MARK} </span>}
          {formatNumber(used.tokens)}
        </strong>
        <div class={read === undefined ? 'takes-turns' : 'takes-turns other'}>
          <p class="resting">
            <span class="of">
              <span class="number" title={budgetSum(balance)} data-testid="input-budget">
                of {formatNumber(inputBudget)} input budget
              </span>
              {' · '}
              <span class="number">{formatShare(used.tokens, inputBudget)}</span>
              {' · '}
              <span
                class={`source ${used.exact ? 'exact' : 'estimated'}`}
                data-testid="source"
                data-exact={String(used.exact)}
              >
                {used.exact ? <span class="dot">● </span> : `${ESTIMATE_MARK}\u00a0`}
                {sourceWords(balance)}
              </span>
            </span>
            <span class={isOver ? 'outlook number bad' : 'outlook number'} data-testid="outlook">
              {outlookWords(balance)}
            </span>
          </p>
          <p class="readout" data-testid="bar-readout" title={read}>
            {read}
          </p>
        </div>
      </div>
      <WindowBar balance={balance} segments={segments} recent={context.recent} onRead={setRead} />
      <Legend
        segments={segments}
        contextWindowTokens={contextWindowTokens}
        windowSource={windowSource}
        onEditScratchpad={canEdit(context) ? () => wish({ type: 'fetchScratchpad' }) : undefined}
      />
      {policy === 'server' && (
        <p class="quiet small" data-testid="server-note">
          The API edits the window itself, above the high watermark. The panel shows what is sent;
          the model may have read less. The API answers with counts and never says which blocks.
        </p>
      )}
      <MemoryLine context={context} wish={wish} />
    </section>
  );
}

function canEdit({ turn, whyReadOnly }: ContextView): boolean {
  return turn > 0 && whyReadOnly === undefined;
}

/** Says where the number of used tokens comes from, and whether it is an estimate. */
function sourceWords({ used, source }: Pick<Balance, 'used' | 'source'>): string {
  switch (source) {
    case 'usage':
    case 'countTokens':
      return used.exact ? 'counted by the server' : 'estimate';
    case 'overflowError':
      return used.exact ? "taken from the server's error" : 'estimate';
    case 'recorded':
      return "counted by the recorded agent's server";
    case 'estimate':
      return 'estimate, not counted yet';
  }
}

/** Says how much room is left up to the high watermark, or what is exceeded. */
function outlookWords(balance: Balance): string {
  const { used, highTokens, headroom, contextWindowTokens } = balance;
  const say = (tokens: number): string =>
    `${formatTokens({ tokens, exact: used.exact })} ${tokens === 1 ? 'token' : 'tokens'}`;
  const beyond = used.tokens - contextWindowTokens;
  if (beyond > 0) return `${say(beyond)} more than the whole context window holds`;
  if (headroom < 0) return `${say(-headroom)} over the input budget`;
  const room = highTokens - used.tokens;
  return room < 0 ? `${say(-room)} above the high watermark` : `${say(room)} to the high watermark`;
}

export interface LegendProps {
  readonly segments: readonly Segment[];
  readonly contextWindowTokens: number;
  /** The source of the window's size: "from a setting". */
  readonly windowSource: string;
  /** Absent if there is no scratchpad to change. */
  readonly onEditScratchpad: (() => void) | undefined;
}

/** Draws the legend: categories, headroom and reserved tokens add up to the window. */
function Legend(props: LegendProps): VNode {
  const { segments, contextWindowTokens, windowSource, onEditScratchpad } = props;
  return (
    <ul class="legend" aria-label="What the context window is full of, in tokens">
      {segments.map((segment) => (
        <LegendItem key={segment.name} segment={segment} of={contextWindowTokens}>
          {segment.name === 'scratchpad' && onEditScratchpad !== undefined && (
            <button
              type="button"
              class="plain link edit"
              aria-label="Edit the agent’s notes"
              title="Change the agent's notes by hand; the agent is told"
              onClick={onEditScratchpad}
              data-testid="edit-scratchpad"
            >
              Edit
            </button>
          )}
        </LegendItem>
      ))}
      <li class="total">
        <span>Context window</span>{' '}
        <span class="number" data-testid="legend-total">
          {formatNumber(contextWindowTokens)}
        </span>{' '}
        <span class="parts">{windowSource}</span>
      </li>
      <li class="key" title="The server counts a request as a whole: the split is estimated here">
        <span class="swatch c-estimate" aria-hidden="true" />
        {ESTIMATE_MARK} estimated share
      </li>
    </ul>
  );
}

interface LegendItemProps {
  readonly segment: Segment;
  readonly of: number;
  readonly children: ComponentChildren;
}

function LegendItem({ segment, of, children }: LegendItemProps): VNode {
  const { name, label, tokens, parts } = segment;
  const estimated = estimatedPart(segment);
  return (
    <li
      class={tokens === 0 ? 'item none' : 'item'}
      title={`${formatShare(Math.abs(tokens), of)} of the context window`}
      data-testid="legend-item"
      data-category={name}
      data-tokens={tokens}
    >
      <span class={`swatch c-${name}${tokens < 0 ? ' over' : ''}`} aria-hidden="true" />
      <span class="what">{label}</span> <span class="number">{segmentTokens(segment)}</span>
      {estimated !== '' && <span class="parts"> {estimated}</span>}
      {parts.length > 0 && (
        <span class="parts">
          {' '}
          {parts.map((part) => `${part.label} ${formatNumber(part.tokens)}`).join(' · ')}
        </span>
      )}
      {children}
    </li>
  );
}

interface MemoryLineProps {
  readonly context: Pick<ContextView, 'memory' | 'profile'>;
  readonly wish: SendWish;
}

/** Names the memory files in the prompt, and how much of an oversized one is included. */
export function MemoryLine({ context: { memory, profile }, wish }: MemoryLineProps): VNode {
  return (
    <>
      {memory.length > 0 && (
        <p class="memory quiet small" data-testid="memory" title="Sent with the system prompt">
          Project memory: {memory.map(memoryWords).join(' · ')}
        </p>
      )}
      {profile !== undefined && <ProfileLine profile={profile} wish={wish} />}
    </>
  );
}

function ProfileLine({
  profile,
  wish,
}: Pick<MemoryLineProps, 'wish'> & { readonly profile: ProfileView }): VNode {
  return (
    <p
      class="memory quiet small"
      data-testid="profile"
      title="Applies to all your projects; sent after the project memory"
    >
      {`Profile for all projects: ${memoryWords(profile)}, ≈ ${formatNumber(profile.tokens)} tokens `}
      <LinkButton
        onClick={() => wish({ type: 'openProfile' })}
        label="Open your profile for all projects"
        data-testid="open-profile"
      >
        Open
      </LinkButton>
    </p>
  );
}

function memoryWords({ path, shownChars, chars, origin }: MemoryView): string {
  const from = origin === undefined ? '' : ` (${origin})`;
  const part =
    shownChars >= chars ? '' : `, ${formatNumber(shownChars)} of ${formatNumber(chars)} characters`;
  return `${visiblePath(path)}${from}${part}`;
}
