import * as z from 'zod/mini';
import { WHAT_IF } from '../whatIfSettings';
import type { NotShown } from './recordingThread';

const KEPT = z.object({
  file: z.string().check(z.minLength(1)),
  /** Its number, which the panel uses to find its own stored state. */
  number: z.int().check(z.minimum(1)),
  /** The settings chosen for the replay; absent for none. */
  chosen: z.exactOptional(WHAT_IF),
  following: z.boolean(),
  /** The step travelled to. */
  at: z.union([z.int().check(z.minimum(1)), z.literal('now')]),
});

/** An open recording, as stored across a reload of the window. */
export type KeptRecording = z.output<typeof KEPT>;

/** Its storage; VS Code's workspace state fits. */
interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'plimsoll.openRecording';

/** Stores which recording is open, and the user's view of it. */
export class OpenRecording {
  /** The JSON written last; undefined before that. */
  #written: string | undefined;

  constructor(private readonly store: Store) {}

  /** The stored recording; undefined for none. */
  read(): KeptRecording | undefined {
    return KEPT.safeParse(this.store.get(KEY)).data;
  }

  /**
   * Saves the open recording if it has changed; undefined for none. A recording from before the
   * reload stays saved until another is opened.
   */
  async keep(kept: KeptRecording | undefined): Promise<void> {
    const written = JSON.stringify(kept);
    if (written === this.#written) return;
    this.#written = written;
    await this.store.update(KEY, kept);
  }

  /** Forgets the recording that was open before the reload. */
  async forget(): Promise<void> {
    await this.store.update(KEY, undefined);
  }
}

/** Why the recording from before the reload is not shown, and whether Plimsoll tries again. */
export function notReopened(file: string, { message, cause }: NotShown): string {
  const later =
    'Plimsoll tries again when the window is reloaded, unless you open another recording first.';
  switch (cause) {
    case 'stopped':
      return `the replay of ${file} was stopped, and the current session is shown. ${later}`;
    case 'lost':
      return `the recording that was open is no longer shown. ${message}`;
    case 'other':
      return `the recording that was open is not shown. ${message} ${later}`;
  }
}
