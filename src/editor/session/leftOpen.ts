import type { Memento } from 'vscode';
import type { ShownBefore } from './shownLog';
import type { SessionRun } from './sessionRun';

/** The keys for the session shown, and for the sessions at work in the background. */
const SHOWN = 'plimsoll.sessionShown';
const AT_WORK = 'plimsoll.sessionsAtWork';

/** Stores, across a reload, which session was shown and which others were at work. */
export class LeftOpen {
  readonly shown: ShownBefore;
  #noted: string;
  #isClosing = false;

  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly run: (work: () => PromiseLike<unknown>) => void,
  ) {
    this.#noted = this.atWork.join(' ');
    this.shown = {
      get: () => memento.get<string>(SHOWN),
      set: (name) => {
        if (memento.get<string>(SHOWN) !== name) run(() => memento.update(SHOWN, name));
      },
    };
  }

  /** The ids of the background sessions that were at work or waited. */
  get atWork(): readonly string[] {
    return this.memento.get<readonly string[]>(AT_WORK, []);
  }

  /** Freezes the note, because the window closes and ends every turn. */
  close(): void {
    this.#isClosing = true;
  }

  /** Notes which background sessions are at work. */
  noteWork(background: readonly Pick<SessionRun, 'window'>[]): void {
    const ids = background.map(({ window }) => window.sessionId);
    if (this.#isClosing || ids.join(' ') === this.#noted) return;
    this.#noted = ids.join(' ');
    this.run(() => this.memento.update(AT_WORK, ids));
  }
}
