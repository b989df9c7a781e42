import type { BlockKind, BlockState } from '../contextWindow/block';
import type { Balance, Category } from '../contextWindow/ledger';
import type { Amount, RungGain, Trigger } from '../contextWindow/plan';

export type { Amount, Balance, Category, BlockKind, BlockState };
export { CATEGORIES } from '../contextWindow/ledger';

/** Everything the Context panel draws: labels and numbers, never the text of a block. */
export interface ContextView {
  readonly title: string;
  readonly model: string;
  readonly offline: boolean;
  /** Where the window's size comes from: "from a setting", "from the model list", ... */
  readonly windowSource: string;
  readonly policy: string;
  readonly turn: number;
  readonly step: number;
  readonly busy: boolean;
  readonly balance: Balance;
  /** Set when settings are invalid or the window is full: names what to change. */
  readonly problem?: string;
  readonly blocks: readonly BlockView[];
  /** Newest first. */
  readonly passes: readonly PassView[];
}

export interface BlockView {
  readonly id: string;
  readonly kind: BlockKind;
  readonly turn: number;
  readonly step?: number;
  readonly label: string;
  /** In words a user would say: why it is here, or why it is not. */
  readonly reason: string;
  readonly state: BlockState;
  readonly pinned: boolean;
  /** Absent for a block that is out of the window. */
  readonly category?: Category;
  /** What it takes in the window now; 0 when it is out. */
  readonly tokens: Amount;
  /** Tools the step called, for the icon. */
  readonly tools: readonly string[];
}

export interface PassView {
  readonly number: number;
  readonly beforeStep: number;
  readonly trigger: Trigger;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly highTokens: number;
  readonly inputBudget: number;
  readonly rungs: readonly RungGain[];
  readonly decisions: readonly DecisionView[];
  readonly rewrittenTokens: number;
  readonly freedTokens: number;
  /** Null when the pass cannot pay for itself. */
  readonly breakEvenRequests: number | null;
  readonly requestsSince: number;
}

export interface DecisionView {
  readonly blockId: string;
  readonly label: string;
  readonly action: 'keep' | 'truncate' | 'clear' | 'compact' | 'evict';
  readonly reason: string;
  readonly before: Amount;
  readonly after: Amount;
}

/** Said by the host to the Context panel. */
export type ContextFact =
  | { readonly type: 'contextChanged'; readonly context: ContextView }
  | { readonly type: 'wishRefused'; readonly message: string };

/** Wished by the Context panel of the host. */
export type ContextWish =
  | { readonly type: 'announceReady' }
  | { readonly type: 'openBlock'; readonly blockId: string }
  | { readonly type: 'pinBlock'; readonly blockId: string }
  | { readonly type: 'unpinBlock'; readonly blockId: string }
  | { readonly type: 'openAgentView' }
  | { readonly type: 'openSettings' };
