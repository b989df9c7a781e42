import { admissionDecision } from './account/admission';
import {
  type AnchorBlock,
  type Block,
  blockHandle,
  type BlockId,
  isInWindow,
  type NoteBlock,
  type PromptBlock,
  resultHandle,
  type ToolPair,
  withoutThinking,
} from './block';
import type { EventOf } from './event';
import { PersistentMap } from './persistentMap';
import type { HandChange } from './handChanges';
import type { NewAdmission } from './plan';
import { type ContextWindow, findBlock } from './window';

/** Records the decision about a block that was truncated at admission. */
export function withDecision(window: ContextWindow, block: Block): ContextWindow {
  const decision = admissionDecision(block);
  if (decision === undefined) return window;
  return { ...window, decisions: window.decisions.with([[block.id, decision]]) };
}

export function addBlock(window: ContextWindow, block: Block): ContextWindow {
  return { ...window, blocks: window.blocks.concat([block]) };
}

export function replaceBlock(window: ContextWindow, block: Block): ContextWindow {
  // The newest block changes most often.
  const at = window.blocks.findLastIndex(({ id }) => id === block.id);
  if (at === -1) return window;
  return { ...window, blocks: window.blocks.withAll([[at, block]]) };
}

/** Records what a recorded API counted; the parts weigh as much from now on. */
export function takeRecordedCount(
  window: ContextWindow,
  { tokens, sizes }: Pick<EventOf<'recordedCounted'>, 'tokens' | 'sizes'>,
): ContextWindow {
  const known = window.recorded?.sizes ?? PersistentMap.of();
  const entries = sizes.map((size) => [size.part, size] as const);
  const { length: blocks } = window.blocks;
  return { ...window, recorded: { tokens, blocks, sizes: known.with(entries) } };
}

/** Drops a block's exact size, which was measured before a change. */
export function withoutExact<B extends Block>(block: B): B {
  const { exactTokens: _stale, ...rest } = block;
  return rest as B;
}

/** After a change before all steps no thinking is valid any more (I6). */
export function editFromStart(window: ContextWindow): ContextWindow {
  return { ...window, blocks: window.blocks.mapped(withoutThinking) };
}

/** Sends the secrets with these marks, and no others: blocks with a mark of another one change. */
export function withSentSecrets(window: ContextWindow, marks: readonly string[]): ContextWindow {
  const { sentSecrets: before = [] } = window;
  const changed = [
    ...before.filter((mark) => !marks.includes(mark)),
    ...marks.filter((mark) => !before.includes(mark)),
  ].map((mark) => JSON.stringify(mark).slice(1, -1));
  if (changed.length === 0) return window;
  let isBehind = false;
  const blocks = window.blocks.mapped((block) => {
    const text = JSON.stringify(block);
    const isChanged = changed.some((mark) => text.includes(mark));
    isBehind ||= isChanged;
    if (!isBehind) return block;
    return isChanged ? withoutExact(withoutThinking(block)) : withoutThinking(block);
  });
  return { ...window, blocks, sentSecrets: marks.length === 0 ? undefined : marks };
}

/**
 * Pins or unpins a block. Pinning restores a removed anchor, since a pinned anchor is in every
 * request.
 */
export function setPinned(window: ContextWindow, id: BlockId, pinned: boolean): ContextWindow {
  const block = findBlock(window, id);
  if (block === undefined || block.pinned === pinned || block.state === 'undone') return window;
  if (block.kind !== 'anchor') return replaceBlock(window, { ...block, pinned });
  // The anchor is labelled only while pinned, so its bytes change.
  if (!pinned || isInWindow(block)) {
    return editFromStart(replaceBlock(window, { ...withoutExact(block), pinned }));
  }
  const back = { ...withoutExact(block), pinned, state: block.admission.form };
  return editFromStart(withoutDecision(replaceBlock(window, back), back));
}

/** Makes another prompt the task: it is labelled, pinned, and restored if it was removed. */
export function moveAnchor(window: ContextWindow, id: BlockId): ContextWindow {
  const target = findBlock(window, id);
  if (target?.kind !== 'prompt' || target.state === 'undone') return window;
  const blocks = window.blocks.mapped((block): Block => {
    if (block.id === id) {
      const anchor = { ...withoutExact(target), kind: 'anchor', pinned: true } as const;
      return { ...anchor, state: target.admission.form };
    }
    return block.kind === 'anchor'
      ? { ...withoutExact(block), kind: 'prompt', pinned: false }
      : block;
  });
  if (isInWindow(target)) return editFromStart({ ...window, blocks });
  return editFromStart(withoutDecision({ ...window, blocks }, target));
}

/**
 * Undoes the move of the task: the former task has its pin as before, and a prompt that the move
 * had restored is removed again.
 */
export function moveAnchorBack(window: ContextWindow, former: BlockId): ContextWindow {
  const { blockId, moved, wasPinned = true } = window.handChanges.findLast(isStandingMove) ?? {};
  const back = moveAnchor(window, former);
  if (back === window) return window;
  const blocks = back.blocks.mapped((block): Block => {
    if (block.id === former) return { ...block, pinned: wasPinned };
    if (block.id !== blockId || moved === undefined || isInWindow(moved.block)) return block;
    return { ...block, state: moved.block.state };
  });
  const decisions =
    moved === undefined ? back.decisions : back.decisions.with([[moved.block.id, moved.decision]]);
  return { ...back, blocks, decisions };
}

/** Says whether a change moved the task and was not undone. */
export function isStandingMove({ kind, undone }: HandChange): boolean {
  return kind === 'anchor' && undone !== true;
}

/** Drops the decision that removed a block; a truncation at admission still applies. */
function withoutDecision(window: ContextWindow, block: AnchorBlock | PromptBlock): ContextWindow {
  const decisions = window.decisions.with([[block.id, admissionDecision(block)]]);
  return { ...window, decisions };
}

/**
 * The block as it was admitted: in the window, with its results, no text truncated further than at
 * admission. Its thinking stays out, because it may not be sent after a change (I6).
 */
export function asAdmitted(window: ContextWindow, block: Block): Block {
  const { exactTokens: _stale, ...rest } = block;
  const formers = formersOf(window, block);
  switch (rest.kind) {
    case 'summary':
    case 'excerpts':
      return { ...rest, state: 'whole' };
    case 'anchor':
    case 'prompt':
    case 'note': {
      const first = formers.find((former) => 'admission' in former);
      const admission = first?.admission ?? rest.admission;
      return { ...rest, admission, state: admission.form };
    }
    case 'step': {
      const steps = formers.filter((former) => former.kind === 'step');
      const pairs = rest.pairs.map((pair) => pairAsAdmitted(steps, pair));
      const isCut = pairs.some(({ result }) => result?.admission.form === 'truncated');
      return withoutThinking({ ...rest, pairs, state: isCut ? 'truncated' : 'whole' });
    }
  }
}

/** The block before each pass that changed it; before the first pass it was as admitted. */
function formersOf({ ledger }: ContextWindow, { id }: Block): readonly Block[] {
  return ledger.flatMap(({ former }) =>
    former.flatMap(({ block }) => (block.id === id ? [block] : [])),
  );
}

/** A result that arrived after a pass keeps its own admission. */
function pairAsAdmitted(
  steps: readonly { readonly pairs: readonly ToolPair[] }[],
  pair: ToolPair,
): ToolPair {
  const { heldByExcerpts: _before, ...rest } = pair;
  const { result } = rest;
  const whole = { ...rest, cleared: false };
  if (result === undefined) return whole;
  for (const { pairs } of steps) {
    const former = pairs.find(({ use }) => use.id === pair.use.id)?.result;
    if (former !== undefined)
      return { ...whole, result: { ...result, admission: former.admission } };
  }
  return whole;
}

/** Truncates texts of a block further than at admission; the log has them whole. */
export function shortened(block: Block, admissions: readonly NewAdmission[]): Block {
  const of = (handle: string) => admissions.find((cut) => cut.handle === handle)?.admission;
  const { exactTokens: _stale, ...rest } = block;
  switch (rest.kind) {
    case 'anchor':
    case 'prompt':
    case 'note': {
      const admission = of(blockHandle(rest.id));
      return admission === undefined ? block : { ...rest, admission, state: 'truncated' };
    }
    case 'step': {
      const pairs = rest.pairs.map((pair) => {
        const admission = of(resultHandle(pair.use.id));
        return admission === undefined || pair.result === undefined
          ? pair
          : { ...pair, result: { ...pair.result, admission } };
      });
      const state = rest.state === 'cleared' ? 'cleared' : 'truncated';
      return { ...rest, pairs, state };
    }
    case 'summary':
    case 'excerpts':
      return block;
  }
}

/**
 * Says whether a pass removed the block, or a part of it that can be recalled. An undone block
 * cannot be recalled: it returns only with its prompt.
 */
export function hasLeft(window: ContextWindow, block: Block): boolean {
  if (block.state === 'undone') return false;
  return !isInWindow(block) || block.state === 'cleared' || isCut(window, block);
}

/** Says whether a pass truncated the block; a text cut at admission was never in the window. */
export function isCut(window: ContextWindow, { id, state }: Block): boolean {
  const rule = window.decisions.get(id)?.reason.rule;
  return state === 'truncated' && (rule === 'shortenTask' || rule === 'shortenProtected');
}

/** Replaces a pair's result by a placeholder; `heldByExcerpts` says that the excerpts can show it. */
export function clearedPair(pair: ToolPair, heldByExcerpts: boolean): ToolPair {
  const { heldByExcerpts: _before, ...rest } = pair;
  return { ...rest, cleared: true, ...(heldByExcerpts ? { heldByExcerpts } : {}) };
}

/** The logged content of a new note. */
export type NewNote = Pick<EventOf<'noteAdded'>, 'note' | 'source' | 'text' | 'admission'>;

export function noteBlock(
  { turn }: ContextWindow,
  { note, source, text, admission }: NewNote,
): NoteBlock {
  const state = admission.form;
  return { kind: 'note', id: noteId(note), turn, text, admission, source, pinned: false, state };
}

export function noteId(note: number): BlockId {
  return `note-${note}` as BlockId;
}
