import { useState } from 'preact/hooks';

interface More {
  /** How many are shown. */
  readonly shown: number;
  /** How many are not. */
  readonly rest: number;
  readonly showMore: () => void;
}

/** Shows a long list a page at a time, so that drawing it stays cheap. */
export function useMore(total: number, page: number): More {
  const [wanted, setWanted] = useState(page);
  const shown = Math.min(total, wanted);
  return { shown, rest: total - shown, showMore: () => setWanted(wanted + page) };
}
