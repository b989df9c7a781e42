import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext, Uri } from 'vscode';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClosedSession } from '../src/host/plimsollApi';
import type { WebviewPage } from '../src/host/webviewPage';
import { ScriptedEditor, ScriptedEmitter, ShownPage } from './host/support/scriptedEditor';
import { tempFolder } from './tools/support/tempFolder';

type Extension = typeof import('../src/extension');

const ROOT = join(__dirname, '..');

/** What the hosts that were made did, in order; `fails` keeps the next one from being loaded. */
const made = {
  did: [] as string[],
  fails: false,
  page: undefined as WebviewPage | undefined,
};

const closings = new ScriptedEmitter<ClosedSession>();
const blocksChanged = new ScriptedEmitter();
const proposalsChanged = new ScriptedEmitter();

/** Answers like the host, and says what it was asked. */
class ScriptedHost {
  readonly contributions = {
    agentView: {
      adopt(view: ShownPage, page: WebviewPage) {
        did(`view ${pages.indexOf(view)}`);
        page.listen((message) => did(`view: ${message}`));
      },
    },
    contextPanel: {
      adopt(panel: ShownPage, page: WebviewPage) {
        did(`panel ${pages.indexOf(panel)}`);
        page.listen((message) => did(`panel: ${message}`));
      },
    },
    documents: {
      'plimsoll-before': { provideTextDocumentContent: () => '' },
      'plimsoll-block': {
        provideTextDocumentContent: ({ path }: Uri) => `the block at ${path}`,
        onDidChange: blocksChanged.event,
      },
      'plimsoll-output': { provideTextDocumentContent: () => 'an output' },
      'plimsoll-request': { provideTextDocumentContent: () => 'a request' },
    },
    proposals: {
      read: () => 'a proposal',
      stat: () => ({ isEditable: false, version: 3 }),
      write: () => false,
      onDidChange: proposalsChanged.event,
    },
    commands: {
      focusAgent: () => did('focusAgent'),
      openContextPanel: () => did('openContextPanel'),
      openRecording: (file: string) => did(`openRecording ${file}`),
    },
  };
  readonly api = {
    onSessionClosed: closings.event,
    sessionState: (key: string) => `${key} of the log`,
    setSessionState: () => ({ ok: true }),
  };
  async start(agentPage: Promise<WebviewPage>) {
    did('start');
    void agentPage.then((shown) => (made.page = shown));
  }
  async stop() {
    did('stop');
  }
}

const pages: ShownPage[] = [];

const did = (what: string) => void made.did.push(what);

/** Has whatever waits for the host to be loaded done. */
const whenDone = (...what: readonly string[]) => vi.waitFor(() => expect(made.did).toEqual(what));

/** Activates the extension anew in a window; `left` are files and prompts of an earlier one. */
async function activated(
  left: {
    readonly logs?: readonly string[];
    /** Of each log. */
    readonly bytes?: number;
    readonly hasChat?: boolean;
  } = {},
) {
  const editor = new ScriptedEditor();
  const participants = left.hasChat === true ? editor.withChat() : new Map();
  vi.resetModules();
  vi.doMock('vscode', () => editor.module);
  vi.doMock('../src/host/host', () => {
    if (made.fails) throw new Error('host.js is gone');
    return { Host: ScriptedHost };
  });
  const extension: Extension = await import('../src/extension');
  const files = (left.logs ?? []).map(
    (name) => [join('sessions', name), '{}\n'.padEnd(left.bytes ?? 0)] as const,
  );
  const result = extension.activate({
    subscriptions: [],
    storageUri: { fsPath: tempFolder(Object.fromEntries(files)) },
    workspaceState: { get: (_: string, none: unknown) => none },
  } as unknown as ExtensionContext);
  return { editor, extension, participants, result, api: await result };
}

function page(): ShownPage {
  const shown = new ShownPage();
  pages.push(shown);
  return shown;
}

beforeEach(() => {
  made.did = [];
  made.fails = false;
  made.page = undefined;
  pages.length = 0;
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.doUnmock('../src/host/host');
});

describe('activation', () => {
  it('makes the agent known to a chat, where the editor has one', async () => {
    const { participants, editor } = await activated({ hasChat: true });
    const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [{ id, name }] = contributes.chatParticipants;
    expect([[...participants.keys()], name]).toEqual([[id], 'plimsoll']);
    expect(editor.commands.has('plimsoll.answerInChat')).toBe(true);
    expect(made.did).toEqual([]);
  });

  it('registers what package.json promises, and loads nothing that nobody asked for', async () => {
    const { editor, result } = await activated();
    const { contributes, activationEvents } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const names = contributes.commands.map(({ command }: { command: string }) => command);
    expect([...editor.commands.keys()].toSorted()).toEqual(names.toSorted());
    expect([...editor.views.keys()]).toEqual([contributes.views.plimsoll[0].id]);
    expect(activationEvents).toContain(`onWebviewPanel:${[...editor.panels.keys()][0]}`);
    expect([...editor.documents.keys()].toSorted()).toEqual([
      'plimsoll-before',
      'plimsoll-block',
      'plimsoll-output',
      'plimsoll-request',
    ]);
    expect([...editor.files.keys()]).toEqual(['plimsoll-proposal']);
    expect(activationEvents).toContain('onFileSystem:plimsoll-proposal');
    expect(editor.items.map(({ text }) => text)).toEqual(['$(dashboard) Plimsoll']);
    expect(result).not.toBeInstanceOf(Promise);
    expect(made.did).toEqual([]);
  });

  it.each([['a logged session', { logs: ['2026-11-21-id-1.jsonl'] }]])(
    'goes on by itself with %s',
    async (_, left) => {
      const { api } = await activated(left);
      expect(made.did).toEqual(['start']);
      expect(api.sessionState('acme.ticket')).toBe('acme.ticket of the log');
    },
  );

  it('does not keep VS Code from showing its views while a long session opens', async () => {
    const { result, editor } = await activated({ logs: ['long.jsonl'], bytes: 4_100_000 });
    expect(result).not.toBeInstanceOf(Promise);
    await editor.show(page());
    expect(made.did).toEqual(['start', 'view 0']);
    expect(made.page).toBeDefined();
  });

  it('does not take other files for a session', async () => {
    const { result } = await activated({ logs: ['index.json'] });
    expect(result).not.toBeInstanceOf(Promise);
  });
});

describe('what is asked before the host is there', () => {
  it('is done once it is, in order, by one host', async () => {
    const { editor } = await activated();
    editor.run('openRecording', 'a.jsonl');
    void editor.show(page());
    void editor.restore(page());
    editor.run('openContextPanel');
    expect(made.did).toEqual([]);
    await whenDone('start', 'openRecording a.jsonl', 'view 0', 'panel 1', 'openContextPanel');
    expect(editor.errors).toEqual([]);
  });

  it('is a page at once, and what the page posts meanwhile is not lost', async () => {
    const { editor } = await activated();
    const [view, panel] = [page(), page()];
    const filled = Promise.all([editor.show(view), editor.restore(panel)]);
    expect(view.webview.html).toContain('dist/webview/agent.js');
    expect(panel.webview.html).toContain('dist/webview/context.js');
    view.post('ready');
    panel.post('ready');
    view.post('a prompt');
    expect(made.did).toEqual([]);
    await filled;
    view.post('another');
    expect(made.did).toEqual([
      'start',
      'view 0',
      'view: ready',
      'view: a prompt',
      'panel 1',
      'panel: ready',
      'view: another',
    ]);
  });

  it('is left alone where the user has closed it by then', async () => {
    const { editor } = await activated();
    const view = page();
    const panel = page();
    const filled = Promise.all([editor.show(view), editor.restore(panel)]);
    view.close();
    panel.close();
    await filled;
    expect(made.did).toEqual(['start']);
  });

  it('may be a document; its changes are heard from then on', async () => {
    const { editor } = await activated();
    const changed: string[] = [];
    editor.documents.get('plimsoll-block')?.onDidChange?.(({ path }) => changed.push(path));
    expect(await editor.read('plimsoll-block', '/step-1')).toBe('the block at /step-1');
    blocksChanged.fire({ path: '/step-1' } as Uri);
    expect(changed).toEqual(['/step-1']);
  });

  it('may be the file of a proposal, which is read-only once it was answered', async () => {
    const { editor } = await activated();
    const files = editor.files.get('plimsoll-proposal')!;
    const uri = { path: '/a.ts' } as Uri;
    const changed: unknown[] = [];
    files.onDidChangeFile((changes) => changed.push(...changes));
    expect(Buffer.from(await files.readFile(uri)).toString()).toBe('a proposal');
    expect(await files.stat(uri)).toEqual({
      type: 1,
      ctime: 0,
      mtime: 3,
      size: 10,
      permissions: 1,
    });
    const options = { create: false, overwrite: true };
    await expect(files.writeFile(uri, Buffer.from('x'), options)).rejects.toThrow('Not permitted.');
    expect(() => files.delete(uri, { recursive: false })).toThrow('Not permitted.');
    proposalsChanged.fire(uri);
    expect(changed).toEqual([{ type: 1, uri }]);
  });

  it('may be state of a session: none is shown, and setting some is refused with the reason', async () => {
    const { api, editor } = await activated();
    expect(api.sessionState('acme.ticket')).toBeUndefined();
    expect(api.setSessionState('acme.ticket', 7)).toEqual({
      ok: false,
      reason:
        'No session is shown: Plimsoll is not loaded. Nothing was set. A session starts with the first prompt.',
    });
    editor.run('focusAgent');
    await whenDone('start', 'focusAgent');
    expect(api.setSessionState('acme.ticket', 7)).toEqual({ ok: true });
  });

  it('may be to hear of sessions that close: who still listens then hears of each', async () => {
    const { api, editor } = await activated();
    const heard: string[] = [];
    const listen = (who: string) =>
      api.onSessionClosed(({ title }) => heard.push(`${who}: ${title}`));
    const [, gone, leaving] = [listen('one'), listen('gone'), listen('leaving')];
    gone!.dispose();
    editor.run('focusAgent');
    await whenDone('start', 'focusAgent');
    listen('late');
    closings.fire({ title: 'A' } as ClosedSession);
    leaving!.dispose();
    closings.fire({ title: 'B' } as ClosedSession);
    expect(heard).toEqual(['one: A', 'leaving: A', 'late: A', 'one: B', 'late: B']);
  });
});

describe('a host that cannot be loaded', () => {
  const WORDS = /could not be loaded\. Reload the window; if that does not help, install Plimsoll/;

  it('is told to who runs a command, opens the view, or reads a document', async () => {
    made.fails = true;
    const { editor } = await activated();
    editor.run('focusAgent');
    await vi.waitFor(() => expect(editor.errors).toEqual([expect.stringMatching(WORDS)]));
    await expect(editor.show(page())).rejects.toThrow(WORDS);
    await expect(editor.read('plimsoll-request', '/request-1.txt')).rejects.toThrow(WORDS);
    expect(editor.errors).toHaveLength(3);
    expect(made.did).toEqual([]);
  });

  it('leaves the log to be shown, and an issue to be reported', async () => {
    made.fails = true;
    const reported: unknown[][] = [];
    vi.doMock('../src/host/reportIssue', () => ({
      openIssueReport: async (...given: readonly unknown[]) => void reported.push(given.slice(1)),
    }));
    const { editor } = await activated();
    editor.run('showLog');
    expect(editor.logged).toEqual(['shown']);
    editor.run('reportIssue');
    await vi.waitFor(() => expect(reported).toEqual([[]]));
    expect(editor.logged).toContain('debug: Command plimsoll.reportIssue.');
    expect(editor.errors).toEqual([]);
    vi.doUnmock('../src/host/reportIssue');
  });

  it('is told where there was a session to go on with; the rest of the editor goes on', async () => {
    made.fails = true;
    const { api, editor, extension } = await activated({ logs: ['2026-11-21-id-1.jsonl'] });
    expect(editor.errors).toEqual([expect.stringMatching(WORDS)]);
    expect(api.setSessionState('acme.ticket', 7)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Plimsoll is not loaded'),
    });
    await extension.deactivate();
  });
});

describe('deactivation', () => {
  it('stops the host, one that is still being loaded too', async () => {
    const { editor, extension } = await activated();
    editor.run('focusAgent');
    await extension.deactivate();
    expect(made.did).toEqual(['start', 'focusAgent', 'stop']);
  });

  it('loads none to stop it', async () => {
    const { extension } = await activated();
    await extension.deactivate();
    expect(made.did).toEqual([]);
  });
});
