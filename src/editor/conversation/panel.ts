import type * as vscode from 'vscode';
import type { AgentFact } from './state';
import { WebviewLink, type WebviewPage } from '../page';

/**
 * The Agent view in the side bar: passes on the page's messages, and posts facts while it is
 * visible.
 */
export class AgentViewProvider {
  #link: WebviewLink<AgentFact> | undefined;
  #view: vscode.WebviewView | undefined;
  #isFocused = false;
  #badge: vscode.ViewBadge | undefined;
  readonly #offered: string[] = [];

  #receive = (_message: unknown): void => undefined;
  #hidden = (): void => undefined;

  /** Calls back with what the page posts. */
  onMessage(listener: (message: unknown) => void): void {
    this.#receive = listener;
  }

  /** Calls back when the view is hidden. */
  onHidden(listener: () => void): void {
    this.#hidden = listener;
  }

  get isLive(): boolean {
    return this.#link?.isLive ?? false;
  }

  /** Whether the user's keys go to the page. */
  get isFocused(): boolean {
    return this.isLive && this.#isFocused;
  }

  /** The page got the focus, or lost it. */
  focusChanged(isFocused: boolean): void {
    this.#isFocused = isFocused;
  }

  /** The page is listening now. */
  ready(): void {
    this.#link?.ready();
    for (const text of this.#offered.splice(0)) this.offer(text);
  }

  post(fact: AgentFact): void {
    this.#link?.post(fact);
  }

  /** Puts a prompt into the composer, now or when the page is next in sight. */
  offer(text: string): void {
    if (this.isLive) this.post({ type: 'promptOffered', text });
    else this.#offered.push(text);
  }

  /** Shows the number of open questions on the view's icon; 0 removes it. */
  setBadge(value: number, tooltip: string): void {
    this.#badge = value === 0 ? undefined : { value, tooltip };
    if (this.#view !== undefined) this.#view.badge = this.#badge;
  }

  /** Takes over a view from VS Code, with its page. */
  adopt(view: vscode.WebviewView, page: WebviewPage): void {
    const link = new WebviewLink<AgentFact>(view);
    this.#link = link;
    this.#view = view;
    view.badge = this.#badge;
    view.onDidChangeVisibility(() => {
      link.visibilityChanged();
      if (!view.visible) this.#hidden();
    });
    view.onDidDispose(() => {
      if (this.#link !== link) return;
      this.#link = undefined;
      this.#view = undefined;
    });
    page.listen((message) => this.#receive(message));
  }
}
