import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { webviewHtml } from './webviewHtml';

/**
 * A page of ours in a webview, built from `webview/<name>`. It is there at once; what it posts before
 * anybody listens waits, because VS Code would drop it.
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

  /** Settles once the page listens: before that, what is posted to it may be lost. */
  get isListening(): Promise<void> {
    return this.#firstPost;
  }

  /** Posts a fact to the page. */
  post(fact: unknown): void {
    void this.webview.postMessage(fact);
  }

  /** Hands on what the page has posted so far, and what it posts from now on. */
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
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const address = (file: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(root, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = webviewHtml({
    title,
    scriptUri: address(`${name}.js`),
    styleUri: address(`${name}.css`),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
  });
}
