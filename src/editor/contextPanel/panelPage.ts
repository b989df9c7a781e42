import * as vscode from 'vscode';
import type { ContextFact } from './state';
import { CONTEXT_PANEL } from '../page';
import { WebviewLink, WebviewPage } from '../page';

/** Whether the user can see the panel. */
export type PanelSight = 'shown' | 'hidden' | 'closed';

/** Hears from the page. */
interface PageListener {
  /** Handles what the page posts. */
  receive(message: unknown): void;
  seen(how: PanelSight): void;
  /** The page is back after a reload of the window. */
  restored(): void;
}

/** The page of the Context panel in the editor area; at most one, and it comes back after a reload. */
export class PanelPage implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  #link: WebviewLink<ContextFact> | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly panel: PageListener,
  ) {}

  get isLive(): boolean {
    return this.#link?.isLive ?? false;
  }

  /** The editor column that shows the panel; undefined while it cannot be seen. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel?.visible === true ? this.#panel.viewColumn : undefined;
  }

  /** Notes that the page is listening. */
  ready(): void {
    this.#link?.ready();
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
    const panel = vscode.window.createWebviewPanel(CONTEXT_PANEL, 'Context', column);
    this.#show(panel, new WebviewPage(panel.webview, this.extensionUri, 'context', 'Context'));
  }

  /** Takes over the panel that VS Code brings back after a reload, with the page that is in it. */
  adopt(panel: vscode.WebviewPanel, page: WebviewPage): void {
    if (this.#panel !== undefined) {
      panel.dispose();
      return;
    }
    this.#show(panel, page);
    this.panel.restored();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #show(panel: vscode.WebviewPanel, page: WebviewPage): void {
    const link = new WebviewLink<ContextFact>(panel);
    this.#panel = panel;
    this.#link = link;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'plimsoll-tab.svg');
    const tellSight = () => this.panel.seen(panel.visible ? 'shown' : 'hidden');
    panel.onDidChangeViewState(() => {
      link.visibilityChanged();
      tellSight();
    });
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      this.#link = undefined;
      this.panel.seen('closed');
    });
    tellSight();
    page.listen((message) => this.panel.receive(message));
  }
}
