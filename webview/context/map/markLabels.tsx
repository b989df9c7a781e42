import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Mark } from './marks';
import { placeLabels, type PlacedLabel } from './placeLabels';

/** Least distance between two labels; CSS pixels. */
const GAP = 10;

export interface MarkLabelsProps {
  readonly marks: readonly Mark[];
  readonly bar: RefObject<HTMLElement | null>;
}

/** Writes the watermarks' and the budget's numbers below their lines, side by side at the least. */
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
