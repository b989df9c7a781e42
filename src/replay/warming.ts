import { textsOf } from '../contextWindow/account/guesses';
import type { Block } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/window';
import type { KnownFile } from '../contextWindow/files/knownFile';
import { piecesOf, regionText } from '../contextWindow/files/regions';
import type { ReplayPorts } from './replaySettings';

/** Gets what a window holds ready to be weighed, each value once. */
export class Warming {
  readonly #blocks = new WeakSet<Block>();
  readonly #files = new WeakSet<KnownFile>();

  constructor(
    private readonly ports: Pick<ReplayPorts, 'warm'>,
    private readonly showsFiles: boolean,
  ) {}

  /** Every block is warmed once in each of its forms, before it is weighed for the first time. */
  async warm(window: ContextWindow): Promise<void> {
    const blocks = window.blocks.filtered((block) => !this.#blocks.has(block));
    for (const block of blocks) this.#blocks.add(block);
    await this.ports.warm(textsOf({ ...window, blocks }));
    if (!this.showsFiles) return;
    const files = [...window.files.values()].filter((file) => !this.#files.has(file));
    for (const file of files) this.#files.add(file);
    await this.ports.warm(files.flatMap(piecesOf).map(regionText));
  }
}
