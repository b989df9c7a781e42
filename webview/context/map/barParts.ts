import type { Balance } from '../../../src/protocol/contextPanel';
import { formatNumber, formatShare } from '../../ui/tokens';
import type { Mark } from './marks';
import { estimatedPart, segmentTokens, type Segment, type SegmentName } from './segments';

/** One thing on the bar that can be pointed at: a segment or a line. */
export interface BarPart {
  readonly id: string;
  /** Says what it is, how much, and what it means. */
  readonly words: string;
}

const MEANINGS: Readonly<Record<SegmentName, string>> = {
  tools: 'what the tools are, in every request',
  system: 'instructions and project memory, in every request',
  unrecorded: 'counted by the recorded API, its text not in the file; in every request',
  scratchpad: "the agent's notes, which outlive what leaves",
  anchor: 'the task as it was set, in every request',
  summary: 'stands for blocks that were compacted',
  archive: 'older blocks, the first to leave',
  working: 'the newest blocks, the last to leave',
  headroom: 'room that is left for the next request',
  reserved: 'kept free, no request may take it',
};

/** The parts of the bar from left to right, those of no width left out. */
export function barParts(
  balance: Balance,
  segments: readonly Segment[],
  marks: readonly Mark[],
): readonly BarPart[] {
  const lines = marks.map((mark) => ({
    at: mark.at,
    id: markId(mark),
    words: `${mark.meaning} · ${formatNumber(mark.tokens)} tokens`,
  }));
  const pieces = segments
    .filter(({ tokens }) => tokens !== 0)
    .map((segment) => ({
      at: segment.start,
      id: segmentId(segment),
      words: segmentWords(segment, balance.contextWindowTokens),
    }));
  // A line comes before the segment that begins at it, whatever sums of fractions make of that.
  return [...lines, ...pieces].toSorted((a, b) => placeOnBar(a.at) - placeOnBar(b.at));
}

function placeOnBar(at: number): number {
  return Math.round(at * 1e6);
}

/** Names a segment among the parts. */
export function segmentId({ name }: Segment): string {
  return `segment-${name}`;
}

/** Names a mark among the parts. */
export function markId({ name }: Mark): string {
  return `mark-${name}`;
}

function segmentWords(segment: Segment, windowTokens: number): string {
  const { name, label, tokens, parts } = segment;
  const isOver = name === 'headroom' && tokens < 0;
  const estimated = estimatedPart(segment);
  return [
    `${label}: ${segmentTokens(segment)} tokens`,
    `${formatShare(Math.abs(tokens), windowTokens)} of the window`,
    ...(estimated === '' ? [] : [estimated]),
    ...parts.map((part) => `${part.label} ${formatNumber(part.tokens)}`),
    isOver ? 'more than a request may take: something has to leave' : MEANINGS[name],
  ].join(' · ');
}
