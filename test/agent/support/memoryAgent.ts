import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { makeProjectMemory } from '../../../src/tools/files/nodeProjectMemory';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../../src/tools/toolbox';
import { calls, scriptedAgent, type Options, type Turn } from '../../support/scriptedAgent';

/** An agent with the real tools in a real folder; the double validates every request. */
export function agentIn(root: string, script: readonly Turn[], more: Partial<Options> = {}) {
  const workspace = makeNodeWorkspace({ folders: oneFolder(root), rgPath: undefined });
  return scriptedAgent({
    script,
    budget: { contextWindowTokens: 100_000 },
    deps: { tools: toolbox([]), workspace, projectMemory: makeProjectMemory(workspace) },
    ...more,
  });
}

export type Agent = ReturnType<typeof agentIn>;

export const remembers = (text: string, id = 'toolu_r') =>
  calls([{ id, name: 'remember', input: { text } }]);
export const reads = (id: string, path: string) => ({ id, name: 'read_file', input: { path } });

export function eventsOf<T extends SessionEvent['type']>(agent: Agent, type: T) {
  return agent.session.events.filter(
    (event): event is Extract<SessionEvent, { type: T }> => event.type === type,
  );
}

export const notices = (agent: Agent) =>
  agent.heard.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
export const told = (agent: Agent) => eventsOf(agent, 'preambleSet').at(-1)!.memory ?? [];
export const notes = (agent: Agent) =>
  eventsOf(agent, 'noteAdded').map(({ source }) => (source.from === 'memory' ? source.path : ''));
