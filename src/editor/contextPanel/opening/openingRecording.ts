import { withProgress } from '../../recordings/recordingDialogs';
import type { Opening } from '../../recordings/recordings';
import type { ContextFact } from '../state';
import { openingView } from './derive';
import type { OpeningView } from './state';

/** A recording that is being opened. */
interface Running {
  readonly stop: AbortController;
  /** Undefined until the file is read. */
  view: OpeningView | undefined;
}

/** Shows on the page what a recording says about its own agent, while it is replayed. */
export class OpeningRecording {
  /** The one begun last. */
  #running: Running | undefined;

  constructor(
    private readonly page: { post(fact: ContextFact): void },
    private readonly demoAuthor: string,
  ) {}

  /** Tells a new page about it. */
  hydrate(): void {
    if (this.#running?.view !== undefined) this.#post();
  }

  /**
   * Opens a recording with progress and Cancel: in a notification until its file is read, and after
   * that on the page.
   */
  async run<T>(file: string, open: (...opening: Opening) => Promise<T>): Promise<T> {
    const running: Running = { stop: new AbortController(), view: undefined };
    this.#running = running;
    const show = (view: OpeningView): void => {
      running.view = view;
      if (this.#running === running) this.#post();
    };
    const progressed = (share: number): void => {
      if (running.view !== undefined) show({ ...running.view, share });
    };
    let shown = (): void => undefined;
    const isShown = new Promise<void>((resolve) => (shown = resolve));
    const work = open(running.stop.signal, progressed, (transcript) => {
      show({ ...openingView(file, transcript, this.demoAuthor), share: 0 });
      shown();
    });
    void work.then(shown, shown);
    void withProgress(`Plimsoll: reading ${file}`, () => isShown, running.stop);
    try {
      return await work;
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        if (running.view !== undefined) this.#post();
      }
    }
  }

  /** Stops opening; the page shows what it showed before. */
  stop(): void {
    this.#running?.stop.abort();
  }

  #post(): void {
    this.page.post({ type: 'recordingOpening', opening: this.#running?.view });
  }
}
