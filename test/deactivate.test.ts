import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '../src/contextWindow/event';
import { startStrictServer } from '../src/offline/strictServer';
import { readSessionLog } from '../src/sessions/readSessionLog';
import { EXTENSION_URI, ScriptedEditor, ShownPage } from './editor/support/scriptedEditor';
import { registryScene } from './sessions/support/registryScene';
import { callsTools, finished, prompt } from './sessions/support/sampleEvents';
import { isRunning, pidsIn, untilWritten } from './tools/support/processes';
import { tempFolder } from './tools/support/tempFolder';
import { PACKAGE_DEFAULTS } from './support/packageSettings';

type Extension = typeof import('../src/extension');

/** The real extension with its real host in a mock of VS Code, with a session to continue. */
async function activated(
  settings: Readonly<Record<string, unknown>>,
  state: Readonly<Record<string, unknown>> = {},
) {
  const [root, storage] = [tempFolder(), tempFolder()];
  const folder = join(storage, 'sessions');
  mkdirSync(folder);
  const former = registryScene(folder);
  const { session, file } = former.registry.start(true);
  const work = [prompt('Mend the mast.'), callsTools('a'), finished('a')];
  for (const event of work) session.append(event);
  session.append({ type: 'turnEnded', outcome: { type: 'finished' } });
  former.registry.close();

  const editor = new ScriptedEditor();
  const warnings: string[] = [];
  vi.resetModules();
  vi.doMock('vscode', () => ({
    ...editor.module,
    ThemeColor: class {},
    OverviewRulerLane: { Left: 1 },
    languages: {
      ...editor.module.languages,
      registerCodeLensProvider: () => ({ dispose: () => undefined }),
    },
    ProgressLocation: { Window: 10, Notification: 15 },
    ViewColumn: { Active: -1, One: 1, Two: 2 },
    env: { appRoot: root },
    extensions: { all: [] },
    lm: { tools: [] },
    commands: { ...editor.module.commands, executeCommand: async () => undefined },
    window: {
      ...editor.module.window,
      state: { focused: true },
      visibleTextEditors: [],
      createTextEditorDecorationType: () => ({ dispose: () => undefined }),
      onDidChangeVisibleTextEditors: () => ({ dispose: () => undefined }),
      onDidChangeActiveTextEditor: () => ({ dispose: () => undefined }),
      onDidChangeTextEditorSelection: () => ({ dispose: () => undefined }),
      onDidChangeWindowState: () => ({ dispose: () => undefined }),
      showWarningMessage: async (message: string) => void warnings.push(message),
      showInformationMessage: async () => undefined,
      withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
    },
    workspace: {
      ...editor.module.workspace,
      workspaceFolders: [{ name: 'root', uri: { scheme: 'file', fsPath: root } }],
      textDocuments: [],
      getConfiguration: () => ({
        get: (name: string) => configured(settings)[name],
        inspect: () => undefined,
      }),
      onDidChangeConfiguration: () => ({ dispose: () => undefined }),
      onDidChangeTextDocument: () => ({ dispose: () => undefined }),
    },
  }));
  const extension: Extension = await import('../src/extension');
  const kept = (values: Readonly<Record<string, unknown>>) => ({
    get: (key: string, none: unknown) => values[key] ?? none,
    update: async () => undefined,
  });
  await extension.activate({
    subscriptions: [],
    extensionUri: EXTENSION_URI,
    extensionPath: root,
    storageUri: { fsPath: storage },
    globalStorageUri: { fsPath: join(storage, 'global') },
    globalState: kept(state),
    workspaceState: kept({}),
    environmentVariableCollection: { delete: () => undefined },
    secrets: {
      // The user's own server needs no key.
      get: async () => undefined,
      onDidChange: () => ({ dispose: () => undefined }),
    },
  } as unknown as ExtensionContext);
  const events = (): readonly SessionEvent[] => {
    const read = readSessionLog(file);
    if (!read.ok) throw new Error(read.message);
    return read.events;
  };
  return { editor, extension, root, storage, events, warnings };
}

/** The configuration: the defaults of package.json, and these values. */
function configured(
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { ...PACKAGE_DEFAULTS, ...settings };
}

const tail = (events: readonly SessionEvent[]) => events.slice(-2);

afterEach(() => {
  vi.doUnmock('vscode');
  // Other tests must load their own modules.
  vi.resetModules();
});

describe('the extension is deactivated while a session is being closed', () => {
  it('stops the command with its processes and logs both', async () => {
    const command = 'sleep 300 & echo $! > pids; echo $$ >> pids; trap "" TERM; wait; sleep 300';
    const { editor, extension, root, events, warnings } = await activated(
      { 'plimsoll.sessions.onClose': 'command', 'plimsoll.sessions.onCloseCommand': command },
      { 'plimsoll.allowedCloseCommands': [command] },
    );
    editor.run('closeSession');
    const file = join(root, 'pids');
    await untilWritten(file, 2);
    const pids = pidsIn(file);
    expect(pids.every(isRunning)).toBe(true);
    await extension.deactivate();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(tail(events())).toMatchObject([
      { type: 'closeCommandRan', command, exitCode: null },
      { type: 'sessionClosed', reason: 'closed' },
    ]);
    expect(warnings.join()).toContain('was stopped before it finished');
  });

  it('logs a work note in place of an unfinished summary', async () => {
    const server = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'never' }] }),
    });
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'headers' } });
    const { editor, extension, events } = await activated({
      'plimsoll.baseUrl': server.url,
      'plimsoll.sessions.onClose': 'summary',
    });
    editor.run('closeSession');
    const isAsked = () => server.requests.some(({ path }) => path === '/v1/messages');
    await expect.poll(() => isAsked()).toBe(true);
    await extension.deactivate();
    await server.close();
    expect(tail(events())).toMatchObject([
      {
        type: 'sessionSummarised',
        text: expect.stringContaining('run_command make a'),
        writtenBy: { by: 'workNote' },
      },
      { type: 'sessionClosed', reason: 'closed' },
    ]);
  });

  it('does not run a command that was never allowed', async () => {
    const { editor, extension, events } = await activated({
      'plimsoll.sessions.onClose': 'command',
      'plimsoll.sessions.onCloseCommand': 'touch ran',
    });
    editor.run('closeSession');
    await extension.deactivate();
    expect(events().map(({ type }) => type)).not.toContain('closeCommandRan');
    expect(events().at(-1)).toMatchObject({ type: 'sessionClosed' });
  });

  it('does nothing for sessions that are not being closed', async () => {
    const { extension, events } = await activated({ 'plimsoll.sessions.onClose': 'summary' });
    await extension.deactivate();
    expect(events().map(({ type }) => type)).not.toContain('sessionSummarised');
  });
});

it('finishes writing the prompt that was being typed before the extension is deactivated', async () => {
  const { editor, extension, storage } = await activated({});
  const page = Object.assign(new ShownPage(), { onDidChangeVisibility: () => undefined });
  await editor.show(page);
  page.post({ number: 1, wish: { type: 'keepDraft', text: 'Mend' } });
  const file = join(storage, 'draft', 'draft.json');
  await expect.poll(() => existsSync(file)).toBe(true);
  const text = 'Mend the mast. '.repeat(13_000);
  for (const number of [2, 3, 4])
    page.post({ number, wish: { type: 'keepDraft', text: `${text}${number}` } });
  await extension.deactivate();
  expect(readFileSync(file, 'utf8')).toBe(`"${text}4"`);
});
