import type { PromptContent } from '../contextWindow/event';
import type { Refusal } from '../contextWindow/result';
import type { AgentController } from './agentController';

/**
 * Sends a prompt now, or says why not; a turn that runs is told at its next step. What has images
 * beside it waits for the end of the turn, as a prompt of its own.
 */
export function submitAtNextStep(controller: AgentController, prompt: PromptContent): Refusal {
  const wasBusy = controller.isBusy;
  const refusal = controller.submit(prompt);
  if (refusal !== undefined || !wasBusy || prompt.attachments !== undefined) return refusal;
  return controller.turns.change((queue) => {
    const added = queue.waiting.at(-1);
    return added === undefined ? undefined : queue.tellAtNextStep(added.id, true);
  });
}
