import {
  CATEGORIES,
  type Balance,
  type Category,
  isAllEstimated,
  type Estimates,
} from '../../../src/editor/contextPanel/state';
import { CATEGORY_NAMES } from '../../../src/editor/contextPanel/shownNames';
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
interface SegmentPart {
  readonly label: string;
  readonly tokens: number;
}

/**
 * Absent unless they occur: only a replay has unrecorded tokens, and only some passes leave gap
 * lines, rules or excerpts.
 */
const RARE: ReadonlySet<Category> = new Set<Category>([
  'unrecorded',
  'gapLines',
  'excerpts',
  'rules',
]);

/** How far the bar goes beyond the mark that it ends after, as a share of its tokens. */
const AFTER_MARK = 0.08;

/**
 * The tokens that the bar's whole length stands for: the context window, or more if it is overfull.
 * If passes begin in the first half of a large window, the bar ends shortly after that mark, so
 * that what fills it is large enough to see.
 */
export function scaleOf(
  { contextWindowTokens, used }: Balance,
  passAbove = contextWindowTokens,
): number {
  const isEarly = passAbove < contextWindowTokens / 2;
  const length = isEarly ? passAbove * (1 + AFTER_MARK) : contextWindowTokens;
  return Math.max(length, used.tokens, 1);
}

/**
 * Cuts the context window into pieces, in the order the bar draws them; their tokens add up to the
 * window (I8).
 *
 * An overdrawn headroom has no room of its own: it is drawn over the end of the used part.
 */
export function segmentsOf(
  balance: Balance,
  estimates: Estimates,
  scale = scaleOf(balance),
): readonly Segment[] {
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

/** The parts of the bar that a user can open, from left to right. */
export const BAR_PARTS = [
  'fixed',
  'unrecorded',
  'kept',
  'files',
  'conversation',
  'free',
  'reserved',
] as const;

export type BarPartName = (typeof BAR_PARTS)[number];

const PART_OF: Readonly<Record<SegmentName, BarPartName>> = {
  tools: 'fixed',
  system: 'fixed',
  unrecorded: 'unrecorded',
  scratchpad: 'kept',
  anchor: 'kept',
  rules: 'kept',
  summary: 'kept',
  gapLines: 'kept',
  excerpts: 'files',
  archive: 'conversation',
  working: 'conversation',
  headroom: 'free',
  reserved: 'reserved',
};

/** Neighbouring segments under one label; `start` and `width` are fractions of the bar's length. */
export interface BarPart extends Pick<Segment, 'tokens' | 'start' | 'width' | 'estimated'> {
  readonly name: BarPartName;
  readonly segments: readonly Segment[];
}

/** Joins the segments to labelled parts, without empty ones and what lies beyond the bar's end. */
export function barPartsOf(segments: readonly Segment[]): readonly BarPart[] {
  return BAR_PARTS.flatMap((name) => {
    const own = segments.filter((segment) => PART_OF[segment.name] === name);
    const drawn = own.filter(({ tokens, start }) => tokens !== 0 && start < 1);
    const [first] = drawn;
    if (first === undefined) return [];
    const sum = (of: (segment: Segment) => number): number =>
      drawn.reduce((all, segment) => all + of(segment), 0);
    const { start } = first;
    return {
      name,
      segments: drawn,
      tokens: sum(({ tokens }) => tokens),
      estimated: sum(({ estimated }) => estimated),
      start,
      width: Math.min(
        1 - start,
        sum(({ width }) => width),
      ),
    };
  });
}

/** Says a segment in one line, for a screen reader. */
export function describeSegment(segment: Segment): string {
  const parts = segment.parts.map(({ label, tokens }) => `${label} ${formatNumber(tokens)}`);
  const made = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `${segment.label} ${segmentTokens(segment)}${made}`;
}

/** Writes a segment's tokens, marked if all of them are estimates. */
export function segmentTokens({
  tokens,
  estimated,
}: Pick<Segment, 'tokens' | 'estimated'>): string {
  // An overrun has a label of its own, which needs no sign.
  return formatTokens({ tokens: Math.abs(tokens), exact: !isAllEstimated(tokens, estimated) });
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
