import type { Amount } from '../../../contextWindow/plan';
import type { FileChoiceView } from '../files/state';

/** How much of a text the model saw: all, a part, what a summary tells of it, or nothing. */
export type Seen = 'whole' | 'part' | 'told' | 'nothing';

/** From one step's request up to another's, for which it no longer holds. */
export interface LifeSpan {
  readonly from: number;
  readonly to: number;
  readonly seen: Seen;
}

/** Something that happened to it, or that it was needed for. */
export interface LifeMoment {
  /** The step that did it, or before which it was done. */
  readonly step: number;
  readonly kind: 'used' | 'taken' | 'back' | 'again';
  /** "read", "cleared by pass 1 (−1,037)". */
  readonly words: string;
}

/** What became of a block or of a file, from step to step. */
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
  /** Lines of it that a view of files shows now. */
  readonly shown: number;
  /** What the user says of it; absent where nothing is known that could be shown. */
  readonly chosen?: FileChoiceView;
}

/** Something that had left and was needed again. */
export interface NeededAgainView {
  /** The step that asked for it. */
  readonly step: number;
  /** The file, the handle or the words asked for. */
  readonly what: string;
  /** What having it again took; an estimate. */
  readonly tokens: number;
  /** The number of the pass that had taken it; absent where the log has lost it. */
  readonly pass?: number;
}

/** How a block left the window. */
export interface LeftView {
  /** What it took when it left, as its pass says. */
  readonly was: Amount;
  /** What it took before anything of it was taken: what a restore brings back. */
  readonly whole: Amount;
  /** The pass that took it; absent where the user took it out. */
  readonly pass?: number;
  /** The step that was about to be asked for. */
  readonly beforeStep: number;
}
