import { factsNow } from '../../src/agent/agentDeps';
import { rewriteByHand } from '../../src/contextWindow/passes/byHand';
import { pricePass } from '../../src/contextWindow/passes/price';
import type { ScriptedAgent } from './scriptedAgent';

/** Lets a summary of an agent's window say something else, as the user would. */
export function rewriteSummary({ deps, session }: ScriptedAgent, id: string, text: string): void {
  const facts = factsNow(deps, deps.settings());
  const made = rewriteByHand(facts, id, text);
  if (made.type !== 'plan') throw new Error(JSON.stringify(made));
  const pass = pricePass(made.plan, [], session.window, facts.estimate, 0.1);
  session.append({ type: 'passApplied', pass });
}
