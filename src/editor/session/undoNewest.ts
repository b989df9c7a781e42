import { passTitle } from '../../contextWindow/passes/passName';
import type { AgentController } from './agentController';
import { newestPass } from './changesByHand';

/** Undoes the newest pass that is not undone, and says what came of it. */
export function undoNewest(controller: AgentController): string {
  const number = newestPass(controller.window);
  if (number === undefined) return 'There is no pass to undo.';
  const pass = controller.window.ledger.find((entry) => entry.pass.number === number)?.pass;
  const name = pass === undefined ? 'The pass' : passTitle(pass);
  return controller.undoPass(number) ?? `${name} was undone.`;
}
