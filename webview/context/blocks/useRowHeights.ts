import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';

/** Heights of the rows, CSS pixels. */
export interface RowHeights {
  readonly block: number;
  readonly turn: number;
}

/** Works the heights of the rows out from the size of their letters, so that none need be measured. */
export function rowHeights(fontSize: number): RowHeights {
  return { block: Math.round(fontSize * 3.6), turn: Math.round(fontSize * 2.2) };
}

/** What VS Code writes in where nobody chose otherwise; CSS pixels. */
const USUAL_FONT_SIZE = 13;

/** Tells the heights of a list's rows. */
export function useRowHeights(list: RefObject<HTMLElement | null>): RowHeights {
  const [fontSize, setFontSize] = useState(USUAL_FONT_SIZE);
  useLayoutEffect(() => {
    const size = list.current === null ? NaN : parseFloat(getComputedStyle(list.current).fontSize);
    if (size > 0) setFontSize(size);
  }, []);
  return useMemo(() => rowHeights(fontSize), [fontSize]);
}
