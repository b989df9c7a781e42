import type { Inspection } from './inspection';

/** How long nothing may have been published before the files are read; ms. */
const STANDS_STILL_MS = 300;

/** What reading ahead needs of the host. */
export interface ReadAheadParts {
  readonly inspection: Pick<Inspection, 'readAhead'>;
  /** Told when what would leave next goes by files that were just read. */
  changed(): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<unknown>): void;
}

/**
 * Reads the files that the next pass would show once the session stands still: what the panel says of that pass is what
 * a preview says then, and what the pass does. While steps follow each other it goes by the log, which has their edits.
 */
export class ReadAhead {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: ReadAheadParts) {}

  /** Reads them soon, and only once where this is asked for again until then. */
  request(): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      const { inspection, changed, background } = this.parts;
      background(async () => {
        if (await inspection.readAhead()) changed();
      });
    }, STANDS_STILL_MS);
  }

  /** Forgets a reading that is due. */
  cancel(): void {
    clearTimeout(this.#timer);
  }
}
