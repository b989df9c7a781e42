import {
  CATEGORIES,
  type Balance,
  type Category,
  isAllEstimated,
  type Estimates,
} from '../../../src/editor/contextPanel/state';
import { CATEGORY_NAMES } from '../../../src/editor/contextPanel/bar/categoryNames';
import { formatNumber, formatTokens } from '../../kit/tokens';

/** What the bar is cut into: the categories, the headroom and what is reserved. */
export type SegmentName = Category | 'headroom' | 'reserved';

/** One piece of the bar; `start` and `width` are fractions of the bar's length. */
export interface Segment {
  readonly name: SegmentName;
  readonly label: string;
  /** The number in the legend; negative for an overdrawn headroom. */
  readonly tokens: number;
  readonly start: number;
  readonly width: number;
  /** Estimated tokens among them. */
  readonly estimated: number;
  /** The parts of the piece, if it has several. */
  readonly parts: readonly SegmentPart[];
}

/** One addend of a segment. */
export interface SegmentPart {
  readonly label: string;
  readonly tokens: number;
}

/**
 * Absent unless they occur: only a replay has unrecorded tokens, and only some passes leave gap
 * lines or excerpts.
 */
const RARE: ReadonlySet<Category> = new Set<Category>(['unrecorded', 'gapLines', 'excerpts']);

/** The tokens the bar's whole length stands for: the context window, or more when it is overfull. */
export function scaleOf(balance: Balance): number {
  return Math.max(balance.contextWindowTokens, balance.used.tokens, 1);
}

/**
 * Cuts the context window into pieces, in the order the bar draws them; their tokens add up to the
 * window (I8).
 *
 * An overdrawn headroom has no room of its own: it is drawn over the end of the used part.
 */
export function segmentsOf(balance: Balance, estimates: Estimates): readonly Segment[] {
  const scale = scaleOf(balance);
  let filled = 0;
  // Categories that most sessions never have are omitted while they are empty.
  const { categories } = balance;
  const isKnown = (name: Category): boolean =>
    // If a recording lacks its system prompt, those tokens are part of the unrecorded ones.
    name === 'system' ? categories.unrecorded === 0 : !RARE.has(name);
  const names = CATEGORIES.filter((name) => isKnown(name) || categories[name] > 0);
  const used = names.map((name): Segment => {
    const tokens = balance.categories[name];
    const start = filled / scale;
    filled += tokens;
    const estimated = Math.min(tokens, estimates[name]);
    const width = tokens / scale;
    return { name, label: CATEGORY_NAMES[name], tokens, start, width, estimated, parts: [] };
  });
  const { headroom } = balance;
  const parts = reservedParts(balance);
  const reserved = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    ...used,
    {
      name: 'headroom',
      label: headroom < 0 ? 'Over the budget' : 'Headroom',
      tokens: headroom,
      start: Math.min(filled, filled + headroom) / scale,
      width: Math.abs(headroom) / scale,
      estimated: balance.used.exact ? 0 : Math.abs(headroom),
      parts: [],
    },
    {
      name: 'reserved',
      label: 'Reserved',
      tokens: reserved,
      start: (filled + headroom) / scale,
      width: reserved / scale,
      estimated: 0,
      parts,
    },
  ];
}

/** Says a segment in one line, for a screen reader. */
export function describeSegment(segment: Segment): string {
  const parts = segment.parts.map(({ label, tokens }) => `${label} ${formatNumber(tokens)}`);
  const made = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `${segment.label} ${segmentTokens(segment)}${made}`;
}

/** Writes a segment's tokens, marked if all of them are estimates. */
export function segmentTokens({ tokens, estimated }: Segment): string {
  return formatTokens({ tokens, exact: !isAllEstimated(tokens, estimated) });
}

/** Says how much of a segment is estimated; '' if nothing or all of it is. */
export function estimatedPart({ tokens, estimated }: Segment): string {
  if (estimated === 0 || isAllEstimated(tokens, estimated)) return '';
  return `${formatTokens({ tokens: estimated, exact: false })} of it estimated`;
}

/** Writes out how the input budget follows from the window: "200,000 window − 4,096 reply − …". */
export function budgetSum(balance: Balance): string {
  const taken = reservedParts(balance).map(
    ({ label, tokens }) => ` − ${formatNumber(tokens)} ${label}`,
  );
  const { inputBudget, contextWindowTokens } = balance;
  const window = `${formatNumber(contextWindowTokens)} window`;
  return `${formatNumber(inputBudget)} = ${window}${taken.join('')}`;
}

function reservedParts({ reserved }: Balance): readonly SegmentPart[] {
  return [
    { label: 'reply', tokens: reserved.reply },
    { label: 'safety', tokens: reserved.safety },
    { label: 'tool results', tokens: reserved.toolResults },
    { label: 'taken after an overflow', tokens: reserved.steppedDown },
  ].filter(({ tokens }) => tokens !== 0);
}
