import type { Amount } from '../../../contextWindow/plan';
import type { FileChoiceView } from '../files/state';

/** How much of a text the model saw: all, a part, a summary of it, or nothing. */
export type Seen = 'whole' | 'part' | 'summary' | 'nothing';

/** From one step's request up to another's, for which it no longer holds. */
export interface LifeSpan {
  readonly from: number;
  readonly to: number;
  readonly seen: Seen;
}

/** An event in its life. */
export interface LifeMoment {
  /** The step that did it, or before which it was done. */
  readonly step: number;
  readonly kind: 'used' | 'taken' | 'back' | 'again';
  /** "read", "cleared by pass 1 (−1,037)". */
  readonly words: string;
}

/** The life of a block or a file, step by step. */
export interface LifeView {
  /** The block's name, or the file's path. */
  readonly title: string;
  /** Gapless, from its first step to the newest request. */
  readonly spans: readonly LifeSpan[];
  /** In the order they happened. */
  readonly moments: readonly LifeMoment[];
}

/** A file of the session, by what the window holds of it. */
export interface FileLifeView extends LifeView {
  /**
   * What the calls on it, and the view of files, take of the window for it now; an estimate, since
   * neither is counted by itself.
   */
  readonly tokens: number;
  readonly reads: number;
  readonly edits: number;
  /** Times it was read although the window had held it before. */
  readonly again: number;
  /** Lines of it in the excerpts now. */
  readonly shown: number;
  /** The user's choice for it; absent if the session knows no text of it. */
  readonly chosen?: FileChoiceView;
}

/** Removed content that was needed again. */
export interface NeededAgainView {
  /** The block that held it. */
  readonly blockId: string;
  /** The step that asked for it. */
  readonly step: number;
  /** The file, the handle or the words asked for. */
  readonly what: string;
  /** The tokens it took; an estimate. */
  readonly tokens: number;
  /** The number of the pass that removed it; absent if the log has lost it. */
  readonly pass?: number;
}

/** How a block left the window. */
export interface LeftView {
  /** Its tokens when it was removed, by the pass. */
  readonly was: Amount;
  /** The pass that removed it; absent if the user did. */
  readonly pass?: number;
  /** The step before which it was removed. */
  readonly beforeStep: number;
}

/**
 * How far a button moves the window, in tokens, calculated by making its change; or why the change
 * would be refused.
 */
export type MoveView =
  { readonly tokens: number; readonly exact: boolean } | { readonly whyNot: string };

/** The moves of a block's buttons; absent for a button that the block does not have. */
export interface BlockMoves {
  readonly restore?: MoveView;
  readonly recall?: MoveView;
  readonly exclude?: MoveView;
  readonly clear?: MoveView;
  readonly pin?: MoveView;
  readonly unpin?: MoveView;
  /** Makes a prompt the task. */
  readonly task?: MoveView;
}

/** The undo of all the user's changes. */
export interface UndoAllView {
  readonly changes: number;
  readonly move: MoveView;
}
