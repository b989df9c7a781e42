import type * as vscode from 'vscode';

type Uri = vscode.Uri;
type Command = (argument?: unknown) => unknown;

/** The URI of a file. */
function fileUri(path: string): Uri {
  const uri = { path, with: (change: { readonly path: string }) => fileUri(change.path) };
  return { ...uri, toString: () => path } as Uri;
}

/** The folder of the extension. */
export const EXTENSION_URI = fileUri('extension');

/** What a scripted editor was given and what it showed. */
export class ScriptedEditor {
  readonly commands = new Map<string, Command>();
  readonly views = new Map<string, { resolveWebviewView(view: ShownPage): unknown }>();
  readonly panels = new Map<string, { deserializeWebviewPanel(panel: ShownPage): unknown }>();
  readonly documents = new Map<string, vscode.TextDocumentContentProvider>();
  readonly files = new Map<string, vscode.FileSystemProvider>();
  /** Error messages shown. */
  readonly errors: string[] = [];
  /** Messages of the output channel with their level, and whether it was shown. */
  readonly logged: string[] = [];
  /** The items of the status bar. */
  readonly items: { text: string }[] = [];

  /** Mocks the part of the module `vscode` that activation uses. */
  /** The ids of the trees that wait to be filled. */
  readonly trees: string[] = [];
  readonly module = {
    EventEmitter: ScriptedEmitter,
    Uri: { joinPath: (...parts: readonly unknown[]) => parts.join('/') },
    StatusBarAlignment: { Left: 1, Right: 2 },
    FileType: { File: 1 },
    FilePermission: { Readonly: 1 },
    FileChangeType: { Changed: 1 },
    FileSystemError: { NoPermissions: () => new Error('Not permitted.') },
    CodeActionKind: { QuickFix: 'quickfix', RefactorRewrite: 'refactor.rewrite' },
    languages: { registerCodeActionsProvider: () => NOTHING },
    commands: {
      registerCommand: put.bind(undefined, this.commands as Map<string, unknown>),
    },
    window: {
      createOutputChannel: () => ({
        ...Object.fromEntries(
          LEVELS.map((level) => [level, (words: string) => this.logged.push(`${level}: ${words}`)]),
        ),
        show: () => this.logged.push('shown'),
        ...NOTHING,
      }),
      createStatusBarItem: () => {
        const item = { text: '', show: () => undefined, ...NOTHING };
        this.items.push(item);
        return item;
      },
      showErrorMessage: async (message: string) => void this.errors.push(message),
      createTreeView: (id: string) => {
        this.trees.push(id);
        return { onDidChangeVisibility: () => NOTHING, ...NOTHING };
      },
      registerWebviewViewProvider: put.bind(undefined, this.views as Map<string, unknown>),
      registerWebviewPanelSerializer: put.bind(undefined, this.panels as Map<string, unknown>),
    },
    workspace: {
      workspaceFolders: undefined,
      registerTextDocumentContentProvider: put.bind(
        undefined,
        this.documents as Map<string, unknown>,
      ),
      registerFileSystemProvider: put.bind(undefined, this.files as Map<string, unknown>),
    },
  };

  /** Adds a chat, like newer editors, and returns the registered participants. */
  withChat(): Map<string, vscode.ChatRequestHandler> {
    const participants = new Map<string, vscode.ChatRequestHandler>();
    const chat = {
      createChatParticipant: (id: string, handler: vscode.ChatRequestHandler) => {
        participants.set(id, handler);
        return NOTHING;
      },
    };
    Object.assign(this.module, { chat, lm: {} });
    return participants;
  }

  /** Runs a command of Plimsoll. */
  run(name: string, argument?: unknown): void {
    this.commands.get(`plimsoll.${name}`)?.(argument);
  }

  /** Makes VS Code resolve the Agent view. */
  async show(view: ShownPage): Promise<void> {
    await this.views.get('plimsoll.agent')?.resolveWebviewView(view);
  }

  /** Makes VS Code restore the Context panel, as after a reload of the window. */
  async restore(panel: ShownPage): Promise<void> {
    await this.panels.get('plimsoll.context')?.deserializeWebviewPanel(panel);
  }

  /** Reads a document. */
  async read(scheme: string, path: string): Promise<string | null | undefined> {
    const never = {} as vscode.CancellationToken;
    return this.documents.get(scheme)?.provideTextDocumentContent({ path } as Uri, never);
  }
}

/** A view or panel that VS Code asks Plimsoll to fill. */
export class ShownPage {
  readonly #closed = new ScriptedEmitter<void>();
  readonly #posted = new ScriptedEmitter<unknown>();
  readonly onDidDispose = this.#closed.event;
  readonly webview = {
    html: '',
    options: {},
    cspSource: 'vscode-webview:',
    asWebviewUri: (address: unknown) => address,
    onDidReceiveMessage: this.#posted.event,
    postMessage: async (fact: unknown) => this.facts.push(fact) > 0,
  };
  /** The posts to the page. */
  readonly facts: unknown[] = [];

  /** Posts a message as its page would; without a listener, the message is lost. */
  post(message: unknown): void {
    this.#posted.fire(message);
  }

  close(): void {
    this.#closed.fire();
  }
}

/** The part of VS Code's EventEmitter that is used. */
export class ScriptedEmitter<T = Uri> {
  #listeners: ((event: T) => unknown)[] = [];

  readonly event = (listener: (event: T) => unknown) => {
    this.#listeners.push(listener);
    return { dispose: () => (this.#listeners = this.#listeners.filter((one) => one !== listener)) };
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners = [];
  }
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

const NOTHING = { dispose: () => undefined };

function put(map: Map<string, unknown>, key: string, value: unknown): vscode.Disposable {
  map.set(key, value);
  return { dispose: () => map.delete(key) };
}
