/** The host's side of a webview; VS Code's own objects fit. */
export interface WebviewEnd<F> {
  isVisible(): boolean;
  post(fact: F): void;
}

/**
 * Posts facts to a page while somebody can see it. The content of a hidden page is not retained, so
 * the page is told everything again when it announces itself again.
 */
export class WebviewLink<F> {
  #isReady = false;

  constructor(private readonly end: WebviewEnd<F>) {}

  /** Says whether a post would be seen. */
  get isLive(): boolean {
    return this.#isReady && this.end.isVisible();
  }

  /** Notes that the page is listening. */
  ready(): void {
    this.#isReady = true;
  }

  /** Notes a change of visibility. */
  visibilityChanged(): void {
    if (!this.end.isVisible()) this.#isReady = false;
  }

  post(fact: F): void {
    if (this.isLive) this.end.post(fact);
  }
}
