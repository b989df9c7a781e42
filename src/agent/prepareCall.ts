import type { ToolUse } from '../contextWindow/block';
import { refused } from '../contextWindow/result';
import type { AgentDeps } from './agentDeps';
import type { Preparation } from './tool';

/** Checks a call and works out what it would do; changes nothing. A refusal is for the model. */
export async function prepareCall(deps: AgentDeps, use: ToolUse): Promise<Preparation> {
  if (use.inputFault !== undefined) return refused(use.inputFault);
  const tool = deps.tools.find(({ definition }) => definition.name === use.name);
  if (tool === undefined) {
    const names = deps.tools.map(({ definition }) => definition.name).join(', ');
    return refused(`There is no tool "${use.name}". Nothing was done. The tools are: ${names}.`);
  }
  const { window } = deps.session;
  const { workspace, profile, background } = deps;
  return tool.prepare(use.input, {
    workspace,
    ...(profile === undefined ? {} : { profile }),
    ...(background === undefined ? {} : { background }),
    window,
    state: window.state,
  });
}
