import type { BlockId } from './block';

/** A change by the user that is not a pass. */
export interface HandChange {
  /** `scratchpadBack`: the user put the scratchpad back as it was before their own change. */
  readonly kind: 'pinned' | 'unpinned' | 'anchor' | 'recall' | 'scratchpad' | 'scratchpadBack';
  /** The step that was asked for next. */
  readonly beforeStep: number;
  /** The newest pass before it; 0 for none. */
  readonly afterPass: number;
  /** The block changed or brought back; for the scratchpad, the note that tells of the change. */
  readonly blockId: BlockId;
  /** The former task; only for `anchor`. */
  readonly former?: BlockId;
  /** The user took it back; only for `pinned` and `unpinned`. */
  readonly undone?: true;
}
