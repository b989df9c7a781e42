import { type Block, type BlockId, isInWindow, type ToolPair, withoutThinking } from '../block';
import { blocksInWindow, type ContextWindow, type FormerBlock, type LedgerEntry } from '../window';
import { labelOf } from '../label';
import { formerScratchpadOf } from './undoPrompt';
import type { Decision } from '../plan';
import type { Refusal } from '../result';
import { passName, passTitle } from './passName';
import { PersistentList, rememberedFold } from '../persistentList';
import { PersistentMap } from '../persistentMap';
import { isShownOtherwise } from '../request/request';
import { isRulesShownOtherwise, rulesTextAfter, shownNow } from '../standingRules/standingRules';

/** Says why a pass cannot be undone; undefined if it can. */
export function whyNotUndone(window: ContextWindow, number: number): Refusal {
  const index = window.ledger.findIndex(({ pass }) => pass.number === number);
  return index === -1 ? `There is no pass ${number}.` : whyNotUndoneAt(window, index);
}

/** Says why the pass at an index of the ledger cannot be undone; undefined if it can. */
export function whyNotUndoneAt(window: ContextWindow, index: number): Refusal {
  const entry = window.ledger.at(index);
  if (entry === undefined) return 'There is no such pass.';
  const title = passTitle(entry.pass);
  if (entry.undone === true) return `${title} is already undone.`;
  const later = successorsIn(window).at(index);
  if (later !== undefined) {
    return `${passTitle(later.pass)} changed blocks that ${passName(entry.pass)} had changed. Undo that one first.`;
  }
  const behind = earlierUndone(window, entry, index);
  if (behind !== undefined) {
    return `${passTitle(behind.pass)} undid an earlier prompt since. Undo that one first.`;
  }
  const held = heldBack(window, entry);
  return held === undefined
    ? undefined
    : `A block pinned since then would be removed. Unpin it first (${labelOf(held)}).`;
}

/**
 * A later undo of an earlier prompt: the prompt of this pass would come back with nothing before
 * it.
 */
function earlierUndone(
  { ledger }: ContextWindow,
  { pass }: LedgerEntry,
  index: number,
): LedgerEntry | undefined {
  const { turn } = pass.undonePrompt ?? {};
  if (turn === undefined) return undefined;
  return ledger
    .toArray()
    .slice(index + 1)
    .findLast(
      ({ pass: later, undone }) => undone !== true && (later.undonePrompt?.turn ?? turn) < turn,
    );
}

/**
 * For each pass of a run in the ledger that undid a prompt, the later undo that has to be undone first.
 * `start`: the index of the first.
 */
export function earlierUndoneAfter(
  window: ContextWindow,
  entries: readonly LedgerEntry[],
  start: number,
): readonly (LedgerEntry | undefined)[] {
  return entries.flatMap((entry, at) =>
    entry.pass.undonePrompt === undefined ? [] : [earlierUndone(window, entry, start + at)],
  );
}

/** How passes build on each other. */
interface Successors {
  readonly of: PersistentList<LedgerEntry | undefined>;
  /** By block, the places in the ledger of the passes that changed or added it. */
  readonly left: PersistentMap<BlockId, readonly number[]>;
}

const successorsOf = rememberedFold(
  { of: PersistentList.of(), left: PersistentMap.of() } as Successors,
  ({ of, left }, entry: LedgerEntry) => {
    const { former, changed } = changesOf(entry);
    const ids = touchesExcerpts(entry) ? [...changed, ANY_EXCERPTS] : [...changed];
    // A pass that removed only thinking builds on nothing.
    const before = entry.undone === true ? [] : ids.flatMap((id) => left.get(id) ?? []);
    return {
      of: of
        .withAll(before.flatMap((at) => (of.at(at) === undefined ? [[at, entry] as const] : [])))
        .concat([undefined]),
      left: left.with(
        [...former.keys(), ...broughtInBy(entry), ...ids.slice(changed.size)].map((id) => [
          id,
          [...(left.get(id) ?? []), of.length],
        ]),
      ),
    };
  },
);

/**
 * Stands for the excerpts in the window: there is one block of them, and each builds on the last.
 */
const ANY_EXCERPTS = 'any excerpts' as BlockId;

function touchesExcerpts(entry: LedgerEntry): boolean {
  const { former, changed } = changesOf(entry);
  const isExcerpts = (id: BlockId) => former.get(id)?.block.kind === 'excerpts';
  return entry.pass.excerpts !== undefined || [...changed].some(isExcerpts);
}

/**
 * For each pass of the ledger, the first later one, not undone, that built on it. The panel asks
 * about every pass, so the fold is remembered.
 */
export function successorsIn({
  ledger,
}: Pick<ContextWindow, 'ledger'>): PersistentList<LedgerEntry | undefined> {
  return successorsOf(ledger).of;
}

/** A block that is pinned now and would lose more than it gains if the change were undone. */
function heldBack(window: ContextWindow, entry: LedgerEntry): Block | undefined {
  const { former } = changesOf(entry);
  return pinnedIn(window).find((block) => {
    const before = former.get(block.id)?.block;
    if (before === undefined) return false;
    return !isInWindow(before) || (before.state === 'cleared' && block.state !== 'cleared');
  });
}

/** The blocks that are pinned now and that one of the passes changed. */
export function pinnedAmong(
  window: ContextWindow,
  entries: readonly LedgerEntry[],
): readonly Block[] {
  return pinnedIn(window).filter(({ id }) => changedBy(entries).has(id));
}

const CHANGED = new WeakMap<readonly LedgerEntry[], ReadonlySet<BlockId>>();

function changedBy(entries: readonly LedgerEntry[]): ReadonlySet<BlockId> {
  const known = CHANGED.get(entries);
  if (known !== undefined) return known;
  const found = new Set(entries.flatMap(({ former }) => former.map(({ block }) => block.id)));
  CHANGED.set(entries, found);
  return found;
}

const PINNED = new WeakMap<ContextWindow, readonly Block[]>();

function pinnedIn(window: ContextWindow): readonly Block[] {
  const known = PINNED.get(window);
  if (known !== undefined) return known;
  const found = blocksInWindow(window).filter(({ pinned }) => pinned);
  PINNED.set(window, found);
  return found;
}

/**
 * Undoes a pass: restores each block as it was, and removes the summaries and excerpts of the pass.
 * The scratchpad is shown as before, unless a later pass has shown it again. Removed thinking never
 * returns (I6). A pass that cannot be undone changes nothing.
 */
export function undoPass(window: ContextWindow, number: number): ContextWindow {
  const entry = window.ledger.find(({ pass }) => pass.number === number);
  if (entry === undefined || whyNotUndone(window, number) !== undefined) return window;
  const formerOf = changesOf(entry).former;
  const broughtIn = new Set(broughtInBy(entry));
  const decisions = new Map<BlockId, Decision | undefined>();
  const trimmed = new Set<BlockId>();
  const scratchpad = formerScratchpadOf(window, entry) ?? shownWithout(window, entry);
  const shownRules = rulesWithout(window, entry);
  const hasAnchor = window.blocks.some(({ kind }) => kind === 'anchor');
  const backOf = (block: Block): Block =>
    broughtIn.has(block.id)
      ? ({ ...withoutExact(block), state: 'evicted' } as Block)
      : broughtBack(entry, block, formerOf.get(block.id)?.block, hasAnchor);
  const { scratchpadBehindAnchor } = { ...window, ...scratchpad };
  const rules = rulesTextAfter(window, shownRules, backOf);
  let edited =
    isShownOtherwise(window, { ...window, ...scratchpad }) ||
    isRulesShownOtherwise(window, rules, scratchpadBehindAnchor);
  const blocks = window.blocks.mapped((block): Block => {
    if (block.state === 'trimmed') trimmed.add(block.id);
    const back = backOf(block);
    edited ||= back !== block;
    return edited ? withoutThinking(back) : back;
  });
  for (const { block, decision } of entry.former) {
    if (trimmed.has(block.id)) continue;
    decisions.set(block.id, decision);
  }
  for (const id of broughtIn) decisions.set(id, undoneDecision(entry, id));
  return {
    ...window,
    ...scratchpad,
    ...(shownRules === window.shownRules ? {} : { shownRules }),
    blocks,
    decisions: window.decisions.with(decisions),
    // What this pass had removed no longer counts as needed again.
    refaults: window.refaults.filtered(({ pass }) => pass !== number),
    ledger: window.ledger.mapped((other) =>
      other === entry
        ? { ...other, undone: true, undoneAfter: window.ledger.length, counted: undefined }
        : other,
    ),
  };
}

/** The summaries and excerpts of a pass. */
function broughtInBy({ pass: { summaries, excerpts } }: LedgerEntry): readonly BlockId[] {
  return [...summaries.map(({ id }) => id), ...(excerpts === undefined ? [] : [excerpts.id])];
}

/** How the scratchpad is shown after the undo; undefined if that stays the same. */
function shownWithout(
  { ledger }: ContextWindow,
  entry: LedgerEntry,
): Omit<LedgerEntry['formerlyShown'], 'shownRules'> | undefined {
  // Undoing a prompt keeps the restored scratchpad.
  if (entry.pass.undonePrompt !== undefined) return undefined;
  if (!isNewest(ledger, entry)) return undefined;
  const { shownRules: _rules, ...formerlyShown } = entry.formerlyShown;
  return formerlyShown;
}

/** How the block of rules is shown after the undo. */
function rulesWithout(window: ContextWindow, entry: LedgerEntry): ContextWindow['shownRules'] {
  const { ledger, rules, shownRules } = window;
  if (!isNewest(ledger, entry)) return shownRules;
  const former = entry.formerlyShown.shownRules;
  // The user has switched the rules on since, so the block has all of them.
  return rules?.on === true && former?.state.on === false ? shownNow(window, rules) : former;
}

/** No later pass has shown scratchpad and rules again. */
function isNewest(ledger: ContextWindow['ledger'], entry: LedgerEntry): boolean {
  return ledger.findLast(({ undone }) => undone !== true) === entry;
}

/**
 * The block as it was, except for lasting changes since: its pin, whether it is the anchor, its
 * lost thinking.
 */
function broughtBack(
  entry: LedgerEntry,
  block: Block,
  former: Block | undefined,
  hasAnchor: boolean,
): Block {
  // A block that lost only its thinking has nothing to restore.
  if (former === undefined || !changesOf(entry).changed.has(block.id)) return block;
  const { pinned, kind } = block.state === 'undone' ? standingOf(former, hasAnchor) : block;
  const back = { ...withoutExact(former), pinned, kind } as Block;
  if (block.kind !== 'step' || back.kind !== 'step') return back;
  return {
    ...back,
    thinkingDropped: back.thinkingDropped || block.thinkingDropped || !isInWindow(block),
    pairs: back.pairs.map((pair, index) => withLateResult(pair, block.pairs[index])),
  };
}

/** A restored prompt has its pin again, and is the anchor again unless another prompt is. */
function standingOf(former: Block, hasAnchor: boolean): Pick<Block, 'pinned' | 'kind'> {
  return former.kind === 'anchor' && hasAnchor ? { kind: 'prompt', pinned: false } : former;
}

/** A result that came in since the pass stays: a call must not lose its answer. */
function withLateResult(former: ToolPair, now: ToolPair | undefined): ToolPair {
  if (former.result !== undefined || now?.result === undefined) return former;
  return { ...former, result: now.result };
}

/** What a pass changed, by block. */
interface Changes {
  readonly former: ReadonlyMap<BlockId, FormerBlock>;
  /** The blocks that lost more than thinking, which does not come back anyway. */
  readonly changed: ReadonlySet<BlockId>;
}

const CHANGES = new WeakMap<LedgerEntry, Changes>();

function changesOf(entry: LedgerEntry): Changes {
  const known = CHANGES.get(entry);
  if (known !== undefined) return known;
  const former = new Map(entry.former.map((each) => [each.block.id, each]));
  const more = entry.pass.decisions.filter(({ action }) => action !== 'keep' && action !== 'trim');
  const changed = more.map(({ blockId }) => blockId as BlockId).filter((id) => former.has(id));
  const changes = { former, changed: new Set(changed) };
  CHANGES.set(entry, changes);
  return changes;
}

function undoneDecision({ pass }: LedgerEntry, id: BlockId): Decision {
  const tokens = 0;
  return {
    blockId: id,
    label: `${id === pass.excerpts?.id ? 'Excerpts of' : 'Summary of'} ${passName(pass)}`,
    kind: id === pass.excerpts?.id ? 'excerpts' : 'summary',
    action: 'evict',
    reason: { rule: 'undone', pass: { trigger: pass.trigger, ordinal: pass.ordinal } },
    before: { tokens, exact: false },
    after: { tokens, exact: true },
    wayBack: { handle: id },
  };
}

function withoutExact(block: Block): Omit<Block, 'exactTokens'> {
  const { exactTokens: _stale, ...rest } = block;
  return rest;
}
