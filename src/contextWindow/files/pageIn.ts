import type { HiddenFile, ShownLines, ToolResult, ToolUseId } from '../block';
import type { Budget } from '../budget';
import { callEffectOf } from '../callEffect';
import type { Excerpts } from '../plan';
import type { Estimate } from '../truncate';
import { blocksInWindow, type ContextWindow, latestStep } from '../window';
import { visibleLines, withCall } from './fileModel';
import { type KnownFile, linesWithin, type FileModel } from './knownFile';
import { bestRegions, byWish, joinedRegions, regionsOf } from './regions';

/**
 * Lines sent with an edit's result: at most this share of the input budget and this many tokens.
 */
const MOST_SHARE = 0.05;
const MOST_TOKENS = 4_000;

/**
 * If the window shows more than this share of a file's known lines, only lines this near to a
 * recent edit are added.
 */
const SHOWN_SHARE = 0.2;
const NEAR = 0.1;

/**
 * The lines of a file that are sent with the result of an edit because the window no longer shows
 * them; none for other calls. The result is the newest part of the request, so the prompt-cache
 * prefix holds. `asItIs` matches what is known about a file to the file on disk.
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

/**
 * Says whether the excerpts are still true of the files: each text at its number, and each note.
 */
export function showsAsIs({ shown, hidden }: Excerpts, files: FileModel): boolean {
  return (
    shown.every((lines) => isShownAsIs(lines, files.get(lines.path))) &&
    hidden.every(({ path, onDisk }) => whyNotShown(files.get(path)) === onDisk)
  );
}

/** A changed file can still be shown, so it has no such note. */
function whyNotShown(file: KnownFile | undefined): HiddenFile['onDisk'] {
  return file?.onDisk === 'changedOutside' ? undefined : file?.onDisk;
}

function isShownAsIs(
  { first, text, changedOutside }: ShownLines,
  file: KnownFile | undefined,
): boolean {
  if (file === undefined || (file.onDisk === 'changedOutside') !== (changedOutside === true))
    return false;
  // Every line has a number after a read of the file.
  if (first === undefined) return false;
  const last = first + text.split('\n').length - 1;
  const now = linesWithin(file, { first, last });
  return now.map((line) => line.text).join('\n') === text;
}
