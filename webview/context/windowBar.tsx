import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Balance } from '../../src/protocol/contextPanel';
import { formatNumber } from '../ui/tokens';
import { MarkLabels } from './markLabels';
import { marksOf } from './marks';
import { describeSegment, type Segment } from './segments';

export interface WindowBarProps {
  readonly balance: Balance;
  readonly segments: readonly Segment[];
}

/** Below this share of the bar a segment is too thin for a line between it and its neighbour. */
const THIN = 0.004;

/** Draws the whole context window to scale, with the watermarks and the budget across it. */
export function WindowBar({ balance, segments }: WindowBarProps): VNode {
  const bar = useRef<HTMLDivElement>(null);
  const marks = marksOf(balance);
  return (
    <div class="gauge">
      <div
        ref={bar}
        class="bar"
        role="img"
        aria-label={describeBar(balance, segments)}
        data-testid="bar"
      >
        {segments.map((segment) => (
          <Piece key={segment.name} segment={segment} />
        ))}
        {marks.map(({ name, at, tokens, meaning }) => (
          <span
            key={name}
            class={`line m-${name}`}
            style={{ left: percent(at) }}
            title={`${meaning}: ${formatNumber(tokens)}`}
            data-testid={`mark-${name}`}
            data-tokens={tokens}
          />
        ))}
      </div>
      <MarkLabels marks={marks} bar={bar} />
    </div>
  );
}

function Piece({ segment }: { readonly segment: Segment }): VNode {
  const { name, tokens, start, width, parts } = segment;
  const total = parts.reduce((sum, part) => sum + part.tokens, 0);
  let before = 0;
  const seams = parts.slice(0, -1).map((part) => (before += part.tokens) / total);
  const look = [`c-${name}`, tokens < 0 && 'over', width < THIN && 'thin'].filter(Boolean);
  return (
    <span
      class={`segment ${look.join(' ')}`}
      style={{ left: percent(start), width: percent(width) }}
      title={describeSegment(segment)}
      data-testid="bar-segment"
      data-category={name}
      data-tokens={tokens}
    >
      {seams.map((at) => (
        <span key={at} class="seam" style={{ left: percent(at) }} />
      ))}
    </span>
  );
}

function describeBar({ contextWindowTokens }: Balance, segments: readonly Segment[]): string {
  const pieces = segments.filter(({ tokens }) => tokens !== 0).map(describeSegment);
  return `Context window of ${formatNumber(contextWindowTokens)} tokens: ${pieces.join(', ')}`;
}

function percent(fraction: number): string {
  return `${fraction * 100}%`;
}
