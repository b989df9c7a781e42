import { stripVTControlCharacters } from 'node:util';
import { RedactedStream } from './secrets';

/** Most characters of output that are kept of a command in the background. */
export const RING_CHARS = 200_000;

/** An escape sequence at the end of a text, which more may follow. */
// eslint-disable-next-line no-control-regex -- it is looked for
const OPEN_ESCAPE = /\u001b(?:\[[0-9;?]*)?$/;

/**
 * The output of a command: its last characters, without secrets. What is read comes without escape
 * sequences, once.
 */
export class OutputRing {
  readonly #redacted = new RedactedStream();
  #kept = '';
  #total = 0;
  #read = 0;

  /** `limit` is the most characters that are kept. */
  constructor(private readonly limit: number = RING_CHARS) {}

  add(text: string): void {
    this.#take(this.#redacted.push(text));
  }

  /** Notes that nothing more comes. */
  end(): void {
    this.#take(this.#redacted.end());
  }

  /** All that is kept; `missed` characters came before it and are gone. */
  get all(): { readonly text: string; readonly missed: number } {
    this.#trim();
    return {
      text: stripVTControlCharacters(this.#kept),
      missed: this.#total - this.#kept.length,
    };
  }

  /** What came since the last reading; `missed` characters of it are gone. */
  read(): { readonly text: string; readonly missed: number } {
    this.#trim();
    const first = this.#total - this.#kept.length;
    const missed = Math.max(0, first - this.#read);
    const unread = this.#kept.slice(Math.max(0, this.#read - first));
    const whole = unread.replace(OPEN_ESCAPE, '');
    this.#read = this.#total - (unread.length - whole.length);
    return { text: stripVTControlCharacters(whole), missed };
  }

  #take(text: string): void {
    this.#total += text.length;
    this.#kept += text;
    // Cutting at every chunk would copy all of it each time.
    if (this.#kept.length > 2 * this.limit) this.#trim();
  }

  #trim(): void {
    this.#kept = this.#kept.slice(-this.limit);
  }
}
