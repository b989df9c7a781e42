/** What the spending limits of a turn count; `usd` is US dollars at list price. */
export const TURN_CAPS = ['steps', 'tokens', 'usd'] as const;

/** Limits at which a turn stops and asks whether to continue. */
export type TurnCaps = { readonly [Cap in (typeof TURN_CAPS)[number]]?: number };

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
