import type { HandEdit, NotesChange } from '../contextWindow/contextWindow';

/** What the user changed for which no pass stands. */
export interface EditView extends Pick<HandEdit, 'kind' | 'beforeStep' | 'afterPass'> {
  /** Names the block; of the notes absent. */
  readonly label?: string;
  /** What takes it back; absent where nothing does, or something has since. */
  readonly undo?: EditUndo;
}

/** The last change of the agent's notes. */
export interface NotesView extends Pick<NotesChange, 'by' | 'step'> {
  /** Of the user's own change alone. */
  readonly undo?: EditUndo;
}

/** A wish that takes back what the user changed. */
export type EditUndo =
  | { readonly type: 'pinBlock' | 'unpinBlock' | 'moveAnchor'; readonly blockId: string }
  | { readonly type: 'undoNotes'; readonly note: string };
