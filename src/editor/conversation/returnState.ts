/** The question how to go on with a session that was idle for longer than its time to live. */
export interface ReturnView {
  /** "Idle 30 days, 140,000 tokens, 31 files changed since (git and file times)." */
  readonly sentence: string;
  /** Some of the files that changed, those first that the agent knew. */
  readonly files: readonly ReturnFile[];
  /** How many more there are. */
  readonly moreFiles: number;
  /** The user has answered, and what follows from it is under way. */
  readonly isAnswered: boolean;
}

/** A file that changed while a session was idle; `isGone`: it is no longer there. */
export interface ReturnFile {
  readonly path: string;
  readonly isGone: boolean;
  readonly isKnown: boolean;
}
