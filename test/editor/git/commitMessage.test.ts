import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { foldersAt, oneFolder } from '../../../src/agent/workspaceFolders';
import type { ModelRequest, ModelResult } from '../../../src/agent/model';
import { AGENT_SETTINGS } from '../../support/agentSettings';
import { budgetOf } from '../../support/drawing';
import { says } from '../../support/scriptedAgent';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';

const editor = vi.hoisted(() => {
  class Uri {
    constructor(readonly fsPath: string) {}
    toString() {
      return this.fsPath;
    }
  }
  return {
    Uri,
    git: undefined as undefined | (() => object),
    isTrusted: true,
    offered: [] as readonly string[],
    chosen: '',
  };
});

vi.mock('vscode', () => ({
  Uri: editor.Uri,
  ProgressLocation: { SourceControl: 1 },
  extensions: {
    getExtension: () => editor.git && { activate: async () => ({ getAPI: () => editor.git?.() }) },
  },
  window: {
    withProgress: async (_: unknown, work: () => unknown) => work(),
    showQuickPick: async (rows: readonly { readonly label: string }[]) => {
      editor.offered = rows.map(({ label }) => label);
      return rows.find(({ label }) => label === editor.chosen);
    },
  },
  workspace: {
    get isTrusted() {
      return editor.isTrusted;
    },
    asRelativePath: ({ fsPath }: { readonly fsPath: string }) => fsPath.replace('/work/', ''),
  },
  commands: {},
  env: {},
  languages: {},
}));

let made: typeof import('../../../src/editor/git/commitMessage');

beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  made = await import('../../../src/editor/git/commitMessage');
});

beforeEach(() => {
  editor.isTrusted = true;
  editor.git = undefined;
});

function repository(root: string, { staged = '', unstaged = '', fresh = [] as string[] } = {}) {
  return {
    rootUri: new editor.Uri(root),
    inputBox: { value: '' },
    state: {
      workingTreeChanges: fresh.map((path) => ({ uri: new editor.Uri(path), status: 7 })),
    },
    diff: async (cached: boolean) => (cached ? staged : unstaged),
    log: async () => {
      throw new Error('There are no commits.');
    },
  };
}

function writing(
  repositories: readonly object[] | undefined,
  problem?: { message: string },
  folders = oneFolder('/work'),
) {
  if (repositories !== undefined) editor.git = () => ({ repositories });
  const [warned, sent]: [string[], string[]] = [[], []];
  let typedMeanwhile = (): void => undefined;
  const connection = {
    // eslint-disable-next-line require-yield -- nothing is streamed
    async *ask(request: ModelRequest): AsyncGenerator<never, ModelResult> {
      sent.push(JSON.stringify(request.messages));
      typedMeanwhile();
      return says('Mend the mast')(request);
    },
  };
  const services = {
    folders: { now: folders },
    loadTools: async () => ({ disk: { folders, envFiles: async () => [] } }),
    notices: { warn: (text: string) => void warned.push(text) },
    access: {
      refresh: async () => undefined,
      problem,
      allowKey: async () => undefined,
      connection,
      estimator: STAND_IN_ESTIMATOR,
      agentSettings: {
        ...AGENT_SETTINGS,
        budget: budgetOf(100_000),
        summary: { writer: 'model', model: 'test' },
      },
    },
  };
  const { commands } = new made.CommitMessage(
    services as never,
    { session: undefined },
    ({ message }) => void warned.push(`problem: ${message}`),
  );
  const typing = (type: () => void) => void (typedMeanwhile = type);
  return { write: commands.writeCommitMessage, warned, sent, typing };
}

describe('Write Commit Message', () => {
  it('describes the staged changes, or all if none are staged', async () => {
    const staged = repository('/work', { staged: '+staged', unstaged: '+unstaged' });
    const one = writing([staged]);
    await one.write();
    expect(staged.inputBox.value).toBe('Mend the mast');
    expect(one.sent.join()).toMatch(/\+staged/);
    expect(one.sent.join()).not.toMatch(/\+unstaged/);
    const all = repository('/work', { unstaged: '+unstaged', fresh: ['/work/mast.js'] });
    const other = writing([all]);
    await other.write();
    expect(other.sent.join()).toContain('+unstaged\\nnew file, not added: mast.js');
    expect([one.warned, other.warned]).toEqual([[], []]);
  });

  it('takes the repository whose button was clicked', async () => {
    const [outer, inner] = ['/work', '/work/ship'].map((root) =>
      repository(root, { staged: '+x' }),
    );
    const { write } = writing([outer!, inner!]);
    await write({ rootUri: inner!.rootUri });
    expect([outer!.inputBox.value, inner!.inputBox.value]).toEqual(['', 'Mend the mast']);
  });

  it('asks for the repository where the folders of the workspace have several', async () => {
    const folders = foldersAt(['/work/client', '/work/server', '/work/docs']);
    const [client, server] = ['/work/client', '/work/server'].map((root) =>
      repository(root, { staged: `+${root}` }),
    );
    const other = repository('/elsewhere', { staged: '+x' });
    const { write, sent } = writing([client!, server!, other], undefined, folders);
    await write();
    expect([editor.offered, sent]).toEqual([['client', 'server'], []]);
    editor.chosen = 'server';
    await write();
    expect([client!.inputBox.value, server!.inputBox.value]).toEqual(['', 'Mend the mast']);
    expect(sent.join()).not.toContain('+/work/client');
    editor.offered = [];
    // One repository over all folders is not asked about.
    const outer = repository('/work', { staged: '+x' });
    await writing([outer, other], undefined, folders).write();
    expect([editor.offered, outer.inputBox.value]).toEqual([[], 'Mend the mast']);
  });

  it('sends nothing of a repository outside the workspace, but finds one in a subfolder', async () => {
    const other = repository('/elsewhere', { staged: '+x' });
    const { write, sent, warned } = writing([other]);
    await write();
    expect(sent).toEqual([]);
    expect(warned.join()).toMatch(/no Git repository is open/);
    const inner = repository('/work/ship', { staged: '+x' });
    await writing([inner, other]).write();
    expect([inner.inputBox.value, other.inputBox.value]).toEqual(['Mend the mast', '']);
  });

  it('leaves a message alone that the user typed meanwhile', async () => {
    const one = repository('/work', { staged: '+x' });
    const { write, typing, warned } = writing([one]);
    typing(() => (one.inputBox.value = 'My own'));
    await write();
    expect(one.inputBox.value).toBe('My own');
    expect(warned).toEqual([
      'You typed a commit message meanwhile, so Plimsoll did not replace it.',
    ]);
  });

  it('says why nothing was written', async () => {
    const off = () => {
      throw new Error('Git model not found');
    };
    const told = async (given: ReturnType<typeof writing>) => {
      await given.write();
      expect(given.sent).toEqual([]);
      return given.warned.join();
    };
    expect(await told(writing(undefined))).toMatch(/Git extension of VS Code is missing or off/);
    const isOff = writing([]);
    editor.git = off;
    expect(await told(isOff)).toMatch(/missing or off/);
    expect(await told(writing([]))).toMatch(/no Git repository is open/);
    expect(await told(writing([repository('/work')]))).toMatch(/no changes to commit/);
    const changed = repository('/work', { staged: '+x' });
    expect(await told(writing([changed], { message: 'There is no key.' }))).toBe(
      'problem: There is no key.',
    );
    editor.isTrusted = false;
    expect(await told(writing([changed]))).toMatch(/not trusted/);
  });

  it('is written once at a time', async () => {
    const one = repository('/work', { staged: '+x' });
    const { write, sent, warned } = writing([one]);
    await Promise.all([write(), write()]);
    expect([sent.length, warned]).toEqual([1, ['The commit message is being written.']]);
  });
});
