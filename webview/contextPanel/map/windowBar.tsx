import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Balance } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatShare } from '../../kit/tokens';
import { MarkLabels } from './markLabels';
import type { RecentTurns } from '../../../src/editor/contextPanel/bar/state';
import { marksOf, type Mark } from './marks';
import {
  describeSegment,
  type Segment,
  estimatedPart,
  segmentTokens,
  type SegmentName,
} from './segments';

interface WindowBarProps {
  readonly balance: Balance;
  readonly segments: readonly Segment[];
  /** Absent where the settings keep none. */
  readonly recent: RecentTurns | undefined;
  /** Told what is pointed at; undefined while nothing is. */
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

/** One thing on the bar that can be pointed at: a segment or a line. */
interface BarPart {
  readonly id: string;
  /** Says what it is, how much, and what it means. */
  readonly words: string;
}

const MEANINGS: Readonly<Record<SegmentName, string>> = {
  tools: 'what the tools are, in every request',
  system: 'instructions and project memory, in every request',
  unrecorded:
    'counted by the recorded API beyond what the file holds, such as thinking; part of what it belongs to',
  scratchpad: "the agent's notes, which outlive what leaves",
  anchor: 'the task as it was set, in every request',
  summary: 'stands for blocks that were compacted',
  gapLines: 'lines that tell the model how many whole turns left, and where',
  excerpts: 'lines of files the agent works on, as they were at the last pass',
  archive: 'older blocks, the first to leave',
  working: 'the newest blocks, the last to leave',
  headroom: 'room that is left for the next request',
  reserved: 'kept free, no request may take it',
};

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

/** Names a segment among the parts. */
function segmentId({ name }: Segment): string {
  return `segment-${name}`;
}

/** Names a mark among the parts. */
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
    isOver ? 'more than a request may take: something has to leave' : MEANINGS[name],
  ].join(' · ');
}

export interface ReadBarProps extends Omit<WindowBarProps, 'onRead'> {
  /** Shown below the bar while nothing on it is pointed at. */
  readonly resting: string;
}

/**
 * Draws the bar with a line of its own for what is pointed at, where no other line can be used for
 * that.
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
