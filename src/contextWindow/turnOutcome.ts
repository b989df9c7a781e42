/** How a turn ended; `message` is a sentence for the user. */
export type TurnOutcome =
  | { readonly type: 'finished' }
  | { readonly type: 'replyCut'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'stopped' }
  /** The window was reloaded or closed. A turn that a crash ended has no end in the log. */
  | { readonly type: 'interrupted' }
  | { readonly type: 'stepLimit'; readonly steps: number }
  | { readonly type: 'contextFull'; readonly message: string }
  | { readonly type: 'failed'; readonly failure: string; readonly message: string };
