import type { TimelinePoint } from '../../../src/protocol/timeline';

/** Steps that Page Up and Page Down pass over. */
const PAGE = 10;

/** What the keys can do to the timeline. */
export interface TimelineDeeds {
  /** Reads a step out; nothing, to read out the one the panel shows. */
  readonly choose: (step: number | undefined) => void;
  readonly travel: () => void;
}

/** Reads steps out with the arrow keys, from mark to mark with Shift, and travels with Enter. */
export function timelineKeys(
  event: KeyboardEvent,
  points: readonly TimelinePoint[],
  index: number,
  { choose, travel }: TimelineDeeds,
): void {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey) return;
  if (key === 'Enter' || key === ' ') travel();
  else if (key === 'Escape') choose(undefined);
  else {
    const to = event.shiftKey ? markedIndex(key, points, index) : indexFor(key, points, index);
    if (to === undefined) return;
    choose(points[Math.min(points.length - 1, Math.max(0, to))]?.step);
  }
  event.preventDefault();
}

function indexFor(
  key: string,
  { length }: readonly TimelinePoint[],
  index: number,
): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return index - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return index + 1;
    case 'PageDown':
      return index - PAGE;
    case 'PageUp':
      return index + PAGE;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
  }
  return undefined;
}

function markedIndex(
  key: string,
  points: readonly TimelinePoint[],
  index: number,
): number | undefined {
  const isMarked = ({ marks }: TimelinePoint): boolean => marks.length > 0;
  const at =
    key === 'ArrowLeft'
      ? points.slice(0, index).findLastIndex(isMarked)
      : key === 'ArrowRight'
        ? points.findIndex((point, each) => each > index && isMarked(point))
        : -1;
  return at === -1 ? undefined : at;
}
