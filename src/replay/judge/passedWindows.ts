import type { ContextWindow } from '../../contextWindow/window';
import type { WindowRequest } from '../../contextWindow/request/blockMessages';

/** The first request after a pass, and the step that it asks for. */
export interface PassedWindow {
  readonly step: number;
  readonly request: WindowRequest;
}

/** Most windows of one replay that are asked; they are spread over all of it. */
export const MOST_WINDOWS = 8;

/** Collects the first request after each pass of a replay. */
export class PassedWindows {
  readonly #all: PassedWindow[] = [];
  #passes = 0;

  take(request: WindowRequest, step: number, { ledger }: ContextWindow): void {
    if (ledger.length > this.#passes) this.#all.push({ step, request });
    this.#passes = ledger.length;
  }

  /** How many there are in all. */
  get count(): number {
    return this.#all.length;
  }

  /** Those that are asked: the first, the last, and others evenly between them. */
  get asked(): readonly PassedWindow[] {
    if (this.count <= MOST_WINDOWS) return this.#all;
    const places = Array.from({ length: MOST_WINDOWS }, (_, index) =>
      Math.round((index * (this.count - 1)) / (MOST_WINDOWS - 1)),
    );
    return places.flatMap((place) => this.#all[place] ?? []);
  }
}
