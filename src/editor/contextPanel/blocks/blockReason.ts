import { tokenText } from '../../../contextWindow/amount';
import {
  asksToGoOn,
  type Block,
  type FilesBlock,
  isInWindow,
  isOfReturn,
  isReminder,
  isThinking,
  type NoteSource,
  type SummaryBlock,
} from '../../../contextWindow/block';
import type { MemoryOrigin } from '../../../contextWindow/event';
import { viewSize, viewSizeText } from '../../../contextWindow/files/regions';
import type { Decision } from '../../../contextWindow/plan';
import { protectionOf, tierOf, WORKING_STEPS } from '../../../contextWindow/tier';
import type { ContextWindow } from '../../../contextWindow/window';

/**
 * Says in words a user would say why a block is in the window, or why it is not; `next` is what a
 * pass would do to it now.
 */
export function blockReason(window: ContextWindow, block: Block, next?: Decision): string {
  const reason = `${reasonForState(window, block, next)}${contextEditingText(block)}`;
  const isShort = block.kind === 'step' && block.thinkingDropped && block.parts.some(isThinking);
  if (block.state === 'trimmed') return reason;
  return isShort && isInWindow(block)
    ? `${reason}. Its thinking is not sent: it was bound to text before it that has changed`
    : reason;
}

/** The API answers with counts and never says which; so that is all there is to tell. */
function contextEditingText(block: Block): string {
  const edits = block.kind === 'step' ? (block.appliedEdits ?? []) : [];
  const words = edits.map(({ type, clearedToolUses, clearedThinkingTurns, clearedInputTokens }) => {
    const results = clearedToolUses === undefined ? [] : [`${clearedToolUses} tool results`];
    const turns =
      clearedThinkingTurns === undefined ? [] : [`thinking of ${clearedThinkingTurns} turns`];
    const tokens =
      clearedInputTokens === undefined ? '' : `, ${tokenText(clearedInputTokens)} tokens`;
    return `${[...results, ...turns].join(' and ') || type}${tokens}`;
  });
  return words.length === 0 ? '' : `. For this step the API left out: ${words.join('; ')}`;
}

function reasonForState(window: ContextWindow, block: Block, next: Decision | undefined): string {
  if (block.state !== 'whole') {
    const decision = window.decisions.get(block.id);
    if (decision !== undefined) return decision.reason;
  }
  switch (protectionOf(window, block)) {
    case 'keep:anchor':
      return 'The task: in every request, labelled as the original task';
    case 'keep:pinned':
      return 'Pinned by you';
    case 'keep:latestPrompt':
      return 'The newest prompt';
    case 'keep:openStep':
      return 'The newest step';
    case 'keep:memory':
      return block.kind === 'note'
        ? noteReason(block.source)
        : 'Project memory: what you want every step to know';
    case 'keep:restored':
      return 'Brought back by you: it stays until the model has read it. Pin it to keep it longer';
    case 'keep:unread':
      return unreadReason(block);
    case undefined:
      // A step that a pass would take now is not said to be there because of its tier.
      return next === undefined || block.kind !== 'step'
        ? unprotected(window, block)
        : `If a pass ran now: ${next.reason}`;
  }
}

function unprotected(window: ContextWindow, block: Block): string {
  switch (block.kind) {
    case 'summary':
      return writtenBy(block);
    case 'anchor':
      return 'The first prompt, unpinned: it may leave when room is needed';
    case 'prompt':
      return 'An earlier prompt';
    case 'note':
      return noteReason(block.source);
    case 'excerpts':
      return viewReason(block);
    case 'step':
      return tierOf(window, block) === 'working'
        ? `Recent: one of the last ${WORKING_STEPS} steps`
        : `Older than the last ${WORKING_STEPS} steps, and may leave when room is needed`;
  }
}

function viewReason({ step, shown }: FilesBlock): string {
  return `Shows ${viewSizeText(viewSize(shown))} in work, the likeliest to be needed, as they were after step ${step}`;
}

function writtenBy({ covers, writtenBy: writer, editedByUser }: SummaryBlock): string {
  const replaced = `Replaces ${covers.length} ${covers.length === 1 ? 'block' : 'blocks'}`;
  const edited = editedByUser === true ? '; edited by you' : '';
  return writer.by === 'model'
    ? `${replaced}; written by ${writer.model}${edited}`
    : `${replaced}; a work note, because ${writer.because}${edited}`;
}

/** Says why a note stays that the model has not read yet. */
function unreadReason(block: Block): string {
  if (asksToGoOn(block)) {
    return 'Asks the model to go on: it stays until the model has read it';
  }
  if (isReminder(block)) return 'A reminder: it stays until the model has read it';
  if (block.kind === 'note' && block.source.from === 'commandsEnded') {
    return 'Tells the model which commands in the background ended: it stays until the model has read it';
  }
  return isOfReturn(block)
    ? 'Tells the model how long nobody was here: it stays until the model has read it'
    : 'Brought back by you, after everything that was there: it stays until the model has read it';
}

/** Says how a memory file came to be told. */
export function originText(origin: MemoryOrigin): string {
  if (origin.how === 'begin') return 'in the workspace when the session began';
  return origin.step === 0
    ? 'allowed by you before the first step'
    : `allowed by you at step ${origin.step}`;
}

/** Says what a note is there for that may leave when room is needed. */
function noteReason(source: NoteSource): string {
  switch (source.from) {
    case 'reminder':
      return 'A reminder that the model has read';
    case 'said':
      return 'What you said while the agent worked';
    case 'filesRestored':
      return 'Told the model which files you put back';
    case 'commandsEnded':
      return 'Told the model which commands in the background had ended';
    case 'goOn':
      return 'Asked the model to go on where its reply or its turn had ended';
    case 'recall':
      return 'Brought back by you, after everything that was there';
    case 'return':
      return 'Told the model how long nobody was here, and what had changed';
    case 'memory':
      return source.origin === undefined
        ? 'Project memory: what you want every step to know'
        : `Project memory, ${originText(source.origin)}: what you want every step to know`;
    case 'handover':
      return 'The summary of the session that this one goes on with';
    case 'scratchpad':
      return source.handedOver === true
        ? 'The notes of the session that this one goes on with, until a pass shows them again'
        : 'Tells the model what you changed in its notes, until a pass shows them again';
  }
}
