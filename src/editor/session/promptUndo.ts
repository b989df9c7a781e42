import type { BlockId } from '../../contextWindow/block';
import type { PromptContent } from '../../contextWindow/event';
import { findBlock } from '../../contextWindow/window';
import { turnsOf } from '../../contextWindow/plan';
import { effectsOfPrompt, whyNotUndoPrompt } from '../../contextWindow/passes/undoPrompt';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import type { SessionRun } from './sessionRun';

/**
 * Undoes a prompt with its steps, and returns it. Stops a turn that waits for its first answer; a
 * later one must be stopped first. `steps` is the number on the user's screen: if it has changed,
 * nothing is undone.
 */
export async function undoPrompt(
  run: SessionRun,
  blockId: string,
  steps: number,
): Promise<Result<{ readonly prompt: PromptContent }>> {
  const { window } = run;
  const prompt = findBlock(window, blockId as BlockId);
  const why = whyNotUndoPrompt(window, blockId) ?? whyNotNow(run, blockId, steps);
  if (why !== undefined) return refused(why);
  if (run.isBusy) await run.end();
  const refusal = await run.byHand.undoPrompt(blockId);
  if (refusal !== undefined) return refused(refusal);
  if (prompt?.kind !== 'prompt' && prompt?.kind !== 'anchor')
    return { ok: true, prompt: { text: '' } };
  const { text, attachments } = prompt;
  return { ok: true, prompt: { text, attachments } };
}

/** Restores an undone prompt with all its steps, or says why not. */
export function restorePrompt(run: SessionRun, blockId: string): Refusal {
  const turn = findBlock(run.window, blockId as BlockId)?.turn;
  const entry = run.window.ledger.findLast(
    ({ pass: { undonePrompt }, undone }) =>
      undonePrompt !== undefined &&
      undone !== true &&
      turn !== undefined &&
      turnsOf(undonePrompt).includes(turn),
  );
  return entry === undefined ? 'This prompt is not undone.' : run.undoPass(entry.pass.number);
}

/** Why a prompt cannot be undone now. */
function whyNotNow(
  { isBusy, live, turns, window }: SessionRun,
  id: string,
  shownSteps: number,
): Refusal {
  const { steps } = effectsOfPrompt(window, id);
  const isReplying = live.reply !== undefined && live.reply.text.trim() !== '';
  if (isBusy && (steps > 0 || isReplying)) {
    return 'The agent is working on this prompt. Stop it before you undo it.';
  }
  if (steps !== shownSteps)
    return 'Nothing was undone: the session has more steps by now. Look again.';
  if (!isBusy) return undefined;
  return turns.queued.length > 0
    ? 'Another prompt waits after this one. Send or delete that one first.'
    : undefined;
}
