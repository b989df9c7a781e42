import {
  MARK_MEANINGS,
  type MarkName,
  PART_LABELS,
  SEGMENT_LABELS,
  SEGMENT_MEANINGS,
} from './words';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Balance, ContextView, RecentTurns } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatShare } from '../../kit/tokens';
import {
  type BarPart,
  type BarPartName,
  barPartsOf,
  describeSegment,
  estimatedPart,
  scaleOf,
  type Segment,
  segmentTokens,
} from './segments';

interface WindowBarProps {
  readonly balance: Balance;
  readonly segments: readonly Segment[];
  readonly marks: readonly Mark[];
  /** The parts whose details are shown. */
  readonly open?: readonly BarPartName[];
  /** Shows the details of a part; absent if there are none. */
  readonly onOpen?: (part: BarPartName) => void;
  /** Id of the details. */
  readonly detailsId?: string;
}

/** Below this share of the bar a segment is too thin for a line between it and its neighbour. */
const THIN = 0.004;

/**
 * Draws the context window to scale, its parts with their labels inside, and marks across it. Each
 * part has its words as a tooltip; the arrow keys go from part to part.
 */
export function WindowBar(props: WindowBarProps): VNode {
  const { balance, segments, marks, open = [], onOpen, detailsId } = props;
  const bar = useRef<HTMLDivElement>(null);
  const [lastPart, setLastPart] = useState<BarPartName | undefined>(undefined);
  const parts = barPartsOf(segments);
  const entry = (parts.find(({ name }) => name === lastPart) ?? parts[0])?.name;
  const length = useLengthOf(bar);
  return (
    <div class="gauge">
      <div
        ref={bar}
        class="bar"
        role="group"
        aria-label={describeBar(balance, segments)}
        onFocusIn={(event) => setLastPart(partAt(event.target))}
        onKeyDown={(event) => moveAlong(event, parts)}
        data-testid="bar"
      >
        {parts.map((part) => (
          <Part
            key={part.name}
            part={part}
            inputBudget={balance.inputBudget}
            length={length}
            isEntry={part.name === entry}
            isOpen={open.includes(part.name)}
            onOpen={onOpen}
            detailsId={detailsId}
          />
        ))}
        {marks.map(({ name, at, tokens }) => (
          <span
            key={name}
            class={`line m-${name}`}
            style={{ left: percent(at) }}
            data-testid={`mark-${name}`}
            data-tokens={tokens}
          />
        ))}
      </div>
      <MarkLabels marks={marks} bar={bar} />
    </div>
  );
}

/** The width of an element in CSS pixels, which changes with the panel. */
function useLengthOf(element: RefObject<HTMLElement | null>): number {
  const [length, setLength] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => setLength(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return length;
}

interface PartProps extends Pick<WindowBarProps, 'onOpen' | 'detailsId'> {
  readonly part: BarPart;
  readonly inputBudget: number;
  /** Width of the bar; CSS pixels. */
  readonly length: number;
  /** Whether the Tab key stops at this part. */
  readonly isEntry: boolean;
  readonly isOpen: boolean;
}

function Part({ part, inputBudget, length, isEntry, isOpen, onOpen, detailsId }: PartProps): VNode {
  const { name, start, width, tokens, estimated, segments } = part;
  const words = partWords(part, inputBudget);
  const common = {
    class: `bar-part plain p-${name}${isOpen ? ' open' : ''}`,
    style: { left: percent(start), width: percent(width) },
    title: words,
    tabIndex: isEntry ? 0 : -1,
    'data-testid': 'bar-part',
    'data-part': name,
    'data-tokens': tokens,
    'data-estimated': estimated,
  };
  const drawn = (
    <>
      {segments.map((segment) => (
        <Piece key={segment.name} segment={segment} part={part} />
      ))}
      <PartLabel part={part} length={length} />
    </>
  );
  if (onOpen === undefined) {
    return (
      <span role="img" aria-label={words} {...common}>
        {drawn}
      </span>
    );
  }
  return (
    <button
      type="button"
      {...common}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId : undefined}
      onClick={() => onOpen(name)}
    >
      <span class="spoken">{words}</span>
      {drawn}
    </button>
  );
}

/** Room that a label keeps on both sides together; CSS pixels. */
const LABEL_ROOM = 12;

interface PartLabelProps {
  readonly part: BarPart;
  /** Length of the bar; CSS pixels. */
  readonly length: number;
}

/**
 * Writes the longest label that fits into the widest segment of a part, so that no label crosses
 * the colours of two; none into a narrow one.
 */
function PartLabel({ part, length }: PartLabelProps): VNode | null {
  const [segment] = part.segments.toSorted((a, b) => b.width - a.width);
  const widest = segment ?? part;
  // A segment may go beyond the end of the bar, where the part ends.
  const end = Math.min(widest.start + widest.width, part.start + part.width);
  const room = (end - widest.start) * length;
  const widths = useRef<HTMLSpanElement>(null);
  const [fitting, setFitting] = useState(-1);
  const words = PART_LABELS[part.name];
  const short = segment && SEGMENT_LABELS[segment.name];
  const labels = [
    ...words.map((each) => `${each} ${segmentTokens(part)}`),
    ...words.slice(-1),
    ...(short === undefined ? [] : [short]),
  ];
  const wanted = labels.join();
  useLayoutEffect(() => {
    const all = [...(widths.current?.children ?? [])];
    setFitting(all.findIndex((label) => label.getBoundingClientRect().width + LABEL_ROOM <= room));
  }, [wanted, room]);
  if (labels.length === 0) return null;
  return (
    <>
      <span ref={widths} class="widths" aria-hidden="true">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </span>
      {fitting >= 0 && (
        <span
          class="part-label number"
          aria-hidden="true"
          style={{
            left: percent((widest.start - part.start) / part.width),
            right: percent((part.start + part.width - end) / part.width),
          }}
        >
          <span>{labels[fitting]}</span>
        </span>
      )}
    </>
  );
}

function Piece({ segment, part }: { readonly segment: Segment; readonly part: BarPart }): VNode {
  const { name, tokens, start, width, estimated, parts } = segment;
  const total = parts.reduce((sum, each) => sum + each.tokens, 0);
  let before = 0;
  const seams = parts.slice(0, -1).map((each) => (before += each.tokens) / total);
  const isHatched = estimated > 0 && name !== 'headroom';
  const look = [`c-${name}`, tokens < 0 && 'over', width < THIN && 'thin'].filter(Boolean);
  return (
    <span
      class={`segment ${look.join(' ')}`}
      style={{
        left: percent((start - part.start) / part.width),
        width: percent(Math.min(1, width / part.width)),
      }}
      data-testid="bar-segment"
      data-category={name}
      data-tokens={tokens}
      data-estimated={estimated}
    >
      {seams.map((at) => (
        <span key={at} class="seam" style={{ left: percent(at) }} />
      ))}
      {isHatched && <span class="foot" style={{ width: percent(estimated / tokens) }} />}
    </span>
  );
}

function partAt(target: EventTarget | null): BarPartName | undefined {
  const part = target instanceof Element ? target.closest<HTMLElement>('[data-part]') : null;
  return part?.dataset['part'] as BarPartName | undefined;
}

/** Moves the focus to the next part, or to the first or last. */
function moveAlong(
  event: KeyboardEvent & { currentTarget: Element },
  parts: readonly BarPart[],
): void {
  const at = parts.findIndex(({ name }) => name === partAt(event.target));
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: parts.length - 1 }[event.key];
  if (to === undefined || event.altKey) return;
  event.preventDefault();
  const name = parts[Math.min(parts.length - 1, Math.max(0, to))]?.name;
  event.currentTarget.querySelector<HTMLElement>(`[data-part="${name}"]`)?.focus();
}

function describeBar({ contextWindowTokens }: Balance, segments: readonly Segment[]): string {
  const pieces = segments.filter(({ tokens }) => tokens !== 0).map(describeSegment);
  return `Context window of ${formatNumber(contextWindowTokens)} tokens: ${pieces.join(', ')}`;
}

function percent(fraction: number): string {
  return `${fraction * 100}%`;
}

/** Says what a part is made of, and its share of the input budget. */
function partWords({ name, segments, tokens }: BarPart, inputBudget: number): string {
  const [only] = segments;
  const share = `${formatShare(Math.abs(tokens), inputBudget)} of the input budget`;
  if (segments.length === 1 && only !== undefined) return segmentWords(only, share);
  const made = segments.map(describeSegment).join(' · ');
  return `${PART_LABELS[name][0]}: ${made} tokens · ${share}`;
}

function segmentWords(segment: Segment, share: string): string {
  const { name, label, tokens, parts } = segment;
  const isOver = name === 'headroom' && tokens < 0;
  const estimated = estimatedPart(segment);
  return [
    `${label}: ${segmentTokens(segment)} tokens`,
    share,
    ...(estimated === '' ? [] : [estimated]),
    ...parts.map((part) => `${part.label} ${formatNumber(part.tokens)}`),
    isOver ? 'more than a request may hold: something must be removed' : SEGMENT_MEANINGS[name],
  ].join(' · ');
}

/** Least distance between two labels; CSS pixels. */
const GAP = 10;

interface MarkLabelsProps {
  readonly marks: readonly Mark[];
  readonly bar: RefObject<HTMLElement | null>;
}

/** Writes the watermarks' and the budget's numbers below their lines, without overlaps. */
function MarkLabels({ marks, bar }: MarkLabelsProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [places, setPlaces] = useState<readonly PlacedLabel[]>([]);
  const wanted = marks.map(({ label, at }) => `${label}@${at}`).join();
  useLayoutEffect(() => {
    const place = (): void => {
      const length = bar.current?.clientWidth ?? 0;
      const labels = [...(list.current?.children ?? [])].map((label, index) => ({
        centre: (marks[index]?.at ?? 0) * length,
        width: label.getBoundingClientRect().width,
      }));
      setPlaces(placeLabels(labels, length, GAP));
    };
    place();
    const observer = new ResizeObserver(place);
    for (const element of [bar.current, ...(list.current?.children ?? [])]) {
      if (element !== null) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [wanted]);
  const rows = 1 + Math.max(0, ...places.map(({ row }) => row));
  return (
    <div ref={list} class="marks" style={{ height: `${rows * 1.5}em` }}>
      {marks.map(({ name, label, meaning }, index) => (
        <span
          key={name}
          class={`mark-label number m-${name}`}
          title={meaning}
          style={{
            left: `${places[index]?.left ?? 0}px`,
            top: `${(places[index]?.row ?? 0) * 1.5}em`,
          }}
          data-testid={`mark-label-${name}`}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** A label to be centred at a point; all lengths in one unit, such as CSS pixels. */
export interface LabelWish {
  readonly centre: number;
  readonly width: number;
}

/** The position of a label: its left edge, and its row if one row is too short for all. */
interface PlacedLabel {
  readonly left: number;
  readonly row: number;
}

interface Cluster {
  readonly members: readonly number[];
  readonly width: number;
  /** Sum of the left edges that the members would give the cluster. */
  readonly wished: number;
}

/**
 * Places labels along a line so that none overlaps another or leaves the line, each as near to its
 * wish as the others allow. If they do not fit side by side, each gets a row of its own.
 *
 * Labels come in the order of their centres; touching ones are moved together, as one cluster
 * around the mean of their wishes.
 */
export function placeLabels(
  labels: readonly LabelWish[],
  length: number,
  gap: number,
): readonly PlacedLabel[] {
  const needed = labels.reduce((sum, { width }) => sum + width, gap * (labels.length - 1));
  if (needed > length) {
    return labels.map(({ centre, width }, row) => ({
      left: clampLeft(centre, width, length),
      row,
    }));
  }
  let clusters: readonly Cluster[] = [];
  for (const [index, { centre, width }] of labels.entries()) {
    let cluster: Cluster = { members: [index], width, wished: centre - width / 2 };
    for (let before = clusters.at(-1); before !== undefined; before = clusters.at(-1)) {
      if (leftOf(before, length) + before.width + gap <= leftOf(cluster, length)) break;
      cluster = join(before, cluster, gap);
      clusters = clusters.slice(0, -1);
    }
    clusters = [...clusters, cluster];
  }
  return clusters.flatMap((cluster) => spread(cluster, labels, length, gap));
}

function join(left: Cluster, right: Cluster, gap: number): Cluster {
  // Once joined, each member of the right cluster would begin it this much further left.
  const shift = (left.width + gap) * right.members.length;
  return {
    members: [...left.members, ...right.members],
    width: left.width + gap + right.width,
    wished: left.wished + right.wished - shift,
  };
}

function spread(
  cluster: Cluster,
  labels: readonly LabelWish[],
  length: number,
  gap: number,
): readonly PlacedLabel[] {
  let left = leftOf(cluster, length);
  return cluster.members.map((member) => {
    const placed = { left, row: 0 };
    left += (labels[member]?.width ?? 0) + gap;
    return placed;
  });
}

function leftOf({ members, width, wished }: Cluster, length: number): number {
  return clamp(wished / members.length, 0, length - width);
}

function clampLeft(centre: number, width: number, length: number): number {
  return clamp(centre - width / 2, 0, Math.max(0, length - width));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** A line across the bar; `at` is a fraction of the bar's length. */
interface Mark {
  readonly name: MarkName;
  readonly tokens: number;
  readonly label: string;
  readonly meaning: string;
  readonly at: number;
}

function markAt(name: MarkName, tokens: number, scale: number, label: string): Mark {
  const at = Math.min(1, Math.max(0, tokens / scale));
  return { name, tokens, label, meaning: MARK_MEANINGS[name], at };
}

function numbered(name: MarkName, tokens: number, scale: number): Mark {
  return markAt(name, tokens, scale, `${name} ${formatNumber(tokens)}`);
}

/**
 * The one mark of the panel: where passes begin. Also the window's end if it is overrun, and the
 * budget at the end of a bar that does not reach it.
 */
export function passMark(
  { balance, passAbove, compaction }: Pick<ContextView, 'balance' | 'passAbove' | 'compaction'>,
  scale: number,
): readonly Mark[] {
  const { contextWindowTokens, inputBudget } = balance;
  const end =
    balance.used.tokens > contextWindowTokens
      ? [numbered('window', contextWindowTokens, scale)]
      : [];
  const beyond =
    scale < inputBudget
      ? [markAt('beyond', inputBudget, scale, `budget ${formatNumber(inputBudget)} ▸`)]
      : [];
  if (compaction === 'off') return [numbered('budget', inputBudget, scale), ...end];
  return [markAt('pass', passAbove, scale, MARK_LABELS[compaction]), ...beyond, ...end];
}

const MARK_LABELS = { auto: 'compacts here', ask: 'asks here' } as const;

/**
 * Where the newest turns begin, the two watermarks and the budget, from left to right; also the
 * window's end if it is overrun.
 */
export function marksOf(balance: Balance, recent?: RecentTurns): readonly Mark[] {
  const scale = scaleOf(balance);
  const marks = [
    ...(recent === undefined ? [] : [edgeOf(balance, recent)]),
    numbered('low', balance.lowTokens, scale),
    numbered('high', balance.highTokens, scale),
    numbered('budget', balance.inputBudget, scale),
    ...(scale > balance.contextWindowTokens
      ? [numbered('window', balance.contextWindowTokens, scale)]
      : []),
  ];
  return marks.toSorted((a, b) => a.at - b.at);
}

/** The edge between older and newest turns: the newest blocks are the last of the used part. */
function edgeOf(balance: Balance, { turns, tokens }: RecentTurns): Mark {
  const at = (balance.used.tokens - tokens) / scaleOf(balance);
  return {
    name: 'recent',
    tokens,
    label: turns === 1 ? 'last turn' : `last ${turns} turns`,
    meaning: MARK_MEANINGS.recent,
    at: Math.min(1, Math.max(0, at)),
  };
}
