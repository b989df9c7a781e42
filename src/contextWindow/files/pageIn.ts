import type { HiddenFile, ShownLines, ToolResult, ToolUseId } from '../block';
import type { Budget } from '../budget';
import { callEffectOf } from '../callEffect';
import type { FileView } from '../plan';
import type { Estimate } from '../truncate';
import { blocksInWindow, type ContextWindow, latestStep } from '../window';
import { visibleLines, withCall } from './fileModel';
import { type KnownFile, linesWithin, type FileModel } from './knownFile';
import { bestRegions, byWish, joinedRegions, regionsOf } from './regions';

/** What comes with the answer to an edit takes at most this share of the input budget, and so many tokens. */
const MOST_SHARE = 0.05;
const MOST_TOKENS = 4_000;

/**
 * Where the window shows more than this share of the known lines of a file, only those are added that
 * are so near to a recent edit.
 */
const SHOWN_SHARE = 0.2;
const NEAR = 0.1;

/**
 * The lines of a file that come with the answer to an edit of it, since the window no longer shows
 * them; none for another call. The answer is the newest part of the request, so the prompt-cache prefix
 * holds. `asItIs` gives what is known of the file as the file is now.
 */
export function pageIn(
  window: ContextWindow,
  toolUseId: ToolUseId,
  result: ToolResult,
  { inputBudget }: Pick<Budget, 'inputBudget'>,
  estimate: Estimate,
  asItIs: (file: KnownFile) => KnownFile = (file) => file,
): readonly ShownLines[] {
  const step = latestStep(window);
  const pair = step?.pairs.find(({ use }) => use.id === toolUseId);
  if (step === undefined || pair === undefined) return [];
  const effect = callEffectOf(pair.use);
  if (effect.kind !== 'edit' || effect.replacements.length === 0) return [];
  const known = withCall(window.files, step, { ...pair, result }).get(effect.path);
  if (known === undefined) return [];
  const file = asItIs(known);
  const isVisible = visibleLines(blocksInWindow(window));
  const lines = file.runs.flatMap((run) => run.lines);
  const before = lines.filter((line) => line.edited !== step.step);
  if (before.length === 0) return [];
  const shown = before.filter(isVisible).length / before.length;
  const least = shown > SHOWN_SHARE ? NEAR : 0;
  const regions = regionsOf(file, step.step, false, window.fileChoices).filter(
    ({ lines: of, near }) => near >= least && !of.every(isVisible),
  );
  const room = Math.min(MOST_TOKENS, Math.floor(inputBudget * MOST_SHARE));
  const best = bestRegions(regions.toSorted(byWish), room, estimate);
  return joinedRegions(best.map(({ region }) => region)).map(({ path, first, text }) => ({
    path,
    ...(first === undefined ? {} : { first }),
    text,
    ...(file.onDisk === 'changedOutside' ? { changedOutside: true as const } : {}),
  }));
}

/** Says whether what a view says of files holds for them: each text at its number, and each note. */
export function showsAsIs({ shown, hidden }: FileView, files: FileModel): boolean {
  return (
    shown.every((lines) => isShownAsIs(lines, files.get(lines.path))) &&
    hidden.every(({ path, onDisk }) => whyNotShown(files.get(path)) === onDisk)
  );
}

/** Of a file that is only changed, lines could be shown, and a view that shows none says nothing of it. */
function whyNotShown(file: KnownFile | undefined): HiddenFile['onDisk'] {
  return file?.onDisk === 'changedOutside' ? undefined : file?.onDisk;
}

function isShownAsIs(
  { first, text, changedOutside }: ShownLines,
  file: KnownFile | undefined,
): boolean {
  if (file === undefined || (file.onDisk === 'changedOutside') !== (changedOutside === true))
    return false;
  // Files that were read have a number at every line.
  if (first === undefined) return false;
  const last = first + text.split('\n').length - 1;
  const now = linesWithin(file, { first, last });
  return now.map((line) => line.text).join('\n') === text;
}
