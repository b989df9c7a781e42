import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foldersAt, oneFolder } from '../../src/agent/workspaceFolders';
import { makeProjectMemory } from '../../src/tools/files/nodeProjectMemory';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { calls, says, type Turn } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';
import { agentIn, eventsOf, notes, reads } from './support/memoryAgent';

/** An agent in two folders; `now` changes them between prompts. */
function scene(script: readonly Turn[], files: Readonly<Record<string, string>> = {}) {
  const top = tempFolder({ 'client/a.ts': 'a\n', 'server/a.ts': 'b\n', ...files });
  const [client, server] = [join(top, 'client'), join(top, 'server')];
  const now = { folders: foldersAt([client, server]) };
  const workspace = Object.defineProperty(
    { ...makeNodeWorkspace({ folders: now.folders }) },
    'folders',
    { get: () => now.folders },
  );
  const deps = {
    workspace,
    tools: toolbox([], { hasFolders: true }),
    projectMemory: makeProjectMemory(workspace),
  };
  const agent = agentIn(client, script, { deps });
  return { agent, client, server, now };
}

it('the system prompt names every folder, and how paths begin', async () => {
  const { agent, client, server } = scene([says('Yes.')]);
  await agent.run('hello');
  const { text } = agent.requests[0]!.system[0]!;
  expect(text).toContain(
    `on a workspace of 2 folders (linux):\n- client: ${client}\n- server: ${server}\n`,
  );
  expect(text).toContain(
    'Paths begin with the name of their folder, with forward slashes: client/src/file.',
  );
  expect(text).toContain('A command runs in client unless you name another folder');
});

it('the system prompt of one folder is as it was', async () => {
  const { agent, client, now } = scene([says('Yes.')]);
  now.folders = oneFolder(client);
  await agent.run('hello');
  const { text } = agent.requests[0]!.system[0]!;
  expect(text).toContain('on the workspace "client" (linux).\n');
  expect(text).toContain('- Paths are relative to the workspace, with forward slashes. You cannot');
});

it('the system prompt changes once when a folder was added', async () => {
  const { agent, client, server, now } = scene([says('Yes.'), says('Yes.'), says('Yes.')]);
  await agent.run('hello');
  now.folders = foldersAt([client, server, '/w/docs'], now.folders);
  await agent.run('again');
  await agent.run('and again');
  const systems = eventsOf(agent, 'preambleSet').map(({ system }) => system);
  expect(systems).toHaveLength(2);
  expect(systems[1]).toContain('on a workspace of 3 folders');
  expect(systems[1]).toContain('\n- docs: /w/docs\n');
});

it('the instructions of another folder follow the first call there, also of a command', async () => {
  const files = { 'client/AGENTS.md': 'Client.', 'server/AGENTS.md': 'Server.' };
  const command = { command: 'ls', folder: 'server' };
  for (const use of [
    reads('t1', 'server/a.ts'),
    { id: 't1', name: 'run_command', input: command },
  ]) {
    const { agent } = scene([calls([use]), says('Done.')], files);
    await agent.run('hello');
    expect(eventsOf(agent, 'preambleSet')[0]!.memory?.map(({ path }) => path)).toEqual([
      'client/AGENTS.md',
    ]);
    expect(notes(agent)).toEqual(['server/AGENTS.md']);
  }
});
