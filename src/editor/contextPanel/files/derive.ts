import type { ShownLines } from '../../../contextWindow/block';
import { choiceOf, type FileChoices, type Lines } from '../../../contextWindow/files/fileChoices';
import { visibleLines } from '../../../contextWindow/files/fileModel';
import {
  type KnownFile,
  type KnownLine,
  linesWithin,
  type RegionCause,
} from '../../../contextWindow/files/knownFile';
import { lineCount, touchesAt, excerptsSize } from '../../../contextWindow/files/regions';
import type { Excerpts } from '../../../contextWindow/plan';
import { hiddenWords } from '../../../contextWindow/request/placeholder';
import { blocksInWindow, type ContextWindow } from '../../../contextWindow/window';
import type {
  ChoiceState,
  ExcerptsView,
  FileChoiceView,
  ShownRegionView,
  ShownSizeView,
} from './state';

/** Draws the excerpts of a pass, with the user's current choices. */
export function excerptsView(view: Excerpts, choices: FileChoices): ExcerptsView {
  const { step, shown, hidden, omitsUnlikely } = view;
  return {
    ...shownSize(view),
    step,
    regions: shown.map((region): ShownRegionView => {
      const { path, why } = region;
      const range = rangeOf(region);
      return {
        path,
        range,
        lines: lineCount(region),
        why: `${regionReason(why, step)}${region.changedOutside === true ? CHANGED_OUTSIDE : ''}`,
        choice: range === undefined ? 'auto' : choiceOf(choices, path, range),
      };
    }),
    hidden: hidden.map((file) => ({ path: file.path, what: hiddenWords(file) })),
    ...(omitsUnlikely === undefined ? {} : { omitsUnlikely }),
  };
}

/** The file is not what the agent's calls have made of it. */
const CHANGED_OUTSIDE = '; something other than the agent changed the file';

/** Says how many lines the excerpts show. */
export function shownSize({ id, shown, tokens }: Excerpts): ShownSizeView {
  return { id, ...excerptsSize(shown), tokens };
}

/** Finds the excerpts of a block, also if it was removed or its pass was undone. */
export function excerptsOfBlock(
  { ledger }: Pick<ContextWindow, 'ledger'>,
  blockId: string,
): Excerpts | undefined {
  return ledger.find(({ pass }) => pass.excerpts?.id === blockId)?.pass.excerpts;
}

/** The line numbers of a part of a file; undefined if unknown. */
function rangeOf(lines: ShownLines): Lines | undefined {
  const { first } = lines;
  return first === undefined ? undefined : { first, last: first + lineCount(lines) - 1 };
}

/** Says why a region is shown, as of a step. */
export function regionReason(why: RegionCause, step: number): string {
  if (why.chosen === true) return 'You chose: always show';
  // Of a truncated result the read is known, but not whether the model saw the lines.
  const seen =
    why.seenAt === 0 ? 'these lines not read yet' : `last read or written at step ${why.seenAt}`;
  const parts = [touchText(why, step), ...editTexts(why), seen];
  return parts.join(', ');
}

/** The touch that counts most. */
function touchText(why: RegionCause, step: number): string {
  const { edited, read, named } = touchesAt(why, step);
  if (named > Math.max(edited, read)) return 'File named by the newest prompt or the notes';
  return edited >= read
    ? `File edited ${agoText(step - why.editedAt)}`
    : `File read ${agoText(step - why.readAt)}`;
}

function agoText(steps: number): string {
  if (steps <= 0) return 'in the newest step';
  return steps === 1 ? '1 step ago' : `${steps} steps ago`;
}

function editTexts({ edit }: RegionCause): readonly string[] {
  if (edit === undefined) return [];
  const { step, distance } = edit;
  if (distance === 0) return [`changed at step ${step}`];
  return [`near an edit of step ${step} (${distance} ${distance === 1 ? 'line' : 'lines'} away)`];
}

/**
 * Draws the user's choices for each file, by path; undefined for a file without known content.
 * `showsFiles`: whether passes show excerpts.
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
