import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

/** The Agent view of package.json. */
export const AGENT_VIEW = 'plimsoll.agent';

/** The type of the Context panel's webview. */
export const CONTEXT_PANEL = 'plimsoll.context';

/**
 * A page in a webview, built from `webview/<name>`. It queues what the page posts until `listen`,
 * because VS Code would drop it.
 */
export class WebviewPage {
  #waiting: unknown[] = [];
  #receive: ((message: unknown) => void) | undefined;
  readonly #firstPost: Promise<void>;

  constructor(
    private readonly webview: vscode.Webview,
    extensionUri: vscode.Uri,
    name: 'agent' | 'context',
    title: string,
  ) {
    let hasPosted = (): void => undefined;
    this.#firstPost = new Promise((resolve) => (hasPosted = resolve));
    webview.onDidReceiveMessage((message: unknown) => {
      hasPosted();
      if (this.#receive === undefined) this.#waiting.push(message);
      else this.#receive(message);
    });
    servePage(webview, extensionUri, name, title);
  }

  /** Resolves once the page listens: earlier posts may be lost. */
  get isListening(): Promise<void> {
    return this.#firstPost;
  }

  post(fact: unknown): void {
    void this.webview.postMessage(fact);
  }

  /** Passes on what the page has posted so far, and its later posts. */
  listen(receive: (message: unknown) => void): void {
    this.#receive = receive;
    for (const message of this.#waiting.splice(0)) receive(message);
  }
}

/** Fills a webview with a page, which can only load files from `dist/webview`. */
function servePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: 'agent' | 'context',
  title: string,
): void {
  const root = below(extensionUri, 'dist/webview');
  const address = (file: string) => webview.asWebviewUri(below(root, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = webviewHtml({
    title,
    scriptUri: address(`${name}.js`),
    styleUri: address(`${name}.css`),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
  });
}

function below(uri: vscode.Uri, path: string): vscode.Uri {
  return uri.with({ path: `${uri.path}/${path}` });
}

/** A view or panel of VS Code with a webview in it. */
interface WebviewHolder {
  readonly visible: boolean;
  readonly webview: { postMessage(fact: unknown): unknown };
}

/**
 * Posts facts to a page while it is visible. A hidden page keeps nothing, so it gets everything
 * again when it announces itself.
 */
export class WebviewLink<F> {
  #isReady = false;

  constructor(private readonly holder: WebviewHolder) {}

  /** Whether a post would be seen. */
  get isLive(): boolean {
    return this.#isReady && this.holder.visible;
  }

  /** Notes that the page is listening. */
  ready(): void {
    this.#isReady = true;
  }

  /** Notes a change of visibility. */
  visibilityChanged(): void {
    if (!this.holder.visible) this.#isReady = false;
  }

  post(fact: F): void {
    if (this.isLive) void this.holder.webview.postMessage(fact);
  }
}

/** A state for a page: whole, or a patch against the previous number. */
type Update<T, P> =
  { readonly number: number; readonly whole: T } | { readonly number: number; readonly patch: P };

/** Numbers the states sent to a page and remembers the last one, so that only changes are sent. */
export class Snapshots<T, P> {
  #last: T | undefined;
  #number = 0;

  /** `compare` makes the patch that leads from one state to another. */
  constructor(private readonly compare: (before: T, after: T) => P) {}

  /** Forgets the last state: a new page gets the next one whole. */
  forget(): void {
    this.#last = undefined;
  }

  /** Returns the post for a state; the caller must post it. */
  updateTo(state: T): Update<T, P> {
    const last = this.#last;
    this.#last = state;
    const number = ++this.#number;
    return last === undefined
      ? { number, whole: state }
      : { number, patch: this.compare(last, state) };
  }
}

/** The contents of a webview page; addresses are as the webview sees them. */
interface PageContents {
  readonly title: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Where VS Code serves the webview's files from. */
  readonly cspSource: string;
  /** Unguessable; a new one for every page. */
  readonly nonce: string;
}

/**
 * Writes the page of a webview. Its policy lets it load one script, the extension's styles and
 * nothing else: no network, no images, no frames, whatever a reply of the model contains.
 */
export function webviewHtml(page: PageContents): string {
  const { title, scriptUri, styleUri, cspSource, nonce } = page;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    // The component toolkit tests its focus style in an inline sheet with the nonce.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${nonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <link rel="stylesheet" href="${attribute(styleUri)}" />
    <title>${attribute(title)}</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${attribute(scriptUri)}"></script>
  </body>
</html>`;
}

function attribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
