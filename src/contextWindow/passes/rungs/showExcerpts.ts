import type { Block, BlockId, HiddenFile, ShownLines, ToolPair } from '../../block';
import { callEffectOf, pathOf } from '../../callEffect';
import { blocksInWindow, type ContextWindow } from '../../window';
import { choiceAt } from '../../files/fileChoices';
import { visibleLines } from '../../files/fileModel';
import {
  hasNumberedLines,
  type KnownFile,
  type KnownLine,
  type FileModel,
} from '../../files/knownFile';
import { bestRegions, headingsOf, joinedRegions, type Region } from '../../files/regions';
import { excerptsText } from '../../request/placeholder';
import { clearPairs, newestResults } from './clearResults';
import {
  changeAll,
  formOf,
  isOut,
  takeable,
  takeableSteps,
  weightIn,
  type BlockChange,
  type Draft,
  type Rung,
} from './draft';
import { pathsNamedBy, regionsInWork } from './need';
import { keepRecentTurns } from './recentTurns';

/** The share of the removable blocks below the low watermark that is reserved for excerpts. */
const RESERVE_SHARE = 0.8;

/**
 * Regions of a lower score are not shown, so a pass cuts deeper instead. Chosen on recorded sessions:
 * until the next pass, holding a region cost more than a tenth of the price of reading it again, and
 * of the regions with a lower score 1 in 100 was edited.
 */
const LEAST_SCORE = 0.015;

/** At most this many files are named without excerpts. */
const MOST_HIDDEN = 40;

/**
 * Runs the rungs, and fills the remaining room with excerpts of the files in work, as far as they are
 * worth their price.
 */
export function withExcerpts(rungs: readonly Rung[]): Rung {
  return (draft) => {
    const { excerptShare } = draft.input.settings;
    if (excerptShare === undefined || draft.used <= draft.target)
      return keepRecentTurns(rungs)(draft);
    const without = evictFormerExcerpts(draft);
    // Pinned excerpts stay, and excerpts that an undo restored stay until read; no others are
    // added.
    if (hasExcerpts(without)) return keepRecentTurns(rungs)(draft);
    const reserve = reserveOf(without);
    const room = reserve > 0 ? ({ leavesRoom: true } as const) : {};
    const below = { ...without, ...room, target: without.target - reserve };
    const made = keepRecentTurns([clearHeld, ...rungs])(below);
    const most = Math.floor(draft.target * excerptShare);
    return showRegions(
      { ...made, target: draft.target },
      regionsInWork(draft.input.window, filesOf(draft)),
      most,
      LEAST_SCORE,
    );
  };
}

function reserveOf(draft: Draft): number {
  const free = takeable(draft).reduce((sum, { id }) => sum + weightIn(draft, id), 0);
  const room = Math.max(0, draft.target - (draft.used - free));
  return Math.min(Math.floor(room * RESERVE_SHARE), mostShown(draft));
}

/** Excerpts take at most this many tokens: the known characters, line breaks included. */
function mostShown(draft: Draft): number {
  let chars = 0;
  for (const { runs } of filesOf(draft).values()) {
    for (const { lines } of runs) for (const { text } of lines) chars += text.length + 1;
    // There is no room for more in any case.
    if (chars > draft.target) break;
  }
  return chars;
}

/** Evicts the excerpts of the pass before. */
export function evictFormerExcerpts(draft: Draft): Draft {
  const former = takeable(draft).filter(({ kind }) => kind === 'excerpts');
  const what = { action: 'evict', reason: { rule: 'evictFormerExcerpts' } } as const;
  return changeAll(
    draft,
    former.map(({ id }) => ({ id, weight: 0, what })),
  );
}

function hasExcerpts(draft: Draft): boolean {
  const { window } = draft.input;
  return blocksInWindow(window).some(({ kind, id }) => kind === 'excerpts' && !isOut(draft, id));
}

/** Clears reads whose lines the file model holds: the excerpts show those that are needed. */
export const clearHeld: Rung = (draft) => {
  if (draft.used <= draft.target) return draft;
  const newest = newestResults(draft);
  const mayBeShown = showableIn(draft);
  const isMeant = (pair: ToolPair) =>
    isHeld(pair) && !newest.has(pair.use.id) && mayBeShown(pathOf(pair.use) ?? '');
  const touched: BlockChange[] = [];
  for (const step of takeableSteps(draft)) {
    const cleared = clearPairs(draft, step, isMeant, { rule: 'clearHeldByExcerpts' });
    if (cleared !== undefined) touched.push(cleared);
  }
  return changeAll(draft, touched);
};

/** A cache, since each plan asks for every result again. */
const HELD = new WeakMap<ToolPair, boolean>();

/**
 * Says whether the file model holds the whole result: a read with line numbers, or the lines sent
 * with an edit's result.
 */
function isHeld(pair: ToolPair): boolean {
  const known = HELD.get(pair);
  if (known !== undefined) return known;
  const { use, result } = pair;
  const { kind } = callEffectOf(use);
  const found =
    result?.isError === false &&
    result.attachments === undefined &&
    (kind === 'read'
      ? hasNumberedLines(result.text)
      : kind === 'edit' && result.shown !== undefined);
  HELD.set(pair, found);
  return found;
}

/** Says for each path whether excerpts may show it: many results are about few files. */
function showableIn(draft: Draft): (path: string) => boolean {
  const { fileChoices } = draft.input.window;
  const files = filesOf(draft);
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const isKnown = (files.get(path)?.runs.length ?? 0) > 0;
    const isShowable = isKnown && choiceAt(fileChoices, path, undefined) !== 'never';
    known.set(path, isShowable);
    return isShowable;
  };
}

/**
 * Takes regions, best first, until the next one has less than the least score, which the user's choice
 * overrides; then calls `omitted`.
 */
function* worthShowing(
  regions: Iterable<Region>,
  leastScore: number,
  omitted: () => void,
): Generator<Region, void> {
  for (const region of regions) {
    if (region.score < leastScore && region.why.chosen !== true) return omitted();
    yield region;
  }
}

/**
 * Shows the best regions that are not visible otherwise, until the window is full to `most` tokens or
 * the next region has less than the least score.
 */
export function showRegions(
  draft: Draft,
  all: Iterable<Region>,
  most: number,
  leastScore = -Infinity,
): Draft {
  const { window, estimate } = draft.input;
  const id = nextExcerptsId(window);
  const staying = stayingIn(draft);
  const unnamed = unnamedBy(staying, draft);
  let omitsUnlikely: { readonly omitsUnlikely?: true } = {};
  const hidden = notYetVisible(all, visibleLines(staying));
  const regions = worthShowing(hidden, leastScore, () => (omitsUnlikely = { omitsUnlikely: true }));
  const empty = tokensAround([], draft, unnamed);
  const best = [...bestRegions(regions, most - draft.used - empty, estimate)];
  while (best.length > 0) {
    const chosen = best.map(({ region }) => region);
    const lines = best.reduce((sum, { tokens }) => sum + tokens, 0);
    let over = draft.used + tokensAround(chosen, draft, unnamed) + lines - most;
    if (over <= 0) {
      const shown = asFound(joinedRegions(chosen), draft);
      const content = { id, step: window.step, shown, hidden: hiddenOf(unnamed, chosen) };
      // The excerpts as sent count, which may take a little more than their regions.
      const tokens = estimate(excerptsText(content));
      over = draft.used + tokens - draft.target;
      if (over <= 0)
        return {
          ...draft,
          used: draft.used + tokens,
          excerpts: { ...content, tokens, ...omitsUnlikely },
        };
    }
    // Headings take tokens too: the last regions are dropped for them.
    while (over > 0 && best.length > 0) over -= best.pop()?.tokens ?? 0;
  }
  return draft;
}

function* notYetVisible(
  regions: Iterable<Region>,
  isVisible: (line: KnownLine) => boolean,
): Generator<Region, void> {
  for (const region of regions) if (!region.lines.every(isVisible)) yield region;
}

/** Tokens of excerpts apart from the lines of their regions. */
function tokensAround(
  regions: readonly Region[],
  draft: Draft,
  unnamed: readonly KnownFile[],
): number {
  const { window, estimate } = draft.input;
  const [shown, hidden] = [asFound(headingsOf(regions), draft), hiddenOf(unnamed, regions)];
  return estimate(excerptsText({ step: window.step, shown, hidden }));
}

/** Marks files that something other than the agent changed. */
function asFound<L extends ShownLines>(shown: readonly L[], draft: Draft): readonly L[] {
  const files = filesOf(draft);
  return shown.map((lines) =>
    files.get(lines.path)?.onDisk === 'changedOutside'
      ? { ...lines, changedOutside: true as const }
      : lines,
  );
}

/** Excerpts are named after the pass that adds them. */
function nextExcerptsId({ ledger }: ContextWindow): BlockId {
  return `files-${Math.max(0, ...ledger.map(({ pass }) => pass.number)) + 1}` as BlockId;
}

function stayingIn(draft: Draft): readonly Block[] {
  return blocksInWindow(draft.input.window)
    .filter(({ id }) => !isOut(draft, id))
    .map((block) => formOf(draft, block));
}

/** The files that the window no longer names, or names as if they existed; newest first. */
function unnamedBy(staying: readonly Block[], draft: Draft): readonly KnownFile[] {
  const named = new Set(staying.flatMap(pathsNamedBy));
  return [...filesOf(draft).values()]
    .filter(({ path, onDisk }) => !named.has(path) || isLost(onDisk))
    .toSorted((a, b) => Math.max(b.readAt, b.editedAt) - Math.max(a.readAt, a.editedAt));
}

/** What excerpts say about files that they do not show. */
function hiddenOf(
  unnamed: readonly KnownFile[],
  regions: readonly Region[],
): readonly HiddenFile[] {
  const shown = new Set(regions.map(({ path }) => path));
  return unnamed
    .filter(({ path }) => !shown.has(path))
    .slice(0, MOST_HIDDEN)
    .map(({ path, readAt, editedAt, onDisk }) => ({
      path,
      readAt,
      editedAt,
      ...(isLost(onDisk) ? { onDisk } : {}),
    }));
}

/** The window may name such a file as if it existed. */
function isLost(onDisk: KnownFile['onDisk']): onDisk is 'deleted' | 'unreadable' {
  return onDisk === 'deleted' || onDisk === 'unreadable';
}

/** The files as they are now if that is known, otherwise as in the log. */
function filesOf({ input }: Draft): FileModel {
  return input.files ?? input.window.files;
}
