import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Profile } from '../../src/agent/memory/projectMemory';
import { GRACE_MS } from '../../src/agent/stopping';
import type { Workspace } from '../../src/agent/workspace';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { ticking } from '../support/ticking';
import { calls, NO_MEMORY, says, scriptedAgent } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';

/**
 * A stopped turn gives a call a while to end on its own, and a slow machine takes longer; a hang
 * lasts forever.
 */
const SOON_MS = 10 * GRACE_MS;

/** A user who never answers, and a promise of the first question. */
function silent() {
  let asked: () => void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const never = () => {
    asked();
    return new Promise<never>(() => {});
  };
  return { isAsked, never };
}

/** The input of a call of each tool, and the workspace functions on which the call can hang. */
const CALLS: Readonly<Record<string, readonly [input: object, hangs: readonly string[]]>> = {
  read_file: [{ path: 'a.txt' }, ['readFile']],
  list_files: [{}, ['listFiles']],
  search_text: [{ pattern: 'a' }, ['searchText']],
  edit_file: [{ path: 'a.txt', old_text: 'a', new_text: 'b' }, ['readFile', 'writeFile']],
  create_file: [{ path: 'b.txt', content: 'b' }, ['writeFile']],
  move_file: [{ path: 'a.txt', to: 'b.txt' }, ['readFile', 'moveFile']],
  delete_file: [{ path: 'a.txt' }, ['readFile', 'deleteFile']],
  run_command: [{ command: 'x' }, ['runCommand']],
  read_output: [{ handle: 'cmd1' }, []],
  send_input: [{ handle: 'cmd1', text: 'x' }, []],
  stop_command: [{ handle: 'cmd1' }, []],
  fetch_url: [{ url: 'http://127.0.0.1:1/' }, []],
  ask_user: [{ question: 'x' }, []],
  task: [{ title: 'x', prompt: 'x' }, []],
  todo: [{ items: [] }, []],
  update_scratchpad: [{ objective: 'x' }, []],
  recall: [{}, []],
  remember: [{ text: 'x' }, ['writeFile', 'profile']],
};

const CASES = Object.entries(CALLS).flatMap(([name, [input, hangs]]) =>
  hangs.map((hanging) => [name, hanging, input] as const),
);

/** A disk that never answers one question. */
function hangingOn(
  hanging: string,
  never: () => Promise<never>,
): Pick<Parameters<typeof scriptedAgent>[0], 'deps'> {
  const workspace = makeNodeWorkspace({ folders: oneFolder(tempFolder({ 'a.txt': 'a\n' })) });
  let reads = 0;
  // The turn begins by reading it.
  const read = async () => (reads++ === 0 ? ({ ok: true, text: undefined } as const) : never());
  const profile: Profile = { name: 'p.md', file: '/p.md', read, write: never };
  return {
    deps: {
      workspace: { ...workspace, [hanging]: never } as Workspace,
      tools: toolbox([], { hasProfile: hanging === 'profile' }),
      ...(hanging === 'profile' ? { profile } : {}),
    },
  };
}

/**
 * Runs one call, presses Stop while the call waits, and returns how long the turn then continued.
 */
async function stopped(isAsked: Promise<void>, options: Parameters<typeof scriptedAgent>[0]) {
  const agent = scriptedAgent(options);
  const turn = agent.run('go');
  await isAsked;
  agent.stop.abort();
  const { value, tickedMs } = await ticking(() => turn);
  const result = agent.session.events.find((event) => event.type === 'toolFinished');
  return { outcome: value, tickedMs, result };
}

describe('Stop', () => {
  it('is tested with every tool', () => {
    const names = toolbox([]).map(({ definition }) => definition.name);
    expect(Object.keys(CALLS).toSorted()).toEqual(names.toSorted());
  });

  it.concurrent.each(CASES)('ends the turn while %s waits for %s', async (name, hanging, input) => {
    const isProfile = hanging === 'profile';
    const use = {
      id: 'toolu_1',
      name,
      input: { ...input, ...(isProfile && { where: hanging }) },
    };
    const { isAsked, never } = silent();
    const { outcome, tickedMs, result } = await stopped(isAsked, {
      script: [calls([use]), says('Done.')],
      ...hangingOn(hanging, never),
    });
    expect(outcome).toMatchObject({ type: 'stopped' });
    expect(result).toMatchObject({ origin: 'stopped', isError: true });
    expect(tickedMs).toBeLessThan(SOON_MS);
  });

  it.concurrent('ends the turn while a question is open', async () => {
    const { isAsked, never } = silent();
    const { outcome, tickedMs, result } = await stopped(isAsked, {
      script: [calls([{ id: 'toolu_1', name: 'echo', input: { ask: true } }]), says('Done.')],
      approve: never,
    });
    expect(outcome).toMatchObject({ type: 'stopped' });
    expect(result).toMatchObject({ origin: 'stopped' });
    expect(tickedMs).toBeLessThan(SOON_MS);
  });

  it.concurrent('ends the turn while it reads the memory of the project', async () => {
    const { isAsked, never } = silent();
    const { outcome } = await stopped(isAsked, {
      script: [says('Done.')],
      deps: { projectMemory: { ...NO_MEMORY, root: never } },
    });
    expect(outcome).toMatchObject({ type: 'stopped' });
  });

  it.concurrent('ends the turn while it reads the memory of a folder', async () => {
    const { isAsked, never } = silent();
    const { outcome, tickedMs } = await stopped(isAsked, {
      script: [calls([{ id: 'toolu_1', name: 'echo', input: { path: 'a/b' } }]), says('Done.')],
      deps: { projectMemory: { ...NO_MEMORY, of: never } },
    });
    expect(outcome).toMatchObject({ type: 'stopped' });
    expect(tickedMs).toBeLessThan(SOON_MS);
  });
});
