import type { ComponentChildren, VNode } from 'preact';
import { ESTIMATE_MARK, formatNumber, formatShare } from '../../ui/tokens';
import { estimatedPart, segmentTokens, type Segment } from './segments';

export interface LegendProps {
  readonly segments: readonly Segment[];
  readonly contextWindowTokens: number;
  /** Where the window's size comes from: "from a setting". */
  readonly windowSource: string;
  /** Absent while there are no notes that could be changed. */
  readonly onEditScratchpad: (() => void) | undefined;
}

/** Writes the sum the bar draws: every category, headroom and reserved make up the window. */
export function Legend(props: LegendProps): VNode {
  const { segments, contextWindowTokens, windowSource, onEditScratchpad } = props;
  return (
    <ul class="legend" aria-label="What the context window is full of, in tokens">
      {segments.map((segment) => (
        <LegendItem key={segment.name} segment={segment} of={contextWindowTokens}>
          {segment.name === 'scratchpad' && onEditScratchpad !== undefined && (
            <button
              type="button"
              class="plain link edit"
              aria-label="Edit the scratchpad"
              title="Change the agent's notes by hand; it is told what you changed"
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
      <li class="key" title="The server counts a request as a whole: the split is worked out here">
        <span class="swatch c-estimate" aria-hidden="true" />
        {ESTIMATE_MARK} estimated share
      </li>
    </ul>
  );
}

interface LegendItemProps {
  readonly segment: Segment;
  readonly of: number;
  /** What can be done with it. */
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
