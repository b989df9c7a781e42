/** Keeps head and tail of a growing text; what is cut from the middle is marked. */
export class BoundedOutput {
  #head = '';
  #tail = '';
  #total = 0;
  readonly #half: number;

  /** `limit` is the most characters that are kept, without the mark. */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2);
  }

  /** Characters that came in so far. */
  get total(): number {
    return this.#total;
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Cutting at every chunk would copy the tail each time.
    if (this.#tail.length > 2 * this.#half) this.#tail = this.#tail.slice(-this.#half);
  }

  text(): string {
    const tail = this.#tail.slice(-this.#half);
    const left = this.#total - this.#head.length - tail.length;
    return left === 0
      ? this.#head + tail
      : `${this.#head}\n[${left} characters of output left out here]\n${tail}`;
  }
}
