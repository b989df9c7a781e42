import { join } from 'node:path';
import type { ExtensionContext, Uri } from 'vscode';
import { expect, onTestFinished, vi } from 'vitest';
import type { ClosedSession } from '../../../src/editor/plimsollApi';
import type { WebviewPage } from '../../../src/editor/page';
import { tempFolder } from '../../tools/support/tempFolder';
import { EXTENSION_URI, ScriptedEditor, ScriptedEmitter, ShownPage } from './scriptedEditor';

type Extension = typeof import('../../../src/extension');

/** What the created hosts did, in order; `fails` makes the next one fail to load. */
export const made = {
  did: [] as string[],
  fails: false,
  page: undefined as WebviewPage | undefined,
};

/** The events of the host: closed sessions, changed blocks and proposals. */
export const closings = new ScriptedEmitter<ClosedSession>();
export const blocksChanged = new ScriptedEmitter();
export const proposalsChanged = new ScriptedEmitter();

/** Answers like the host, and records the call. */
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
      'plimsoll-settings': { provideTextDocumentContent: () => 'settings' },
    },
    otherAgents: {
      message: undefined,
      roots: async () => [],
      onDidChange: () => ({ dispose: () => undefined }),
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

/** The pages passed to the editor, in order. */
const pages: ShownPage[] = [];

const did = (what: string) => void made.did.push(what);

/** Runs everything that waits for the host to load. */
export const whenDone = (...what: readonly string[]) => expect.poll(() => made.did).toEqual(what);

/** Cleans up after a test. */
function forgotten(): void {
  made.did = [];
  made.fails = false;
  made.page = undefined;
  pages.length = 0;
  vi.doUnmock('vscode');
  vi.doUnmock('../../../src/editor/host');
}

/** Activates the extension again in a window; `left` are files and prompts of an earlier one. */
export async function activated(
  left: {
    readonly logs?: readonly string[];
    /** The size of each log. */
    readonly bytes?: number;
    readonly hasChat?: boolean;
  } = {},
) {
  onTestFinished(forgotten);
  const editor = new ScriptedEditor();
  const participants = left.hasChat === true ? editor.withChat() : new Map();
  vi.resetModules();
  vi.doMock('vscode', () => editor.module);
  vi.doMock('../../../src/editor/host', () => {
    if (made.fails) throw new Error('host.js is gone');
    return { Host: ScriptedHost };
  });
  const extension: Extension = await import('../../../src/extension');
  const files = (left.logs ?? []).map(
    (name) => [join('sessions', name), '{}\n'.padEnd(left.bytes ?? 0)] as const,
  );
  const result = extension.activate({
    subscriptions: [],
    extensionUri: EXTENSION_URI,
    storageUri: { fsPath: tempFolder(Object.fromEntries(files)) },
    workspaceState: { get: (_: string, none: unknown) => none },
  } as unknown as ExtensionContext);
  return { editor, extension, participants, result, api: await result };
}

/** A page for the editor to show. */
export function page(): ShownPage {
  const shown = new ShownPage();
  pages.push(shown);
  return shown;
}
