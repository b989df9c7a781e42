import { type BlockId, type NoteBlock, type NoteSource, blockHandle } from '../block';
import { blockText } from '../blockText';
import { NO_SUCH_BLOCK, refused, whyNotBack, whyTooMuch, type Refused } from './byHand';
import { findBlock } from '../contextWindow';
import type { NewEvent } from '../event';
import { labelOf } from '../label';
import { weighBlock } from '../account/measure';
import type { PolicyFacts } from './rungs/policyInput';
import { resultAllowance, resultCap } from '../account/admission';
import { admit } from '../truncate';

/**
 * Brings the text of a block that left back at the end of the window, where it costs nothing of the
 * prompt-cache prefix (I7). It is cut like a tool result; `capTokens` is the most one may take.
 */
export function recallByHand(
  input: PolicyFacts,
  id: string,
  capTokens: number,
): { readonly type: 'append'; readonly event: NewEvent } | Refused {
  const { window, measured, budget, estimate } = input;
  const block = findBlock(window, id as BlockId);
  if (block === undefined) return NO_SUCH_BLOCK;
  const why = whyNotBack(window, block);
  if (why !== undefined) return why;
  const text = blockText(block);
  if (text.trim() === '') return refused('There is no text in this block to bring back.');
  const noteId = `note-${window.note + 1}` as BlockId;
  const cap = resultCap(resultAllowance(input, capTokens, 1));
  const admission = admit(text, cap, estimate, blockHandle(noteId));
  const source: NoteSource = { from: 'recall', blockId: block.id, label: labelOf(block) };
  const note: NoteBlock = {
    kind: 'note',
    id: noteId,
    turn: window.turn,
    text,
    admission,
    source,
    pinned: false,
    state: admission.form,
  };
  const tokens = weighBlock(note, estimate);
  return (
    whyTooMuch(measured.used.tokens + tokens, tokens, budget) ?? {
      type: 'append',
      event: { type: 'noteAdded', source, text, admission },
    }
  );
}
