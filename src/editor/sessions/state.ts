/** The sessions before and after a handover; absent if there are none. */
export interface SessionLinks {
  /** The session that handed its work over to this one. */
  readonly from?: LinkedSession;
  /** The sessions this one handed its work over to, oldest first. */
  readonly to: readonly LinkedSession[];
}

/** Another session, with its title at the time of the handover. */
export interface LinkedSession {
  readonly session: string;
  readonly title: string;
  /** Its log was deleted. */
  readonly isGone: boolean;
}
