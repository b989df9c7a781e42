import { blockHandle, type BlockId, type NoteSource } from '../block';
import { noteBlock, noteId } from '../blockChanges';
import { blockText } from '../blockText';
import { NO_SUCH_BLOCK, whyNotBack, whyTooMuch } from './byHand';
import { findBlock } from '../window';
import type { NewEvent } from '../event';
import { labelOf } from '../label';
import { weighBlock } from '../account/guesses';
import type { PolicyFacts } from './rungs/policyInput';
import { resultAllowance, resultCap } from '../account/admission';
import { admit } from '../truncate';
import { refused, type Result } from '../result';

/**
 * Brings the text of a block that left back at the end of the window, where the prompt-cache prefix
 * is not touched (I7). It is cut like a tool result; `capTokens` is the most it may take.
 */
export function recallByHand(
  input: PolicyFacts,
  id: string,
  capTokens: number,
): Result<{ readonly event: NewEvent }> {
  const { window, measured, budget, estimate } = input;
  const block = findBlock(window, id as BlockId);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotBack(window, block);
  if (why !== undefined) return refused(why);
  const text = blockText(block);
  if (text.trim() === '') return refused('There is no text in this block to bring back.');
  const number = window.note + 1;
  const cap = resultCap(resultAllowance(input, capTokens, 1));
  const admission = admit(text, cap, estimate, blockHandle(noteId(number)));
  const source: NoteSource = { from: 'recall', blockId: block.id, label: labelOf(block) };
  const note = { source, text, admission };
  const tokens = weighBlock(noteBlock(window, { note: number, ...note }), estimate);
  const tooMuch = whyTooMuch(measured.used.tokens + tokens, tokens, budget);
  return tooMuch === undefined
    ? { ok: true, event: { type: 'noteAdded', ...note } }
    : refused(tooMuch);
}
