import type { BlockId } from './block';
import type { Scratchpad } from './scratchpad';

/** What the user changed for which no pass stands. */
export interface HandEdit {
  /** `notesBack`: the notes as they were before the user's own change. */
  readonly kind: 'pinned' | 'unpinned' | 'anchor' | 'recall' | 'notes' | 'notesBack';
  /** The step that was asked for next. */
  readonly beforeStep: number;
  /** The newest pass before it; 0 for none. */
  readonly afterPass: number;
  /** The block changed or brought back; of the notes the note that tells them. */
  readonly blockId: BlockId;
  /** What was the task before; of `anchor` alone. */
  readonly former?: BlockId;
}

/** The last change of the notes. */
export interface NotesChange {
  readonly by: 'agent' | 'user';
  /** The newest step then: the one that made it, where the agent did. */
  readonly step: number;
  /** As they were before it. */
  readonly former: Scratchpad;
  /** The note that tells it; of the user's alone. */
  readonly note?: BlockId;
}
