import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import { promptAttachments, mentionSources } from '../support/mentionSources';

const editor = vi.hoisted(() => {
  class Uri {
    readonly scheme: string;
    constructor(
      readonly fsPath: string,
      scheme = 'file',
    ) {
      this.scheme = scheme;
    }
    static parse(address: string) {
      const { protocol, pathname } = new URL(address);
      return new Uri(pathname, protocol.slice(0, -1));
    }
  }
  return { Uri, warned: [] as string[], active: undefined as undefined | { document: object } };
});

vi.mock('vscode', () => ({
  Uri: editor.Uri,
  FileType: { File: 1, Directory: 2 },
  window: {
    get activeTextEditor() {
      return editor.active;
    },
    showWarningMessage: async (message: string) => void editor.warned.push(message),
  },
  workspace: {
    fs: {
      stat: async ({ fsPath }: { readonly fsPath: string }) => {
        if (fsPath.includes('missing')) throw new Error('ENOENT');
        const size = fsPath.includes('large') ? 4_000_001 : 5;
        return { type: fsPath.endsWith('src') ? 2 : 1, size };
      },
      readFile: async ({ fsPath }: { readonly fsPath: string }) =>
        fsPath.includes('binary')
          ? new Uint8Array([0xff, 0, 0, 1])
          : new TextEncoder().encode('Moor.'),
    },
  },
  env: {},
  languages: {},
}));

const file = (path: string) => new editor.Uri(path);

let made: typeof import('../../../src/editor/composer/addToPrompt');

beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  made = await import('../../../src/editor/composer/addToPrompt');
});

beforeEach(() => {
  editor.warned.length = 0;
  editor.active = undefined;
});

function adding(parts: Parameters<typeof mentionSources>[0] = {}) {
  const scene = promptAttachments(undefined, parts);
  let focused = 0;
  const commands = new made.AddToPrompt(
    scene,
    { now: oneFolder('/work') },
    async () => void (focused += 1),
  );
  return {
    commands,
    names: () => scene.items.map(({ kind, name }) => `${kind} ${name}`),
    focused: () => focused,
  };
}

describe('Add to Plimsoll', () => {
  it('adds everything selected in the explorer, including folders, and shows the view', async () => {
    const { commands, names, focused } = adding();
    const chosen = [file('/work/README.md'), file('/work/src')];
    await commands.addFile(chosen[0], chosen);
    expect([names(), focused(), editor.warned]).toEqual([['file README.md', 'folder src'], 1, []]);
  });

  it('adds the open file if none is given', async () => {
    const { commands, names } = adding();
    editor.active = { document: { uri: file('/work/src/loadLine.js') } };
    await commands.addFile();
    expect(names()).toEqual(['file src/loadLine.js']);
  });

  it('adds nothing from outside the workspace, and says so', async () => {
    const { commands, names, focused } = adding();
    await commands.addFile(file('/etc/passwd'));
    await commands.addFile(file('/work-other/a.js'));
    await commands.addFile();
    expect([names(), focused()]).toEqual([[], 0]);
    expect(editor.warned).toEqual(
      Array(3).fill(
        'Plimsoll: Only files of the workspace can be added. Open the folder of the file, or copy its text.',
      ),
    );
  });

  it('adds selection, problems and terminal, or says why not', async () => {
    const selection = () => ({ path: 'a.js', first: 1, last: 2, text: 'x' });
    const { commands, names } = adding({
      selection,
      terminal: async () => ({ ok: true, text: 'npm test' }),
    });
    await commands.addSelection();
    await commands.addProblems();
    await commands.addTerminal();
    expect(names()).toEqual(['selection a.js:1-2', 'problems problems', 'terminal terminal']);
    await adding().commands.addTerminal();
    expect(editor.warned).toEqual(['Plimsoll: There is no terminal.']);
  });
});

describe('the key of the prompt', () => {
  it('adds the selection, or else the open file', async () => {
    editor.active = { document: { uri: file('/work/src/loadLine.js') } };
    const open = adding();
    await open.commands.addSelection('orFile');
    expect(open.names()).toEqual(['file src/loadLine.js']);
    const selection = () => ({ path: 'a.js', first: 1, last: 2, text: 'x' });
    const selected = adding({ selection });
    await selected.commands.addSelection('orFile');
    expect(selected.names()).toEqual(['selection a.js:1-2']);
    // The command itself adds no file.
    const { commands, names } = adding();
    await commands.addSelection();
    expect(names()).toEqual([]);
  });
});

describe('a dropped file', () => {
  const dropped = async (address: string) => {
    const scene = promptAttachments();
    const adding = new made.AddToPrompt(scene, { now: oneFolder('/work') }, async () => undefined);
    const refusal = await adding.addDropped(address);
    return refusal ?? scene.items.map(({ kind, name }) => `${kind} ${name}`).join();
  };

  it.each([
    ['file:///work/src/loadLine.js', 'file src/loadLine.js'],
    ['file:///work/src', 'folder src'],
    ['file:///home/me/notes.txt', 'file /home/me/notes.txt'],
    ['file:///home/me/src', 'src is a folder outside the workspace. Drop its files instead.'],
    ['file:///home/me/missing', 'missing was not found.'],
    ['file:///home/me/large', 'large is larger than 4 MB.'],
    ['file:///home/me/binary', 'binary is not a text file.'],
    ['https://example.com/', 'Only files and folders can be dropped here.'],
  ])('%s: %s', async (address, answer) => {
    expect(await dropped(address)).toBe(answer);
  });
});
