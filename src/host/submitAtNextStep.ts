import type { Refusal } from '../contextWindow/result';
import type { AgentController } from './agentController';

/** Sends a prompt now; a turn that runs is told at its next step. Or says why not. */
export function submitAtNextStep(controller: AgentController, prompt: string): Refusal {
  const wasBusy = controller.isBusy;
  const refusal = controller.submit(prompt);
  if (refusal !== undefined || !wasBusy) return refusal;
  return controller.turns.change((queue) => {
    const added = queue.waiting.at(-1);
    return added === undefined ? undefined : queue.tellAtNextStep(added.id, true);
  });
}
