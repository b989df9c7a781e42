import type { Block } from '../contextWindow/block';
import { textsOf } from '../contextWindow/account/guesses';
import type { ContextWindow } from '../contextWindow/contextWindow';
import type { KnownFile } from '../contextWindow/files/knownFile';
import { piecesOf } from '../contextWindow/files/regions';
import { regionText } from '../contextWindow/files/shownRegions';
import type { ReplayPorts } from './replaySettings';

/** Has the texts of a window counted before they are weighed, each once. */
export class WarmedTexts {
  readonly #blocks = new WeakSet<Block>();
  readonly #files = new WeakSet<KnownFile>();

  /** `areFilesShown`: what is known of files is weighed, too, region by region. */
  constructor(
    private readonly ports: Pick<ReplayPorts, 'warm'>,
    private readonly areFilesShown: boolean,
  ) {}

  /** Every block is warmed once in each of its forms, before it is weighed for the first time. */
  async warm(window: ContextWindow): Promise<void> {
    const blocks = window.blocks.filtered((block) => !this.#blocks.has(block));
    for (const block of blocks) this.#blocks.add(block);
    await this.ports.warm(textsOf({ ...window, blocks }));
    if (this.areFilesShown) await this.#warmFiles(window);
  }

  /** What is known of a file is cut into the same regions as long as it stays the same. */
  async #warmFiles({ files }: ContextWindow): Promise<void> {
    const unknown = [...files.values()].filter((file) => !this.#files.has(file));
    for (const file of unknown) this.#files.add(file);
    await this.ports.warm(unknown.flatMap(piecesOf).map(regionText));
  }
}
