import { errorText } from '../contextWindow/result';

/** A value that is created once, on first use. */
export class OnDemand<T> {
  #making: Promise<T> | undefined;
  #made: { readonly it: T } | undefined;
  #waiting: ((made: T) => void)[] = [];

  constructor(private readonly make: () => Promise<T>) {}

  /** Returns it, and creates it on the first call. A failure is final. */
  get(): Promise<T> {
    this.#making ??= this.#begin();
    return this.#making;
  }

  /** Returns it if it was requested and could be created; waits for it, but does not create it. */
  async ifWanted(): Promise<T | undefined> {
    return this.#making?.catch(() => undefined);
  }

  /** Calls back once it exists, or immediately if it does; does not create it. */
  whenThere(use: (made: T) => void): void {
    if (this.#made === undefined) this.#waiting.push(use);
    else use(this.#made.it);
  }

  async #begin(): Promise<T> {
    const it = await this.make();
    this.#made = { it };
    for (const use of this.#waiting.splice(0)) use(it);
    return it;
  }
}

/**
 * Waits for a module that is loaded on first use. If that fails, the error says so in words for the
 * user.
 */
export async function loadPart<T>(name: string, part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    // Node appends the importing files, one a line.
    const [why] = errorText(error).split('\n');
    const message = `${name} could not be loaded. Reload the window; if that does not help, install Plimsoll again. (${why})`;
    throw new Error(message, { cause: error });
  }
}
