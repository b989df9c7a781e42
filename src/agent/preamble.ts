import type { Preamble } from '../contextWindow/contextWindow';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { newProblems, rootMemory } from './projectMemory';
import { systemPrompt } from './systemPrompt';

/** Puts system prompt, project memory and tools into the log where any of them is new. */
export async function* setPreamble(deps: AgentDeps): AsyncGenerator<AgentEvent, void> {
  const { session, workspace, tools } = deps;
  const found = await deps.projectMemory.root();
  for (const message of newProblems(session, found)) yield { type: 'notice', message };
  const memory = rootMemory(session.window, found);
  const preamble: Preamble = {
    system: systemPrompt({
      workspaceName: workspace.root.split(/[\\/]/).at(-1) ?? workspace.root,
      platform: deps.platform,
    }),
    tools: tools.map(({ definition }) => definition),
    ...(memory.length === 0 ? {} : { memory }),
  };
  if (JSON.stringify(preamble) === JSON.stringify(session.window.preamble)) return;
  session.append({ type: 'preambleSet', ...preamble });
}
