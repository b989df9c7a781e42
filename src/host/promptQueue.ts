/** Keeps prompts typed while the agent is busy; each comes out once, in the order they came in. */
export class PromptQueue {
  #waiting: readonly string[] = [];

  get waiting(): readonly string[] {
    return this.#waiting;
  }

  add(prompt: string): void {
    this.#waiting = [...this.#waiting, prompt];
  }

  /** Takes out the oldest prompt; undefined when none waits. */
  next(): string | undefined {
    const [first, ...rest] = this.#waiting;
    this.#waiting = rest;
    return first;
  }

  /** Puts a prompt that could not be sent back in front. */
  putBack(prompt: string): void {
    this.#waiting = [prompt, ...this.#waiting];
  }

  clear(): void {
    this.#waiting = [];
  }
}
