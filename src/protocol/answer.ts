import type { Scratchpad } from '../contextWindow/scratchpad';
import type { DecisionView } from './decisionView';
import type { RequestView } from './requestView';
import type { PlanView, WhatIfView } from './whatIf';

/** What the host says to a wish of the Context panel; most are fulfilled without a word. */
export type Answer =
  | { readonly type: 'wishRefused'; readonly message: string }
  /** What was wished has been done, or was so already: said where something waits for it. */
  | { readonly type: 'wishFulfilled' }
  | { readonly type: 'scratchpadFetched'; readonly scratchpad: Scratchpad }
  | { readonly type: 'summaryFetched'; readonly blockId: string; readonly text: string }
  | {
      readonly type: 'decisionsFetched';
      readonly number: number;
      readonly decisions: readonly DecisionView[];
    }
  | { readonly type: 'requestFetched'; readonly request: RequestView }
  | { readonly type: 'previewShown'; readonly preview: PlanView }
  | { readonly type: 'whatIfShown'; readonly whatIf: WhatIfView };

/** An answer with the number of the wish it is to, and the session that was made of. */
export interface WishAnswered {
  readonly type: 'wishAnswered';
  readonly session: string;
  readonly number: number;
  readonly answer: Answer;
}
