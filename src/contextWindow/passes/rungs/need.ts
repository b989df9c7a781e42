import type { Block, BlockId, StepBlock, ToolPair } from '../../block';
import { callEffectOf, pathOf } from '../../callEffect';
import type { FileModel, KnownFile } from '../../files/knownFile';
import { byWish, highestScore, type Region, regionsOf, touchOf } from '../../files/regions';
import { scratchpadText } from '../../scratchpad';
import { blocksInWindow, type ContextWindow, latestPrompt } from '../../window';
import { OFTEN, timesNeeded, timesOfCall, type TimesNeeded } from '../oftenNeeded';
import { identifiersIn, type NumberedNames, numberedNamesIn } from './identifiers';

/** A file that the newest prompt or the scratchpad names is worth at least this. */
const NAMED = 0.8;
/**
 * Worth of the output of a command, search or listing, relative to a file read at the same time.
 */
const OUTPUT = 0.5;
/** Worth of the answer to an edit: little, since the call itself says what was written. */
const EDIT_ANSWER = 0.2;
/** How much truncation at admission lowers the worth of a result, as a power of the share shown. */
const CUT_POWER = 0.3;
/** Worth of content that was often needed again: the size of no other result outweighs it. */
const NEEDED_OFTEN = 10;

/**
 * When each file was last worked on, and what the user and agent talk about; places are 0 (oldest)
 * to 1.
 */
export interface LastUses {
  /** Place of every block in the window. */
  readonly placeOf: ReadonlyMap<BlockId, number>;
  /** Place of the newest edit of a path. */
  readonly lastEdit: ReadonlyMap<string, number>;
  /** Place of the newest call that names a path. */
  readonly lastNamed: ReadonlyMap<string, number>;
  /** The numbers that index `lastSpoken`. */
  readonly names: NumberedNames;
  /**
   * Place of the newest step that mentions an identifier, by its number in `names`; `WANTED` if the
   * newest prompt or the scratchpad mentions it, 0 if no step does.
   */
  readonly lastSpoken: Float64Array;
  /** Paths and identifiers that the newest prompt and the scratchpad mention. */
  readonly wanted: ReadonlySet<string>;
  /** How often content was needed again after a pass had removed it. */
  readonly needed: TimesNeeded;
}

/** The place of a name that is wanted now: after all others. */
export const WANTED = 2;

/** A cache: several rungs of one plan ask, and a window is immutable. */
const LAST_USES = new WeakMap<ContextWindow, LastUses>();

/** Collects once what the rules below ask about every block and result. */
export function lastUsesOf(window: ContextWindow): LastUses {
  const known = LAST_USES.get(window);
  if (known !== undefined) return known;
  const found = lookThrough(window);
  LAST_USES.set(window, found);
  return found;
}

function lookThrough(window: ContextWindow): LastUses {
  const blocks = blocksInWindow(window);
  const names = numberedNamesIn(window);
  const named = blocks.map((block) => names.of(block));
  const wanted = new Set(wantedNow(window));
  const lastSpoken = new Float64Array(names.count);
  const last = Math.max(1, blocks.length - 1);
  const placeOf = new Map<BlockId, number>();
  const lastEdit = new Map<string, number>();
  const lastNamed = new Map<string, number>();
  for (const [index, block] of blocks.entries()) {
    const place = blocks.length < 2 ? 1 : index / last;
    placeOf.set(block.id, place);
    if (block.kind !== 'step') continue;
    for (const name of named[index]?.said ?? []) lastSpoken[name] = place;
    for (const { use } of block.pairs) {
      const path = pathOf(use);
      if (path === undefined) continue;
      lastNamed.set(path, place);
      const { kind } = callEffectOf(use);
      if (kind === 'edit' || kind === 'write') lastEdit.set(path, place);
    }
  }
  for (const word of wanted) {
    const name = names.numberOf(word);
    if (name !== undefined) lastSpoken[name] = WANTED;
  }
  const needed = timesNeeded(window);
  return { placeOf, lastEdit, lastNamed, names, lastSpoken, wanted, needed };
}

/**
 * How likely the agent needs the text of a result verbatim, 0..1. An agent reads what it is about
 * to edit, so a read is as recent as the last work on its file; a file that the newest prompt names
 * counts as new.
 */
export function needOf(uses: LastUses, step: StepBlock, { use, result }: ToolPair): number {
  if (timesOfCall(uses.needed, use) >= OFTEN) return NEEDED_OFTEN;
  const place = uses.placeOf.get(step.id) ?? 0;
  const effect = callEffectOf(use);
  const shown = result?.admission.form === 'truncated' ? shareOf(result.admission) : 1;
  switch (effect.kind) {
    case 'read': {
      const worked = Math.max(place, uses.lastEdit.get(effect.path) ?? 0);
      const needed = isWanted(uses, effect.path) ? Math.max(NAMED, worked) : worked;
      return needed * shown ** CUT_POWER;
    }
    case 'edit':
    case 'write':
      return EDIT_ANSWER * place;
    case 'command':
    case 'search':
    case 'list':
    case 'recall':
    case 'scratchpad':
    case 'other':
      return OUTPUT * place * shown ** CUT_POWER;
  }
}

/** A cache: it is asked a thousand times about a few paths. */
const WANTED_PATHS = new WeakMap<LastUses['wanted'], Map<string, boolean>>();

/** Says whether the newest prompt or the scratchpad names a path. */
export function isWanted({ wanted }: LastUses, path: string): boolean {
  let paths = WANTED_PATHS.get(wanted);
  if (paths === undefined) WANTED_PATHS.set(wanted, (paths = new Map()));
  const known = paths.get(path);
  if (known !== undefined) return known;
  const found = isNamedBy(wanted, path);
  paths.set(path, found);
  return found;
}

function isNamedBy(wanted: ReadonlySet<string>, path: string): boolean {
  // A word names a path as a whole, or by its last folders and name.
  for (let at = 0; ;) {
    if (wanted.has(path.slice(at))) return true;
    const slash = path.indexOf('/', at);
    if (slash === -1) return false;
    at = slash + 1;
  }
}

/** A cache, since blocks are immutable and every plan asks again. */
const PATHS = new WeakMap<StepBlock, readonly string[]>();

/** The workspace paths of a step's calls, each once. */
export function pathsNamedBy(block: Block): readonly string[] {
  if (block.kind !== 'step') return [];
  const known = PATHS.get(block);
  if (known !== undefined) return known;
  const paths = [...new Set(block.pairs.flatMap(({ use }) => pathOf(use) ?? []))];
  PATHS.set(block, paths);
  return paths;
}

function shareOf(admission: { readonly tokensBefore: number; readonly tokensAfter: number }) {
  return Math.min(1, admission.tokensAfter / Math.max(1, admission.tokensBefore));
}

function wantedNow(window: ContextWindow): readonly string[] {
  const prompt = latestPrompt(window);
  const asked = prompt?.kind === 'prompt' || prompt?.kind === 'anchor' ? prompt.text : '';
  return identifiersIn(`${asked}\n${scratchpadText(window.scratchpad)}`);
}

/** The files in work, most likely to be needed first. */
export function filesInWork(window: ContextWindow): readonly KnownFile[] {
  const wanted = lastUsesOf(window);
  const touched = [...window.files.values()].map((file) => ({
    file,
    touch: touchOf(file, window.step, isWanted(wanted, file.path)),
  }));
  return touched.toSorted((a, b) => b.touch - a.touch).map(({ file }) => file);
}

/** How many files are cut into regions at first; doubled whenever those are not enough. */
const FIRST_FILES = 16;

/**
 * The known regions of files, best first as `byWish` sorts them. Cuts a file only when one of its
 * regions could be next, since most files of a long session were left long ago.
 */
export function* regionsInWork(window: ContextWindow, files: FileModel): Generator<Region, void> {
  const { step, fileChoices } = window;
  const wanted = lastUsesOf(window);
  const all = [...files.values()].map((file, place) => {
    const isNamed = isWanted(wanted, file.path);
    const most = fileChoices.has(file.path) ? Infinity : highestScore(file, step, isNamed);
    return { file, place, isNamed, most };
  });
  const placeOf = new Map(all.map(({ file, place }) => [file.path, place]));
  const byWishThenPlace = (a: Region, b: Region): number =>
    byWish(a, b) || (placeOf.get(a.path) ?? 0) - (placeOf.get(b.path) ?? 0);
  const waiting = all.filter(({ file }) => file.runs.length > 0);
  waiting.sort((a, b) => b.most - a.most);
  let cut: readonly Region[] = [];
  for (let from = 0, count = FIRST_FILES; from < waiting.length; from += count, count *= 2) {
    const regions = waiting
      .slice(from, from + count)
      .flatMap(({ file, isNamed }) => regionsOf(file, step, isNamed, fileChoices));
    cut = [...cut, ...regions].toSorted(byWishThenPlace);
    const next = waiting[from + count]?.most ?? -Infinity;
    // A file that the user has marked may have a region that comes before all others.
    const ready = cut.findIndex(
      ({ score, why }) => next === Infinity || (why.chosen !== true && score <= next),
    );
    yield* ready === -1 ? cut : cut.slice(0, ready);
    cut = ready === -1 ? [] : cut.slice(ready);
  }
}
