import type { ShownLines, ToolResult, ToolUseId } from '../block';
import type { Budget } from '../budget';
import { callEffectOf } from '../callEffect';
import { blocksInWindow, latestStep, type ContextWindow } from '../contextWindow';
import type { Estimate } from '../truncate';
import { withCall } from './fileModel';
import type { KnownFile } from './knownFile';
import { regionsOf } from './regions';
import { bestRegions, byWish, joinedRegions } from './shownRegions';
import { visibleLines } from './visibleLines';

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
