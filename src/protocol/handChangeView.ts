import type { HandChange, ScratchpadChange } from '../contextWindow/contextWindow';

/** What the user changed for which no pass stands. */
export interface HandChangeView extends Pick<HandChange, 'kind' | 'beforeStep' | 'afterPass'> {
  /** Names the block; of the notes absent. */
  readonly label?: string;
  /** What takes it back; absent where nothing does, or something has since. */
  readonly undo?: HandChangeUndo;
}

/** The last change of the agent's notes. */
export interface NotesView extends Pick<ScratchpadChange, 'by' | 'step'> {
  /** Of the user's own change alone. */
  readonly undo?: HandChangeUndo;
}

/** A wish that takes back what the user changed. */
export type HandChangeUndo =
  | { readonly type: 'pinBlock' | 'unpinBlock' | 'moveAnchor'; readonly blockId: string }
  | { readonly type: 'undoScratchpad'; readonly note: string };
