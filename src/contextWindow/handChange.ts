import type { BlockId } from './block';
import type { Choosing, FileChoice } from './fileChoice';

/** A change by the user that is not a pass. */
export interface HandChange {
  /** `scratchpadBack`: the user put the scratchpad back as it was before their own change. */
  readonly kind:
    'pinned' | 'unpinned' | 'anchor' | 'recall' | 'scratchpad' | 'scratchpadBack' | 'fileChosen';
  /** The step that was asked for next. */
  readonly beforeStep: number;
  /** The newest pass before it; 0 for none. */
  readonly afterPass: number;
  /**
   * The block changed or brought back; for the scratchpad, the note that tells of the change. Absent
   * for `fileChosen`.
   */
  readonly blockId?: BlockId;
  /** What was chosen to be shown, and what held before; only for `fileChosen`. */
  readonly chosen?: Choosing & { readonly former: FileChoice };
  /** The former task; only for `anchor`. */
  readonly former?: BlockId;
  /** The user took it back; only for `pinned`, `unpinned` and `fileChosen`. */
  readonly undone?: true;
}
