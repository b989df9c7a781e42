import type { Amount } from '../../../contextWindow/plan';
import type { ContextWish } from '../wishes';

/** Something that costs tokens, and what can be done about it now. */
export type FindingView = FindingOf &
  FindingCost & {
    /** Fulfils the finding's button. */
    readonly act: FindingAction;
    /** Dismisses the finding, if it is an offer. */
    readonly dismiss?: FindingAction;
  };

type FindingOf =
  /** Lines of a file were read again so many times. */
  | { readonly kind: 'reread'; readonly path: string; readonly times: number }
  /** Tools of one provider that are in every request, and were never called. */
  | { readonly kind: 'unusedTools'; readonly provider: string; readonly tools: number }
  /** The prompt cache expires at a moment unless a request is sent before; ms since the epoch. */
  | { readonly kind: 'cacheExpired'; readonly at: number }
  /** A large result that nothing has named for so many steps. */
  | {
      readonly kind: 'unusedResult';
      readonly blockId: string;
      readonly label: string;
      /** Its share of the input budget, 0..1. */
      readonly share: number;
      readonly steps: number;
    }
  /** A file that several sessions of the workspace read again after a pass. */
  | {
      readonly kind: 'neededInSessions';
      readonly path: string;
      readonly sessions: readonly { readonly title: string; readonly times: number }[];
    };

interface FindingCost {
  /**
   * `reread`: what the repeated reads took. `unusedTools`: in each request. `cacheExpired`: written
   * again by the next request. `unusedResult`: what clearing it frees. `neededInSessions`: what the
   * repeated reads of all sessions took.
   */
  readonly tokens: Amount;
  /** The same in US dollars at list price; absent if no price is known, and offline. */
  readonly dollars?: number | undefined;
}

type FindingAction = Extract<
  ContextWish,
  {
    readonly type:
      | 'chooseFile'
      | 'pinBlock'
      | 'turnToolsOff'
      | 'compactNow'
      | 'clearBlock'
      | 'rememberNeeded'
      | 'dismissNeeded';
  }
>;
