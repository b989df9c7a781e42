/** The side of a webview that the host uses; VS Code's own objects fit it. */
export interface WebviewEnd<F> {
  isVisible(): boolean;
  post(fact: F): void;
}

/**
 * Posts facts to a page while somebody can see it. A hidden page is gone for good (its content is
 * not retained), so it is told everything again when it announces itself again.
 */
export class WebviewLink<F> {
  #isReady = false;

  constructor(private readonly end: WebviewEnd<F>) {}

  /** Says whether a post would be seen. */
  get isLive(): boolean {
    return this.#isReady && this.end.isVisible();
  }

  /** Takes note that the page listens. */
  ready(): void {
    this.#isReady = true;
  }

  /** Takes note of a change of visibility. */
  visibilityChanged(): void {
    if (!this.end.isVisible()) this.#isReady = false;
  }

  post(fact: F): void {
    if (this.isLive) this.end.post(fact);
  }
}
