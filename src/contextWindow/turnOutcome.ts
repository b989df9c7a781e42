/** Where a turn stops and asks whether it may go on; an absent limit does not hold. */
export interface TurnCaps {
  readonly steps?: number;
  /** Sent and written, cached ones included. */
  readonly tokens?: number;
  /** US dollars at list price. */
  readonly usd?: number;
}

/** What a turn has spent. */
export interface TurnSpend {
  readonly steps: number;
  /** Sent and written, cached ones included. */
  readonly tokens: number;
  /** US dollars at list price; absent where the price of a model is not known. */
  readonly usd?: number;
}

/** How a turn ended; `message` is a sentence for the user. */
export type TurnOutcome =
  | { readonly type: 'finished' }
  | { readonly type: 'replyCut'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'stopped' }
  /** The window was reloaded or closed. A turn that a crash ended has no end in the log. */
  | { readonly type: 'interrupted' }
  /** In older logs, where `--max-steps` was the only limit. */
  | { readonly type: 'stepLimit'; readonly steps: number }
  /** A limit of the user's was reached: `most` of what it counts. */
  | {
      readonly type: 'capReached';
      readonly cap: keyof TurnCaps;
      readonly most: number;
      /** Since the turn began, or the user last said that it goes on. */
      readonly spent: TurnSpend;
    }
  | { readonly type: 'contextFull'; readonly message: string }
  | { readonly type: 'failed'; readonly failure: string; readonly message: string };
