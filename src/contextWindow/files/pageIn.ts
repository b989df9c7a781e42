import type { HiddenFile, ShownLines, ToolResult, ToolUseId } from '../block';
import type { Budget } from '../budget';
import { callEffectOf } from '../callEffect';
import type { Excerpts } from '../plan';
import type { Estimate } from '../truncate';
import { blocksInWindow, type ContextWindow, latestStep } from '../window';
import { visibleLines, withCall } from './fileModel';
import { type KnownFile, linesWithin, type FileModel } from './knownFile';
import { bestRegions, joinedRegions, type Region, regionsOf } from './regions';

/**
 * Lines sent with an edit's result: at most this share of the input budget and this many tokens.
 */
const MOST_SHARE = 0.1;
const MOST_TOKENS = 4_000;

/**
 * Edits of a file mostly go down it: of recorded edits of a file that had just been edited
 * elsewhere, five of six were below the last one. So a line above the edit counts as this many
 * times as far away.
 */
const ABOVE = 3;

/**
 * If the window shows more than this share of a file's known lines, only lines up to this far below
 * the edit are added, and a third as far above it: most of the next edits are there.
 */
const SHOWN_SHARE = 0.1;
const FARTHEST_LINES = 150;

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
  const farthest = shown > SHOWN_SHARE ? FARTHEST_LINES : Infinity;
  const edited = linesEdited(file, step.step);
  const regions = regionsOf(file, step.step, false, window.fileChoices)
    .filter((region) => !region.lines.every(isVisible))
    .map((region) => ({ region, lines: distanceOf(region, edited) }))
    .filter(({ lines }) => lines <= farthest)
    .toSorted(byWishThenDistance)
    .map(({ region }) => region);
  const room = Math.min(MOST_TOKENS, Math.floor(inputBudget * MOST_SHARE));
  const best = bestRegions(regions, room, estimate);
  return joinedRegions(best.map(({ region }) => region)).map(({ path, first, text }) => ({
    path,
    ...(first === undefined ? {} : { first }),
    text,
    ...(file.onDisk === 'changedOutside' ? { changedOutside: true as const } : {}),
  }));
}

/**
 * Successive lines that a step edited: their run, and their numbers or, if those are unknown, their
 * indices in the run.
 */
interface EditedLines {
  readonly run: number;
  readonly isNumbered: boolean;
  readonly first: number;
  readonly last: number;
}

function linesEdited({ runs }: KnownFile, step: number): readonly EditedLines[] {
  const edited: EditedLines[] = [];
  runs.forEach(({ first, lines }, run) => {
    const start = first ?? 0;
    let from: number | undefined;
    for (let index = 0; index <= lines.length; index += 1) {
      if (lines[index]?.edited === step) from ??= index;
      else if (from !== undefined) {
        const isNumbered = first !== undefined;
        edited.push({ run, isNumbered, first: start + from, last: start + index - 1 });
        from = undefined;
      }
    }
  });
  return edited;
}

/** The distance of a region from the nearest edited line, in lines; infinite if it is unknown. */
function distanceOf({ run, first, start, lines }: Region, edited: readonly EditedLines[]): number {
  const begin = first ?? start;
  const end = begin + lines.length - 1;
  let least = Infinity;
  for (const one of edited) {
    if (one.run !== run && !(one.isNumbered && first !== undefined)) continue;
    const away = one.last < begin ? begin - one.last : Math.max(0, one.first - end) * ABOVE;
    least = Math.min(least, away);
  }
  return least;
}

/** A region and its distance from the edit. */
interface AwayRegion {
  readonly region: Region;
  readonly lines: number;
}

/** Orders regions that the user wants shown first, then by distance, then by score. */
function byWishThenDistance(a: AwayRegion, b: AwayRegion): number {
  const wish = Number(b.region.why.chosen ?? false) - Number(a.region.why.chosen ?? false);
  // Two infinite distances have no difference.
  const nearer = a.lines === b.lines ? 0 : a.lines - b.lines;
  return wish || nearer || b.region.score - a.region.score;
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
