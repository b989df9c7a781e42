import * as vscode from 'vscode';
import type { AgentFact } from './state';
import { WebviewLink, type WebviewPage } from '../page';

/**
 * The Agent view in the side bar: hands on what its page posts, and posts facts while it can be
 * seen.
 */
export class AgentViewProvider {
  #link: WebviewLink<AgentFact> | undefined;
  #view: vscode.WebviewView | undefined;
  #badge: vscode.ViewBadge | undefined;

  /** `hidden` is called whenever it cannot be seen any more. */
  constructor(
    private readonly receive: (message: unknown) => void,
    private readonly hidden: () => void,
  ) {}

  get isLive(): boolean {
    return this.#link?.isLive ?? false;
  }

  /** Notes that the page is listening. */
  ready(): void {
    this.#link?.ready();
  }

  post(fact: AgentFact): void {
    this.#link?.post(fact);
  }

  /** Marks the view's icon with how many questions wait; 0 removes the mark. */
  setBadge(value: number, tooltip: string): void {
    this.#badge = value === 0 ? undefined : { value, tooltip };
    if (this.#view !== undefined) this.#view.badge = this.#badge;
  }

  /** Takes over a view that VS Code shows, with the page that is in it. */
  adopt(view: vscode.WebviewView, page: WebviewPage): void {
    const link = new WebviewLink<AgentFact>({
      isVisible: () => view.visible,
      post: (fact) => void view.webview.postMessage(fact),
    });
    this.#link = link;
    this.#view = view;
    view.badge = this.#badge;
    view.onDidChangeVisibility(() => {
      link.visibilityChanged();
      if (!view.visible) this.hidden();
    });
    view.onDidDispose(() => {
      if (this.#link !== link) return;
      this.#link = undefined;
      this.#view = undefined;
    });
    page.listen((message) => this.receive(message));
  }
}
