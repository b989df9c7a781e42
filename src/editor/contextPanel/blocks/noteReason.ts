import {
  asksToGoOn,
  isOfReturn,
  isReminder,
  type Block,
  type NoteSource,
} from '../../../contextWindow/block';
import type { MemoryOrigin } from '../../../contextWindow/event';

/** Says why a note stays that the model has not read yet. */
export function unreadReason(block: Block): string {
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
export function noteReason(source: NoteSource): string {
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
