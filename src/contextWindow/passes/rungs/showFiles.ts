import type { Block, BlockId, HiddenFile, ToolPair } from '../../block';
import { callEffectOf } from '../../callEffect';
import { blocksInWindow, type ContextWindow } from '../../contextWindow';
import type { FileModel } from '../../files/fileModel';
import type { KnownFile } from '../../files/knownFile';
import { numberedLines } from '../../files/numberedLines';
import { regionsOf, touchOf, type Region } from '../../files/regions';
import { bestRegions, joinedRegions, regionTokens } from '../../files/shownRegions';
import { visibleLines } from '../../files/visibleLines';
import type { FileView } from '../../plan';
import { filesText } from '../../request/placeholder';
import { clearPairs, clearableSteps, newestResults } from './clearResults';
import {
  changeAll,
  formOf,
  isOut,
  takeable,
  weightIn,
  type BlockChange,
  type Draft,
  type Rung,
} from './draft';
import { isWanted, lastUsesOf, pathsNamedBy } from './need';

/** Of what may leave below the low watermark, so much is kept free for the view. */
const RESERVE_SHARE = 0.8;

/** So many files are named that are not shown. */
const MOST_HIDDEN = 20;

/** Makes room by the rungs, and shows with what is left of it the likeliest lines of the files in work. */
export function withFileView(rungs: Rung): Rung {
  return (draft) => {
    const { fileViewShare } = draft.input.settings;
    if (fileViewShare === undefined || draft.used <= draft.target) return rungs(draft);
    const without = evictFormerView(draft);
    const made = rungs(clearHeld({ ...without, target: without.target - reserveOf(without) }));
    return showFiles({ ...made, target: draft.target }, Math.floor(draft.target * fileViewShare));
  };
}

function reserveOf(draft: Draft): number {
  const free = takeable(draft).reduce((sum, { id }) => sum + weightIn(draft, id), 0);
  const room = Math.max(0, draft.target - (draft.used - free));
  return Math.min(Math.floor(room * RESERVE_SHARE), mostShown(draft));
}

/** No view takes more tokens than this: what is known has so many characters, breaks included. */
function mostShown(draft: Draft): number {
  let chars = 0;
  for (const { runs } of filesOf(draft).values()) {
    for (const { lines } of runs) for (const { text } of lines) chars += text.length + 1;
    // There is no room for more in any case.
    if (chars > draft.target) break;
  }
  return chars;
}

function evictFormerView(draft: Draft): Draft {
  const former = takeable(draft).filter(({ kind }) => kind === 'files');
  const what = { action: 'evict', rule: 'evictFormerView' } as const;
  return changeAll(
    draft,
    former.map(({ id }) => ({ id, weight: 0, what })),
  );
}

/** Clears reads whose lines the file model holds: the view shows those that are needed. */
const clearHeld: Rung = (draft) => {
  if (draft.used <= draft.target) return draft;
  const newest = newestResults(draft);
  const touched = clearableSteps(draft).flatMap((step): BlockChange[] => {
    const isMeant = (pair: ToolPair) => !newest.has(pair.use.id) && isHeld(pair);
    const cleared = clearPairs(draft, step, isMeant, 'clearHeldByView');
    return cleared === undefined ? [] : [cleared];
  });
  return changeAll(draft, touched);
};

/** A cache, since each plan asks for every result again. */
const HELD = new WeakMap<ToolPair, boolean>();

/** Says whether the file model holds all that a result says: a read with line numbers. */
function isHeld(pair: ToolPair): boolean {
  const known = HELD.get(pair);
  if (known !== undefined) return known;
  const { use, result } = pair;
  const found =
    callEffectOf(use).kind === 'read' &&
    result?.isError === false &&
    result.attachments === undefined &&
    numberedLines(result.text).length > 0;
  HELD.set(pair, found);
  return found;
}

/** Shows the best regions that the window would not show otherwise. */
function showFiles(draft: Draft, most: number): Draft {
  const { window, estimate } = draft.input;
  const id = nextViewId(window);
  const isVisible = visibleLines(stayingIn(draft));
  const regions = regionsInWork(window, filesOf(draft)).filter(
    ({ lines }) => !lines.every(isVisible),
  );
  const empty = viewOf(id, draft, []);
  const chosen = [...bestRegions(regions, most - draft.used - empty.tokens, estimate)];
  while (chosen.length > 0) {
    const view = viewOf(id, draft, chosen);
    let over = draft.used + view.tokens - most;
    if (over <= 0) return { ...draft, used: draft.used + view.tokens, view };
    // Headings take tokens too: the last ones give way to them.
    while (over > 0 && chosen.length > 0) over -= regionTokens(chosen.pop() as Region, estimate);
  }
  return draft;
}

/** The files that were worked with, those first that are likeliest to be needed. */
export function filesInWork(window: ContextWindow): readonly KnownFile[] {
  const wanted = lastUsesOf(window);
  const touched = [...window.files.values()].map((file) => ({
    file,
    touch: touchOf(file, window.step, isWanted(wanted, file.path)),
  }));
  return touched.toSorted((a, b) => b.touch - a.touch).map(({ file }) => file);
}

/** What is known of files, in regions, the likeliest to be needed first. */
export function regionsInWork(window: ContextWindow, files: FileModel): readonly Region[] {
  const wanted = lastUsesOf(window);
  return [...files.values()]
    .flatMap((file) => regionsOf(file, window.step, isWanted(wanted, file.path)))
    .toSorted((a, b) => b.score - a.score);
}

/** Views are named after the pass that brings them in. */
function nextViewId({ ledger }: ContextWindow): BlockId {
  return `files-${Math.max(0, ...ledger.map(({ pass }) => pass.number)) + 1}` as BlockId;
}

function viewOf(id: BlockId, draft: Draft, regions: readonly Region[]): FileView {
  const { window, estimate } = draft.input;
  const paths = new Set(regions.map(({ path }) => path));
  const view = {
    id,
    step: window.step,
    shown: joinedRegions(regions).map((lines) =>
      filesOf(draft).get(lines.path)?.onDisk === 'changedOutside'
        ? { ...lines, changedOutside: true as const }
        : lines,
    ),
    hidden: hiddenIn(draft, paths),
  };
  return { ...view, tokens: estimate(filesText(view)) };
}

function stayingIn(draft: Draft): readonly Block[] {
  return blocksInWindow(draft.input.window).flatMap((block) =>
    isOut(draft, block.id) ? [] : [formOf(draft, block)],
  );
}

function hiddenIn(draft: Draft, shown: ReadonlySet<string>): readonly HiddenFile[] {
  const named = new Set(stayingIn(draft).flatMap(pathsNamedBy));
  return [...filesOf(draft).values()]
    .filter(({ path, onDisk }) => !shown.has(path) && (!named.has(path) || isLost(onDisk)))
    .toSorted((a, b) => Math.max(b.readAt, b.editedAt) - Math.max(a.readAt, a.editedAt))
    .slice(0, MOST_HIDDEN)
    .map(({ path, readAt, editedAt, onDisk }) => ({
      path,
      readAt,
      editedAt,
      ...(isLost(onDisk) ? { onDisk } : {}),
    }));
}

/** The window may name such a file as if it were there. */
function isLost(onDisk: KnownFile['onDisk']): onDisk is 'deleted' | 'unreadable' {
  return onDisk === 'deleted' || onDisk === 'unreadable';
}

/** The files as they are now where that is known, else as the log has them. */
function filesOf({ input }: Draft): FileModel {
  return input.files ?? input.window.files;
}
