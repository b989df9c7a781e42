import {
  type Admission,
  isInWindow,
  type Block,
  type BlockId,
  type StepBlock,
  type ToolPair,
  type ToolUse,
} from '../block';
import { blockText } from '../blockText';
import { asAdmitted, hasLeft, isCut } from '../blockChanges';
import { blocksInWindow, type ContextWindow, type FileCall, type Refault } from '../window';
import { callEffectOf, overlap, type CallEffect, type LineRange } from '../callEffect';
import { type KnownLine, linesWithin } from '../files/knownFile';
import { visibleLines } from '../files/fileModel';
import type { Action, Pass } from '../plan';
import { byChunk } from '../persistentList';

/** How often removed content was needed again, by how it came back. */
interface RefaultCounts {
  readonly recalls: number;
  readonly reads: number;
  readonly all: number;
}

/** Counts refaults by kind. */
export function refaultCounts(refaults: readonly Refault[]): RefaultCounts {
  const count = (wanted: Refault['by']) => refaults.filter(({ by }) => by === wanted).length;
  return countsOf(count('recall'), count('read'));
}

const countsInChunks = byChunk(refaultCounts);

/** Counts all refaults of a session so far. */
export function allRefaultCounts({ refaults }: Pick<ContextWindow, 'refaults'>): RefaultCounts {
  const counts = countsInChunks(refaults);
  const sum = (what: keyof RefaultCounts) => counts.reduce((all, each) => all + each[what], 0);
  return countsOf(sum('recalls'), sum('reads'));
}

function countsOf(recalls: number, reads: number): RefaultCounts {
  return { recalls, reads, all: recalls + reads };
}

/**
 * The texts that came back with a refault: the lines that had been in the window, or the results of
 * the calls that asked for them. Empty while there is no result.
 */
export function textsOfRefault(
  { blocks }: Pick<ContextWindow, 'blocks'>,
  { step, by, what, text }: Refault,
): readonly string[] {
  if (text !== undefined) return [text];
  const asking = blocks.findLast((block) => block.kind === 'step' && block.step === step);
  if (asking?.kind !== 'step') return [];
  return asking.pairs.flatMap(({ use, result }) => {
    const effect = callEffectOf(use);
    const isAsking =
      by === 'read'
        ? effect.kind === 'read' && effect.path === what
        : effect.kind === 'recall' && (effect.handle ?? effect.pattern) === what;
    return isAsking && result !== undefined ? [result.text] : [];
  });
}

/** Finds removed content that a new step asks for again. */
export function refaultsOf(window: ContextWindow, step: StepBlock): readonly Refault[] {
  return step.pairs.flatMap(({ use }): Refault[] => {
    const found = soughtBy(window, callEffectOf(use));
    return found === undefined ? [] : [{ step: step.step, ...found, ...takerOf(window, found) }];
  });
}

/**
 * Finds the removed text, by its handle, in which an answered search by regular expression found
 * something first. The expression comes from the model and may never end, and a log is folded again
 * whenever it is opened, so it is never run here.
 */
export function refaultsOfSearch(
  window: ContextWindow,
  step: number,
  use: ToolUse,
  recalled: readonly string[],
): readonly Refault[] {
  const effect = callEffectOf(use);
  if (!isRegexSearch(effect)) return [];
  for (const handle of recalled) {
    const blockId = holderOf(window, handle);
    if (blockId === undefined || isTakenByUser(window, blockId)) continue;
    const by = 'recall';
    return [{ step, blockId, by, what: effect.pattern, ...takerOf(window, { blockId }) }];
  }
  return [];
}

/** What a pass does that removes nothing. */
const REMOVES_NOTHING: ReadonlySet<Action> = new Set(['keep', 'restore', 'rewrite']);

/** A cache: in a long session each step looks through all passes. */
const TAKEN = new WeakMap<Pass, ReadonlySet<BlockId>>();

/** The blocks of which a pass removed something. */
function takenBy(pass: Pass): ReadonlySet<BlockId> {
  const known = TAKEN.get(pass);
  if (known !== undefined) return known;
  const removed = pass.decisions.filter(({ action }) => !REMOVES_NOTHING.has(action));
  const taken = new Set(removed.map(({ blockId }) => blockId));
  TAKEN.set(pass, taken);
  return taken;
}

/** The last pass before another one, by its number, that removed something of a block. */
export function passThatTook(
  ledger: ContextWindow['ledger'],
  id: BlockId,
  before = Infinity,
): Pass | undefined {
  return ledger.findLast(({ pass }) => pass.number < before && takenBy(pass).has(id))?.pass;
}

/** Content that the user removed says nothing about a policy. */
function isTakenByUser({ decisions }: ContextWindow, id: BlockId): boolean {
  const rule = decisions.get(id)?.reason.rule;
  return rule === 'excludedByUser' || rule === 'clearedByUser';
}

/** The pass that had removed what was needed, and was not undone. */
function takerOf(
  { ledger }: ContextWindow,
  { blockId }: Pick<Refault, 'blockId'>,
): Pick<Refault, 'pass'> {
  const entry = ledger.findLast(
    ({ pass, undone }) => undone !== true && takenBy(pass).has(blockId),
  );
  return entry === undefined ? {} : { pass: entry.pass.number };
}

function soughtBy(
  window: ContextWindow,
  effect: CallEffect,
): Omit<Refault, 'step' | 'pass'> | undefined {
  if (effect.kind === 'read') {
    const lost = lostRead(window, effect);
    if (lost === undefined || isTakenByUser(window, lost.blockId)) return undefined;
    return { ...lost, by: 'read', what: effect.path };
  }
  if (effect.kind !== 'recall') return undefined;
  // The answer says what a regular expression found.
  if (isRegexSearch(effect)) return undefined;
  const what = effect.handle ?? effect.pattern;
  // A list alone asks for nothing.
  if (what === undefined) return undefined;
  const blockId =
    effect.handle === undefined ? holderOfText(window, what) : holderOf(window, effect.handle);
  if (blockId === undefined || isTakenByUser(window, blockId)) return undefined;
  return { blockId, by: 'recall', what };
}

/**
 * Says whether a call searches everything that was removed. A search within one handle asks for
 * that handle, whatever it finds.
 */
function isRegexSearch(
  effect: CallEffect,
): effect is Extract<CallEffect, { readonly kind: 'recall' }> & { readonly pattern: string } {
  return effect.kind === 'recall' && effect.handle === undefined && effect.isRegex === true;
}

/** The block of a handle, if the content that it names was removed. */
function holderOf(window: ContextWindow, handle: string): BlockId | undefined {
  for (const block of window.blocks) {
    if (block.id === handle) return hasLeft(window, block) ? block.id : undefined;
    if (block.kind !== 'step') continue;
    const pair = block.pairs.find(({ use }) => use.id === handle);
    if (pair !== undefined)
      return isShown(block, pair) && !isCut(window, block) ? undefined : block.id;
  }
  return undefined;
}

/** The newest block whose removed text contains the query. */
function holderOfText(window: ContextWindow, words: string): BlockId | undefined {
  return window.blocks.findLast((block) =>
    removedTexts(window, block).some((text) => text.includes(words)),
  )?.id;
}

/**
 * The texts of a block that were in the window and no longer are. What was cut on arrival was never
 * there. Summaries and excerpts have no such texts, since they stand for other blocks.
 */
function removedTexts(window: ContextWindow, block: Block): readonly string[] {
  if (block.kind === 'summary' || block.kind === 'excerpts' || !hasLeft(window, block)) return [];
  const arrived = isCut(window, block) ? asAdmitted(window, block) : block;
  if (arrived.kind !== 'step') {
    return 'admission' in arrived ? shownPieces(arrived.text, arrived.admission) : [];
  }
  const isOut = !isInWindow(block) || isCut(window, block);
  const own = isInWindow(block) ? [] : [blockText({ ...arrived, pairs: [] })];
  const results = arrived.pairs.flatMap(({ use, result }, at) => {
    const isGone = isOut || (block.kind === 'step' && block.pairs[at]?.cleared === true);
    if (result === undefined || !isGone) return [];
    const call = isInWindow(block) ? [] : [JSON.stringify(use.input)];
    return [...call, ...shownPieces(result.text, result.admission)];
  });
  return [...own, ...results];
}

/** The parts of a text that its admission let into the window. */
function shownPieces(text: string, admission: Admission): readonly string[] {
  if (admission.form === 'whole') return [text];
  const { headChars, tailChars } = admission;
  return [text.slice(0, headChars), text.slice(text.length - tailChars)];
}

/**
 * The newest block that showed some of the requested lines, if they are no longer in the window,
 * and the text of those lines if the file model knows them. A file that changed since is read for
 * its new content, which is not a refault.
 */
function lostRead(
  window: ContextWindow,
  { path, lines }: Extract<CallEffect, { readonly kind: 'read' }>,
): Pick<Refault, 'blockId' | 'text'> | undefined {
  // Nothing was removed before the first pass.
  if (window.ledger.length === 0) return undefined;
  for (let call = window.fileCalls.get(path); call !== undefined; call = call.earlier) {
    const block = stepOf(window, call);
    if (block === undefined) continue;
    for (const { pair, effect } of fileCallEffectsOf(block)) {
      if (effect.path !== path) continue;
      if (effect.kind !== 'read') return undefined;
      if (block.state === 'undone') continue;
      if (!overlap(effect.lines, lines)) continue;
      if (isShown(block, pair)) return undefined;
      const lost = lostLines(window, path, lines);
      if (lost === undefined) return { blockId: block.id };
      return lost.length === 0
        ? undefined
        : { blockId: block.id, text: lost.map(({ text }) => text).join('\n') };
    }
  }
  return undefined;
}

/**
 * The lines of a range that were in the window and no longer are; undefined if no call has shown
 * the file's line numbers.
 */
function lostLines(
  window: ContextWindow,
  path: string,
  lines: LineRange | undefined,
): readonly KnownLine[] | undefined {
  const file = window.files.get(path);
  if (file === undefined || file.runs.every(({ first }) => first === undefined)) return undefined;
  const shown = linesWithin(file, lines).filter(
    ({ seen }) => seen.in !== 'cut' && seen.in !== 'unseen',
  );
  if (shown.length === 0) return shown;
  const isVisible = visibleLines(blocksInWindow(window));
  return shown.filter((line) => !isVisible(line));
}

function stepOf({ blocks }: ContextWindow, { step, place }: FileCall): StepBlock | undefined {
  return blocks.find(
    (block): block is StepBlock => block.kind === 'step' && block.id === step,
    place,
  );
}

/** Records the files that the tools of a new step are called on. */
export function withFileCalls(
  { fileCalls, blocks }: ContextWindow,
  { id: step, pairs }: StepBlock,
): ContextWindow['fileCalls'] {
  const paths = pairs.flatMap(({ use }) => {
    const effect = callEffectOf(use);
    return isOfFile(effect) ? [effect.path] : [];
  });
  return fileCalls.with(
    [...new Set(paths)].map((path) => {
      const earlier = fileCalls.get(path);
      const call = { step, place: blocks.length, ...(earlier === undefined ? {} : { earlier }) };
      return [path, call] as const;
    }),
  );
}

/** A call that read or changed a file successfully. */
interface FileCallEffect {
  readonly pair: ToolPair;
  readonly effect: EffectOnFile;
}

type EffectOnFile = Extract<CallEffect, { readonly kind: 'read' | 'edit' | 'write' }>;

function isOfFile(effect: CallEffect): effect is EffectOnFile {
  return effect.kind === 'read' || effect.kind === 'edit' || effect.kind === 'write';
}

/** A cache, because every step looks through all earlier steps. */
const FILE_CALL_EFFECTS = new WeakMap<readonly ToolPair[], readonly FileCallEffect[]>();

/** The file calls of a step, newest first. */
function fileCallEffectsOf({ pairs }: StepBlock): readonly FileCallEffect[] {
  const known = FILE_CALL_EFFECTS.get(pairs);
  if (known !== undefined) return known;
  const effects = pairs.toReversed().flatMap((pair): FileCallEffect[] => {
    const effect = callEffectOf(pair.use);
    return isOfFile(effect) && hasContent(pair) ? [{ pair, effect }] : [];
  });
  FILE_CALL_EFFECTS.set(pairs, effects);
  return effects;
}

/** A failed read showed nothing, and a failed edit changed nothing. */
function hasContent({ result }: ToolPair): boolean {
  return result !== undefined && !result.isError;
}

function isShown(step: StepBlock, pair: ToolPair): boolean {
  return isInWindow(step) && !pair.cleared;
}
