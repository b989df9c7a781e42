import type { BlockId, HiddenFile, ShownLines } from './block';
import type { RegionScore } from './fileFacts';

/** What a pass shows of the files in work, with why. */
export interface FileView {
  readonly id: BlockId;
  readonly step: number;
  readonly shown: readonly (ShownLines & RegionScore)[];
  readonly hidden: readonly HiddenFile[];
  /** Estimated tokens as it is sent. */
  readonly tokens: number;
}
