import type { BlockKind, BlockState } from '../contextWindow/block';
import type { Balance, Category } from '../contextWindow/ledger';
import type { Action, Amount, PolicyName, RungGain, Trigger } from '../contextWindow/plan';
import type { Scratchpad } from '../contextWindow/scratchpad';

export type { Action, Amount, Balance, Category, BlockKind, BlockState, Scratchpad };
export { CATEGORIES } from '../contextWindow/ledger';

/**
 * Everything the Context panel draws: labels and numbers, never the text of a block. The summaries
 * of a pass that waits for the user's word are no blocks yet, and are there to be edited.
 */
export interface ContextView {
  readonly title: string;
  readonly model: string;
  readonly offline: boolean;
  /** Where the window's size comes from: "from a setting", "from the model list", ... */
  readonly windowSource: string;
  readonly policy: string;
  /** Whether passes run by themselves, wait for the user's word, or run only when asked for. */
  readonly compaction: 'auto' | 'ask' | 'off';
  /** A pass is due above this many tokens. */
  readonly passAbove: number;
  readonly turn: number;
  readonly step: number;
  readonly busy: boolean;
  readonly balance: Balance;
  /** Set when settings are invalid or the window is full: names what to change. */
  readonly problem?: string;
  readonly blocks: readonly BlockView[];
  /** Newest first. */
  readonly passes: readonly PassView[];
  /** The pass that waits for the user's word. */
  readonly review?: ReviewView;
  /** Times content was needed again that the window no longer held: recalled, or read anew. */
  readonly refaults: { readonly recalls: number; readonly reads: number };
  /** Project memory of the workspace's root, as it is told. */
  readonly memory: readonly MemoryView[];
}

/** One project memory file; less than all of it is shown to the model where it is over its cap. */
export interface MemoryView {
  readonly path: string;
  readonly shownChars: number;
  readonly chars: number;
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
  readonly policy: PolicyName;
  readonly undone: boolean;
  /** Why it cannot be undone (any more); absent when it can. */
  readonly whyNotUndone?: string;
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
  readonly action: Action;
  readonly reason: string;
  readonly before: Amount;
  readonly after: Amount;
}

/** A pass as it would apply. */
export interface ReviewView {
  /** Told back with the user's word, so that it is of this draft and no other. */
  readonly draft: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly highTokens: number;
  /** What would change; kept blocks are left out. */
  readonly decisions: readonly DecisionView[];
  readonly summaries: readonly DraftSummaryView[];
}

/** A summary that would stand for `covers` blocks, to be read and edited. */
export interface DraftSummaryView {
  readonly id: string;
  readonly covers: number;
  readonly text: string;
  /** "written by claude-haiku-4-5", or that it is a work note and why. */
  readonly writtenBy: string;
}

/** Said by the host to the Context panel. */
export type ContextFact =
  | { readonly type: 'contextChanged'; readonly context: ContextView }
  | { readonly type: 'wishRefused'; readonly message: string }
  | { readonly type: 'scratchpadFetched'; readonly scratchpad: Scratchpad };

/** Wished by the Context panel of the host. */
export type ContextWish =
  | { readonly type: 'announceReady' }
  | { readonly type: 'openBlock'; readonly blockId: string }
  | { readonly type: 'pinBlock'; readonly blockId: string }
  | { readonly type: 'unpinBlock'; readonly blockId: string }
  /** Makes a prompt the task. */
  | { readonly type: 'moveAnchor'; readonly blockId: string }
  | { readonly type: 'fetchScratchpad' }
  | { readonly type: 'updateScratchpad'; readonly scratchpad: Scratchpad }
  | { readonly type: 'makeRoom' }
  | { readonly type: 'undoPass'; readonly number: number }
  /** Applies the pass that waits, but for the blocks spared, with its summaries as edited, by id. */
  | {
      readonly type: 'applyPass';
      readonly draft: number;
      readonly spared: readonly string[];
      readonly summaries: Readonly<Record<string, string>>;
    }
  | { readonly type: 'postponePass'; readonly draft: number }
  | { readonly type: 'openAgentView' }
  | { readonly type: 'openSettings' };
