import { factsNow } from '../../src/agent/agentDeps';
import { rewriteByHand } from '../../src/contextWindow/passes/byHand';
import { passApplied } from '../../src/contextWindow/passes/pipeline';
import type { ScriptedAgent } from './scriptedAgent';

/** Rewrites a summary in an agent's window, as the user would. */
export function rewriteSummary({ deps, session }: ScriptedAgent, id: string, text: string): void {
  const facts = factsNow(deps, deps.settings());
  const made = rewriteByHand(facts, id, text);
  if (!made.ok || made.plan === undefined) throw new Error(JSON.stringify(made));
  session.append(passApplied(facts, made.plan, []));
}
