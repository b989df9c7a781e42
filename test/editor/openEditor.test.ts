import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { foldersAt } from '../../src/agent/workspaceFolders';
import { tempFolder } from '../tools/support/tempFolder';

const editor = vi.hoisted(() => {
  class TabInputText {
    constructor(readonly uri: object) {}
  }
  class TabInputTextDiff {
    constructor(
      readonly original: object,
      readonly modified: object,
    ) {}
  }
  return {
    TabInputText,
    TabInputTextDiff,
    heard: new Set<(event: { closed: object[] }) => void>(),
    /** What opening does in each case. */
    open: async (): Promise<void> => undefined,
  };
});

const opened: string[] = [];

vi.mock('vscode', () => ({
  TabInputText: editor.TabInputText,
  TabInputTextDiff: editor.TabInputTextDiff,
  commands: {
    executeCommand: (_name: string, uri?: { fsPath?: string }) => {
      if (uri?.fsPath !== undefined) opened.push(uri.fsPath);
      return editor.open();
    },
  },
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  window: {
    showTextDocument: () => editor.open(),
    tabGroups: {
      onDidChangeTabs: (hear: (event: { closed: object[] }) => void) => {
        editor.heard.add(hear);
        return { dispose: () => editor.heard.delete(hear) };
      },
    },
  },
}));

const uriOf = (text: string) => ({ toString: () => text }) as vscode.Uri;
const [LEFT, RIGHT, OTHER] = ['left', 'right', 'other'].map(uriOf) as [
  vscode.Uri,
  vscode.Uri,
  vscode.Uri,
];

let openEditor: typeof import('../../src/editor/openEditor');

beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  openEditor = await import('../../src/editor/openEditor');
});

const text = () => openEditor.showText({ uri: RIGHT } as vscode.TextDocument);
const diff = () => openEditor.showDiff(LEFT, RIGHT, 'left ↔ right', {});

function closes(input: object): void {
  for (const hear of editor.heard) hear({ closed: [{ input }] });
}

/** Fails like VS Code when an editor closes while it loads. */
function failsAfter(input: object | undefined, later = false): void {
  editor.open = async () => {
    if (input !== undefined && later) setTimeout(() => closes(input), 5);
    else if (input !== undefined) closes(input);
    throw new Error('InstantiationService has been disposed');
  };
}

beforeEach(() => {
  editor.open = async () => undefined;
});

describe('an opened editor', () => {
  it('may be closed while it loads, without an error', async () => {
    failsAfter(new editor.TabInputTextDiff(LEFT, RIGHT));
    await expect(diff()).resolves.toBeUndefined();
    failsAfter(new editor.TabInputTextDiff(LEFT, RIGHT), true);
    await expect(diff()).resolves.toBeUndefined();
    failsAfter(new editor.TabInputText(RIGHT));
    await expect(text()).resolves.toBeUndefined();
  });

  it.each([
    ['nothing was closed', undefined],
    ['another text was closed', new editor.TabInputText(OTHER)],
    ['another diff was closed', new editor.TabInputTextDiff(RIGHT, OTHER)],
    ['something else was closed', {}],
  ])('fails with the message of VS Code if %s', async (_, input) => {
    failsAfter(input);
    await expect(diff()).rejects.toThrow('InstantiationService');
    await expect(text()).rejects.toThrow('InstantiationService');
  });

  it('has a listener only while it opens', async () => {
    await diff();
    await text();
    failsAfter(undefined);
    await expect(diff()).rejects.toThrow();
    expect(editor.heard.size).toBe(0);
  });
});

it('a file that a reply names from the root of its folder is found in any folder', async () => {
  const top = tempFolder({ 'client/a.ts': 'a', 'server/src/b.ts': 'b' });
  const now = foldersAt([join(top, 'client'), join(top, 'server')]);
  const open = async (path: string) =>
    (await openEditor.openNamedFile({ now }, path)) ?? opened.at(-1);
  expect(await open('client/a.ts')).toBe(join(top, 'client/a.ts'));
  expect(await open('src/b.ts')).toBe(join(top, 'server/src/b.ts'));
  expect(await open('client/none.ts')).toBe('There is no file client/none.ts in this workspace.');
  expect(await open('none.ts')).toContain('names no folder of this workspace');
});
