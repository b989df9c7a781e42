import { blocksInWindow, type ContextWindow } from '../../../contextWindow/window';
import {
  linesWithin,
  type KnownFile,
  type KnownLine,
} from '../../../contextWindow/files/knownFile';
import type { Lines } from '../../../contextWindow/files/fileChoices';
import { visibleLines } from '../../../contextWindow/files/fileModel';
import type { ChoiceState, FileChoiceView } from './state';

/**
 * Draws what the user says of each file, by path; undefined for a file of which nothing is known that
 * could be shown. `showsFiles`: whether passes show files.
 */
export function fileChoiceViews(
  window: ContextWindow,
  showsFiles: boolean,
): (path: string) => FileChoiceView | undefined {
  const isVisible = visibleLines(blocksInWindow(window));
  return (path) => {
    const file = window.files.get(path);
    if (file === undefined) return undefined;
    const chosen = window.fileChoices.get(path);
    const stateOf = (lines?: Lines): ChoiceState => {
      if (knownIn(file, lines).every(isVisible)) return 'shown';
      return showsFiles ? 'nextPass' : 'off';
    };
    return {
      choice: chosen?.whole ?? 'auto',
      state: stateOf(),
      lines: (chosen?.lines ?? [])
        .toSorted((a, b) => a.first - b.first)
        .map(({ first, last, choice }) => {
          const range = { first, last };
          return { range, choice, state: stateOf(range) };
        }),
    };
  };
}

function knownIn(file: KnownFile, lines: Lines | undefined): readonly KnownLine[] {
  return lines === undefined ? file.runs.flatMap((run) => run.lines) : linesWithin(file, lines);
}
