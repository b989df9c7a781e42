import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Mark } from './marks';

/** Least distance between two labels; CSS pixels. */
const GAP = 10;

export interface MarkLabelsProps {
  readonly marks: readonly Mark[];
  readonly bar: RefObject<HTMLElement | null>;
}

/** Writes the watermarks' and the budget's numbers below their lines, without overlaps. */
export function MarkLabels({ marks, bar }: MarkLabelsProps): VNode {
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

/** The place of a label: its left edge, and its row when one row is too short for all. */
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
