import { isInWindow, type Block, type BlockId, type ToolPair } from '../block';
import type { ContextWindow, LedgerEntry } from '../contextWindow';
import { labelOf } from '../label';
import type { Decision } from '../plan';
import { withoutThinking } from '../thinking';

/** Says why a pass cannot be undone; undefined when it can. */
export function whyNotUndone(window: ContextWindow, number: number): string | undefined {
  const entry = window.ledger.find(({ pass }) => pass.number === number);
  if (entry === undefined) return `There is no pass ${number}.`;
  if (entry.undone === true) return `Pass ${number} is undone already.`;
  const touched = changedBy(entry);
  const later = window.ledger.find(
    (other) =>
      other.pass.number > number &&
      other.undone !== true &&
      other.former.some(({ block }) => touched.has(block.id) && isMoreThanThinking(other, block)),
  );
  if (later !== undefined) {
    return `Pass ${later.pass.number} went on from what pass ${number} left: undo that one first.`;
  }
  const held = heldBack(window, entry);
  return held === undefined
    ? undefined
    : `It would take away what you have pinned since: unpin it first (${labelOf(held)}).`;
}

/** A block that is pinned now, and of which the undo of a change by hand would take more than it gives. */
function heldBack({ blocks }: ContextWindow, { former }: LedgerEntry): Block | undefined {
  const formerOf = new Map(former.map(({ block }) => [block.id, block]));
  return blocks.find((block) => {
    const before = formerOf.get(block.id);
    if (before === undefined || !block.pinned || !isInWindow(block)) return false;
    return !isInWindow(before) || (before.state === 'cleared' && block.state !== 'cleared');
  });
}

/**
 * Brings back what a pass took, each block as it stood before it; its summaries leave. Thinking
 * stays away: once removed it may never return (I6). A pass that cannot be undone changes nothing.
 */
export function undoPass(window: ContextWindow, number: number): ContextWindow {
  const entry = window.ledger.find(({ pass }) => pass.number === number);
  if (entry === undefined || whyNotUndone(window, number) !== undefined) return window;
  const formerOf = new Map(entry.former.map((former) => [former.block.id, former]));
  const summaries = new Set<BlockId>(entry.pass.summaries.map(({ id }) => id));
  const decisions = new Map(window.decisions);
  const trimmed = new Set<BlockId>();
  let edited = false;
  const blocks = window.blocks.map((block): Block => {
    if (block.state === 'trimmed') trimmed.add(block.id);
    const back = summaries.has(block.id)
      ? ({ ...withoutExact(block), state: 'evicted' } as Block)
      : broughtBack(entry, block, formerOf.get(block.id)?.block);
    edited ||= back !== block;
    return edited ? withoutThinking(back) : back;
  });
  for (const { block, decision } of entry.former) {
    if (trimmed.has(block.id)) continue;
    if (decision === undefined) decisions.delete(block.id);
    else decisions.set(block.id, decision);
  }
  for (const id of summaries) decisions.set(id, undoneDecision(entry, id));
  return {
    ...window,
    blocks,
    decisions,
    ledger: window.ledger.map((other) => (other === entry ? { ...other, undone: true } : other)),
  };
}

/**
 * The block as it was, but for what has changed for good since: its pin, whether it is the anchor,
 * its lost thinking.
 */
function broughtBack(entry: LedgerEntry, block: Block, former: Block | undefined): Block {
  // What lost nothing but its thinking has nothing that could come back.
  if (former === undefined || !isMoreThanThinking(entry, block)) return block;
  const { pinned, kind } = block;
  const back = { ...withoutExact(former), pinned, kind } as Block;
  if (block.kind !== 'step' || back.kind !== 'step') return back;
  return {
    ...back,
    thinkingDropped: back.thinkingDropped || block.thinkingDropped || !isInWindow(block),
    pairs: back.pairs.map((pair, index) => withLateResult(pair, block.pairs[index])),
  };
}

/** A result that came in since the pass stays: a call must not lose its answer. */
function withLateResult(former: ToolPair, now: ToolPair | undefined): ToolPair {
  if (former.result !== undefined || now?.result === undefined) return former;
  return { ...former, result: now.result };
}

function changedBy({ former, pass }: LedgerEntry): ReadonlySet<BlockId> {
  return new Set([...former.map(({ block }) => block.id), ...pass.summaries.map(({ id }) => id)]);
}

/** Says whether a pass did more to a block than take its thinking, which does not come back anyway. */
function isMoreThanThinking({ pass }: LedgerEntry, { id }: Block): boolean {
  const action = pass.decisions.find(({ blockId }) => blockId === id)?.action;
  return action !== undefined && action !== 'keep' && action !== 'trim';
}

function undoneDecision({ pass }: LedgerEntry, id: BlockId): Decision {
  const tokens = 0;
  return {
    blockId: id,
    label: `Summary of pass ${pass.number}`,
    kind: 'summary',
    action: 'evict',
    rule: 'undone',
    reason: `You undid pass ${pass.number}: what it stood for is back`,
    before: { tokens, exact: false },
    after: { tokens, exact: true },
    wayBack: { handle: id },
  };
}

function withoutExact(block: Block): Omit<Block, 'exactTokens'> {
  const { exactTokens: _stale, ...rest } = block;
  return rest;
}
