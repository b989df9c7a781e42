/** The sessions that a session goes on with or in; absent where there is none. */
export interface SessionLinks {
  /** The session that handed its work over to this one. */
  readonly from?: LinkedSession;
  /** The sessions this one handed its work over to, oldest first. */
  readonly to: readonly LinkedSession[];
}

/** Another session, by what it was called when the work was handed over. */
export interface LinkedSession {
  readonly session: string;
  readonly title: string;
  /** Its log is there no more. */
  readonly isGone: boolean;
}
