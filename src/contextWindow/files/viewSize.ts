import type { ShownLines } from '../block';

/** How much of files is shown. */
export interface ViewSize {
  readonly lines: number;
  readonly files: number;
}

/** Says how much of files these lines are. */
export function viewSize(shown: readonly ShownLines[]): ViewSize {
  const lines = shown.reduce((sum, region) => sum + lineCount(region), 0);
  return { lines, files: new Set(shown.map(({ path }) => path)).size };
}

/** How many lines a part of a file has. */
export function lineCount({ text }: Pick<ShownLines, 'text'>): number {
  return text.split('\n').length;
}

/** "47 lines of 2 files". */
export function viewSizeText({ lines, files }: ViewSize): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'} of ${files} ${files === 1 ? 'file' : 'files'}`;
}
