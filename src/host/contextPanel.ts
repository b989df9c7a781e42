import * as vscode from 'vscode';
import type { ContextFact, ContextPost } from '../protocol/contextPanel';
import { WebviewLink } from './webviewLink';
import { servePage } from './webviewPage';
import { parseContextPost } from './wishes';

/** The Context panel in the editor area; at most one, and it comes back after a reload. */
export class ContextPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  static readonly id = 'plimsoll.context';
  #panel: vscode.WebviewPanel | undefined;
  #link: WebviewLink<ContextFact> | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly fulfil: (post: ContextPost) => void,
  ) {}

  get isLive(): boolean {
    return this.#link?.isLive ?? false;
  }

  /** The editor column the panel is shown in; undefined while it cannot be seen. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel?.visible === true ? this.#panel.viewColumn : undefined;
  }

  post(fact: ContextFact): void {
    this.#link?.post(fact);
  }

  /** Shows the panel, beside the open editors when there are any. */
  open(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    const column =
      vscode.window.tabGroups.activeTabGroup.tabs.length > 0
        ? vscode.ViewColumn.Beside
        : vscode.ViewColumn.Active;
    this.#adopt(vscode.window.createWebviewPanel(ContextPanel.id, 'Context', column));
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.#panel === undefined) this.#adopt(panel);
    else panel.dispose();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #adopt(panel: vscode.WebviewPanel): void {
    const link = new WebviewLink<ContextFact>({
      isVisible: () => panel.visible,
      post: (fact) => void panel.webview.postMessage(fact),
    });
    this.#panel = panel;
    this.#link = link;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'plimsoll-tab.svg');
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const post = parseContextPost(message);
      if (post === undefined) return;
      if (post.wish.type === 'announceReady') link.ready();
      this.fulfil(post);
    });
    panel.onDidChangeViewState(() => link.visibilityChanged());
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      this.#link = undefined;
    });
    servePage(panel.webview, this.extensionUri, 'context', 'Context');
  }
}
