import * as vscode from 'vscode';
import type { AgentFact, AgentWish } from '../protocol/agentView';
import { WebviewLink } from './webviewLink';
import { servePage } from './webviewPage';
import { parseAgentWish } from './wishes';

/** The Agent view in the side bar: hands its wishes on and posts facts while it can be seen. */
export class AgentViewProvider implements vscode.WebviewViewProvider {
  static readonly id = 'plimsoll.agent';
  #link: WebviewLink<AgentFact> | undefined;
  #view: vscode.WebviewView | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly fulfil: (wish: AgentWish) => void,
  ) {}

  get isLive(): boolean {
    return this.#link?.isLive ?? false;
  }

  post(fact: AgentFact): void {
    this.#link?.post(fact);
  }

  /** Marks the view's icon with one open matter; undefined takes the mark away. */
  setBadge(tooltip: string | undefined): void {
    if (this.#view === undefined) return;
    this.#view.badge = tooltip === undefined ? undefined : { value: 1, tooltip };
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const link = new WebviewLink<AgentFact>({
      isVisible: () => view.visible,
      post: (fact) => void view.webview.postMessage(fact),
    });
    this.#link = link;
    this.#view = view;
    view.webview.onDidReceiveMessage((message: unknown) => {
      const wish = parseAgentWish(message);
      if (wish === undefined) return;
      if (wish.type === 'announceReady') link.ready();
      this.fulfil(wish);
    });
    view.onDidChangeVisibility(() => link.visibilityChanged());
    view.onDidDispose(() => {
      if (this.#link !== link) return;
      this.#link = undefined;
      this.#view = undefined;
    });
    servePage(view.webview, this.extensionUri, 'agent', 'Agent');
  }
}
