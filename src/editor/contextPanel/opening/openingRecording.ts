import type { Transcript } from '../../../sessions/transcript';
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

  /** Opens a recording with progress and Cancel, and shows it as soon as its file is read. */
  async run<T>(file: string, open: (...opening: Opening) => Promise<T>): Promise<T> {
    const running: Running = { stop: new AbortController(), view: undefined };
    this.#running = running;
    const show = (view: OpeningView): void => {
      running.view = view;
      if (this.#running === running) this.#post();
    };
    const read = (transcript: Transcript): void =>
      show({ ...openingView(file, transcript, this.demoAuthor), share: 0 });
    try {
      return await withProgress(
        `Plimsoll: replaying ${file}`,
        (signal, progressed) => {
          const both = (share: number): void => {
            progressed(share);
            if (running.view !== undefined) show({ ...running.view, share });
          };
          return open(signal, both, read);
        },
        running.stop,
      );
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
