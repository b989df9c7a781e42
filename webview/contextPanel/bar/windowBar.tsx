import { MARK_MEANINGS, SEGMENT_MEANINGS, type MarkName } from './words';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecentTurns } from '../../../src/editor/contextPanel/state';
import type { Balance } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatShare } from '../../kit/tokens';
import { describeSegment, estimatedPart, scaleOf, type Segment, segmentTokens } from './segments';

interface WindowBarProps {
  readonly balance: Balance;
  readonly segments: readonly Segment[];
  /** Absent if the settings keep none. */
  readonly recent: RecentTurns | undefined;
  /** Called with the part under the pointer; undefined if there is none. */
  readonly onRead: (words: string | undefined) => void;
}

/** Below this share of the bar a segment is too thin for a line between it and its neighbour. */
const THIN = 0.004;

/**
 * Draws the whole context window to scale, with the watermarks and the budget across it. Every part
 * can be read out; the arrow keys go from part to part.
 */
export function WindowBar({ balance, segments, recent, onRead }: WindowBarProps): VNode {
  const bar = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const [hovered, setHovered] = useState<string | undefined>(undefined);
  const [lastId, setLastId] = useState<string | undefined>(undefined);
  const marks = marksOf(balance, recent);
  const parts = barParts(balance, segments, marks);
  const entry = (parts.find(({ id }) => id === lastId) ?? parts[0])?.id;
  const read = parts.find(({ id }) => id === (hovered ?? focused));
  const words = read?.words;
  useLayoutEffect(() => onRead(words), [words]);
  const use = (id: string) => {
    const part = parts.find((each) => each.id === id);
    return { part, isEntry: id === entry, isRead: part !== undefined && part === read };
  };
  return (
    <div class="gauge">
      <div
        ref={bar}
        class="bar"
        role="group"
        aria-label={describeBar(balance, segments)}
        onPointerOver={(event) => setHovered(partAt(event.target))}
        onPointerLeave={() => setHovered(undefined)}
        onFocusIn={(event) => {
          setFocused(partAt(event.target));
          setLastId(partAt(event.target));
        }}
        onFocusOut={() => setFocused(undefined)}
        onKeyDown={(event) => moveAlong(event, parts)}
        data-testid="bar"
      >
        {segments.map((segment) => (
          <Piece key={segment.name} segment={segment} {...use(segmentId(segment))} />
        ))}
        {marks.map((mark) => (
          <Line key={mark.name} mark={mark} {...use(markId(mark))} />
        ))}
      </div>
      <MarkLabels marks={marks} bar={bar} />
    </div>
  );
}

interface PartProps {
  /** Absent for a segment of no width. */
  readonly part: BarPart | undefined;
  /** Whether the Tab key stops at this part. */
  readonly isEntry: boolean;
  readonly isRead: boolean;
}

function Piece({ segment, part, isEntry, isRead }: PartProps & { segment: Segment }): VNode {
  const { name, tokens, start, width, estimated, parts } = segment;
  const total = parts.reduce((sum, each) => sum + each.tokens, 0);
  let before = 0;
  const seams = parts.slice(0, -1).map((each) => (before += each.tokens) / total);
  const isHatched = estimated > 0 && name !== 'headroom';
  const look = [`c-${name}`, tokens < 0 && 'over', width < THIN && 'thin', isRead && 'read'].filter(
    Boolean,
  );
  return (
    <span
      class={`segment ${look.join(' ')}`}
      style={{ left: percent(start), width: percent(width) }}
      {...pointable(part, isEntry)}
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

function Line({ mark, part, isEntry, isRead }: PartProps & { mark: Mark }): VNode {
  const { name, at, tokens } = mark;
  return (
    <span
      class={`line m-${name}${isRead ? ' read' : ''}`}
      style={{ left: percent(at) }}
      {...pointable(part, isEntry)}
      data-testid={`mark-${name}`}
      data-tokens={tokens}
    />
  );
}

function pointable(part: BarPart | undefined, isEntry: boolean) {
  if (part === undefined) return { 'aria-hidden': true } as const;
  return {
    role: 'img',
    'aria-label': part.words,
    tabIndex: isEntry ? 0 : -1,
    'data-part': part.id,
  } as const;
}

function partAt(target: EventTarget | null): string | undefined {
  const part = target instanceof Element ? target.closest<HTMLElement>('[data-part]') : null;
  return part?.dataset['part'];
}

/** Moves the focus to the next part, or to the first or last. */
function moveAlong(
  event: KeyboardEvent & { currentTarget: Element },
  parts: readonly BarPart[],
): void {
  const at = parts.findIndex(({ id }) => id === partAt(event.target));
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: parts.length - 1 }[event.key];
  if (to === undefined || event.altKey) return;
  event.preventDefault();
  const id = parts[Math.min(parts.length - 1, Math.max(0, to))]?.id;
  if (id === undefined) return;
  event.currentTarget.querySelector<HTMLElement>(`[data-part="${id}"]`)?.focus();
}

function describeBar({ contextWindowTokens }: Balance, segments: readonly Segment[]): string {
  const pieces = segments.filter(({ tokens }) => tokens !== 0).map(describeSegment);
  return `Context window of ${formatNumber(contextWindowTokens)} tokens: ${pieces.join(', ')}`;
}

function percent(fraction: number): string {
  return `${fraction * 100}%`;
}

/** One part of the bar that the pointer or the keyboard can reach: a segment or a line. */
interface BarPart {
  readonly id: string;
  /** Its name, its tokens and its meaning. */
  readonly words: string;
}

/** The parts of the bar from left to right, without those of no width. */
function barParts(
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
  // A line comes before the segment that begins at it, whatever rounding does to their places.
  return [...lines, ...pieces].toSorted((a, b) => placeOnBar(a.at) - placeOnBar(b.at));
}

function placeOnBar(at: number): number {
  return Math.round(at * 1e6);
}

function segmentId({ name }: Segment): string {
  return `segment-${name}`;
}

function markId({ name }: Mark): string {
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
    isOver ? 'more than a request may hold: something must be removed' : SEGMENT_MEANINGS[name],
  ].join(' · ');
}

export interface ReadBarProps extends Omit<WindowBarProps, 'onRead'> {
  /** Shown below the bar while nothing on it is pointed at. */
  readonly resting: string;
}

/**
 * Draws the bar with a line of its own for the part under the pointer, for views that have no other
 * line for it.
 */
export function ReadBar({ resting, ...bar }: ReadBarProps): VNode {
  const [read, setRead] = useState<string | undefined>(undefined);
  return (
    <>
      <WindowBar {...bar} onRead={setRead} />
      <div class={read === undefined ? 'takes-turns small' : 'takes-turns other small'}>
        <p class="resting quiet">{resting}</p>
        <p class="readout" title={read} data-testid="bar-readout">
          {read}
        </p>
      </div>
    </>
  );
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

/**
 * Where the newest turns begin, the two watermarks and the budget, from left to right; also the
 * window's end if it is overrun.
 */
export function marksOf(balance: Balance, recent?: RecentTurns): readonly Mark[] {
  const scale = scaleOf(balance);
  const mark = (name: MarkName, tokens: number): Mark => ({
    name,
    tokens,
    label: `${name} ${formatNumber(tokens)}`,
    meaning: MARK_MEANINGS[name],
    at: Math.min(1, Math.max(0, tokens / scale)),
  });
  const marks = [
    ...(recent === undefined ? [] : [edgeOf(balance, recent)]),
    mark('low', balance.lowTokens),
    mark('high', balance.highTokens),
    mark('budget', balance.inputBudget),
    ...(scale > balance.contextWindowTokens ? [mark('window', balance.contextWindowTokens)] : []),
  ];
  return marks.toSorted((a, b) => a.at - b.at);
}

/** The edge between older and newest turns: the newest blocks are the last of the used part. */
function edgeOf(balance: Balance, { turns, tokens }: RecentTurns): Mark {
  return {
    name: 'recent',
    tokens,
    label: turns === 1 ? 'last turn' : `last ${turns} turns`,
    meaning: MARK_MEANINGS.recent,
    at: Math.min(1, Math.max(0, (balance.used.tokens - tokens) / scaleOf(balance))),
  };
}
