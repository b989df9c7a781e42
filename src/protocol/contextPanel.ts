import type { BlockKind, BlockState } from '../contextWindow/block';
import type { CallKind } from '../contextWindow/callEffect';
import type { Balance, Category } from '../contextWindow/account/balance';
import type {
  Action,
  Amount,
  PolicyName,
  RungGain,
  SalienceFactors,
  Trigger,
} from '../contextWindow/plan';
import type { Scratchpad } from '../contextWindow/scratchpad';
import type { HandProtection } from '../contextWindow/tier';
import type { TierTokens } from '../contextWindow/usage';
import type { WishAnswered } from './answer';
import type { DecisionView } from './decisionView';
import type { HandChangeView, NotesView } from './handChangeView';
import type { FieldPatch, ListPatch } from './patch';
import type { NextView } from './nextView';
import type { ReviewView } from './reviewView';
import type { ExportForm, ShownBlocks } from './shownBlocks';
import type { TimelinePatch, TimelineView } from './timeline';
import type { WhatIfSettings } from './whatIf';

export type { DecisionView } from './decisionView';
export type { ProposedSummaryView, ReviewView } from './reviewView';
export type { Action, Amount, Balance, CallKind, Category, BlockKind, BlockState, Scratchpad };
export { CATEGORIES } from '../contextWindow/account/balance';

/** What became of a block, as it is shown: `excluded` is out because the user took it out. */
export type DisplayState = BlockState | 'excluded';

/**
 * Everything the Context panel draws at once: labels and numbers, never the text of a block. The
 * summaries of a pass that waits for the user's word are no blocks yet, and are there to be edited.
 */
export interface ContextView {
  /** The same while one session or recording is shown; nothing fetched of another holds for it. */
  readonly session: string;
  /** How many events of the session's log it was drawn from. */
  readonly events: number;
  /** Another whenever a request, a plan or a pass worked out before may be another now. */
  readonly revision: string;
  readonly source: SourceView;
  readonly travel: TravelView;
  /** Why nothing can be changed here: a past step, a recording; absent where it can. */
  readonly whyReadOnly?: string;
  /** True until the user has read what the map means. */
  readonly showIntro: boolean;
  /** What the settings say, for a scratch copy to begin with. */
  readonly settings: WhatIfSettings;
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
  /** A pass asked for by hand now would stop at or below this many tokens. */
  readonly handTarget: number;
  readonly turn: number;
  readonly step: number;
  readonly busy: boolean;
  readonly balance: Balance;
  /** The same tokens by tier, as the timeline tells them. */
  readonly tiers: TierTokens;
  /** Set when settings are invalid or the window is full: names what to change. */
  readonly problem?: string;
  readonly blocks: readonly BlockView[];
  /** Newest first. */
  readonly passes: readonly PassView[];
  /** What the user changed without a pass, newest first. */
  readonly edits: readonly HandChangeView[];
  /** Who changed the notes last; absent while nobody has. */
  readonly notes?: NotesView;
  /** The pass that waits for the user's word. */
  readonly review?: ReviewView;
  /** A pass waits in the current session, while something else is shown. */
  readonly reviewWaits: boolean;
  /**
   * Times content was needed again that the window no longer held: recalled or read anew by the
   * agent, or restored by the user, unless they had taken it out themselves.
   */
  readonly refaults: {
    readonly recalls: number;
    readonly reads: number;
    readonly restores: number;
  };
  /** What the API's own editing would make of the next request, in tokens, by its own count. */
  readonly apiEdits?: { readonly before: number; readonly after: number };
  readonly next: NextView;
  readonly scratchpad: Scratchpad;
  /** Project memory of the workspace's root, as it is told. */
  readonly memory: readonly MemoryView[];
}

/** What is other in the view than in the one before. */
export interface ContextPatch extends FieldPatch<Omit<ContextView, 'blocks' | 'passes'>> {
  readonly blocks: ListPatch<BlockView>;
  readonly passes: ListPatch<PassView>;
}

/** Where what is shown comes from. */
export type SourceView =
  | { readonly type: 'session' }
  | {
      readonly type: 'recording';
      /** Name of the file. */
      readonly file: string;
      readonly format: string;
      /** Whether the panel follows the file while it grows. */
      readonly following: boolean;
      /** What it does not hold of its agent's requests, in one sentence; absent where that is nothing known. */
      readonly lacks?: string;
      /** What was set or recorded and does not count for it, and why; absent where all does. */
      readonly setAside?: string;
      /** What was left out or mended when it was read; one sentence each. */
      readonly notes: readonly string[];
    };

/** Which moment of the session is shown. */
export interface TravelView {
  /** The step whose request is shown; 'now' for the one that would be sent next. */
  readonly at: number | 'now';
  /** The session's steps, ascending: lost lines leave gaps. */
  readonly first: number;
  readonly last: number;
  /** The log does not say what the budget was at that step: it is drawn as it is today. */
  readonly budgetOfToday?: true;
  /** Of a recording: what its own agent's request held at that step by its server's count, in tokens. */
  readonly recordedTokens?: number;
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
  readonly state: DisplayState;
  readonly pinned: boolean;
  /** Why the user may not take it out of the window; absent where they may, or where it is out. */
  readonly held?: HandProtection;
  /** Absent for a block that is out of the window. */
  readonly category?: Category;
  /** What it takes in the window now; 0 when it is out. */
  readonly tokens: Amount;
  /** Tools the step called. */
  readonly tools: readonly string[];
  /** What its first call is for; absent for a block that called no tool. */
  readonly callKind?: CallKind;
  /** Present for a step with several results, of which a part can be cleared. */
  readonly results?: ResultsView;
  /** Something of it has left and can be brought back by hand. */
  readonly canComeBack: boolean;
  /** What makes it matter; absent for a block that is out of the window. */
  readonly salience?: SalienceFactors;
  /** What a pass would do to it now. */
  readonly leavesNext?: Action;
  /** At a past step: what the pass did to it that ran right after that. */
  readonly tookNext?: Action;
}

/** Of how many results of a step placeholders stand in the window, and would after a pass now. */
export interface ResultsView {
  readonly all: number;
  readonly cleared: number;
  readonly clearedNext: number;
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
  /** Blocks it changed and blocks it kept; the decisions themselves are fetched. */
  readonly changed: number;
  readonly kept: number;
  /** What the user did to which block; present for a pass by hand alone. */
  readonly byHand?: DecisionView;
  readonly rewrittenTokens: number;
  /**
   * US dollars that writing the prefix again costs more, at the list price of the model it ran under;
   * null where no price is known, `offline` where nothing is charged.
   */
  readonly rewriteCost: number | 'offline' | null;
  /** Cache tokens the API reported for the first request after it; absent before that. */
  readonly measured?: { readonly cacheRead: number; readonly cacheWrite: number };
  readonly freedTokens: number;
  /** Null when the pass cannot pay for itself. */
  readonly breakEvenRequests: number | null;
  /** Counted until the pass has paid for itself, so that old passes stay as they are. */
  readonly requestsSince: number;
}

/**
 * Said by the host to the Context panel. Its state is told whole, or as a patch of the one numbered
 * just before; who has no such one announces itself again.
 */
export type ContextFact =
  | { readonly type: 'contextChanged'; readonly context: ContextView; readonly number?: number }
  | { readonly type: 'contextPatched'; readonly number: number; readonly patch: ContextPatch }
  | { readonly type: 'timelineChanged'; readonly timeline: TimelineView; readonly number?: number }
  | { readonly type: 'timelinePatched'; readonly number: number; readonly patch: TimelinePatch }
  | WishAnswered;

/** Wished by the Context panel of the host. */
export type ContextWish =
  | { readonly type: 'announceReady' }
  | { readonly type: 'openBlock'; readonly blockId: string }
  | { readonly type: 'pinBlock'; readonly blockId: string }
  | { readonly type: 'unpinBlock'; readonly blockId: string }
  /** Makes a prompt the task. */
  | { readonly type: 'moveAnchor'; readonly blockId: string }
  | { readonly type: 'fetchScratchpad' }
  /** `base` is what the notes said when the user began: what the agent changed since is kept. */
  | {
      readonly type: 'updateScratchpad';
      readonly scratchpad: Scratchpad;
      readonly base: Scratchpad;
    }
  /** Puts the notes back as they were before the user's own change; `note` is the block that tells it. */
  | { readonly type: 'undoScratchpad'; readonly note: string }
  /** Takes a block out of the window, a step with its pairs. */
  | { readonly type: 'excludeBlock'; readonly blockId: string }
  /** Brings a block back: whole in its place, or its text as a note at the end. */
  | { readonly type: 'restoreBlock'; readonly blockId: string; readonly as: 'whole' | 'recall' }
  /** Puts placeholders in the place of a step's results. */
  | { readonly type: 'clearBlock'; readonly blockId: string }
  | { readonly type: 'fetchSummary'; readonly blockId: string }
  | { readonly type: 'rewriteSummary'; readonly blockId: string; readonly text: string }
  /** `instructions` are what the user wishes of the summaries; '' for none. */
  | { readonly type: 'makeRoom'; readonly instructions: string }
  | { readonly type: 'previewPass' }
  | { readonly type: 'whatIf'; readonly settings: WhatIfSettings }
  /** Writes the settings that differ, after the user has confirmed; a recording is replayed with them. */
  | { readonly type: 'applyWhatIf'; readonly settings: WhatIfSettings }
  | { readonly type: 'fetchDecisions'; readonly number: number }
  | { readonly type: 'travelTo'; readonly at: number | 'now' }
  | { readonly type: 'forkAt'; readonly step: number }
  | { readonly type: 'fetchRequest'; readonly step: number | 'next' }
  /** Opens a request in an editor: as it was sent, or to be read. */
  | {
      readonly type: 'openRequest';
      readonly step: number | 'next';
      readonly form: RequestForm;
    }
  | { readonly type: 'copyRequest'; readonly step: number | 'next' }
  | {
      readonly type: 'diffRequests';
      readonly from: number;
      readonly to: number | 'next';
      readonly form: RequestForm;
    }
  | { readonly type: 'exportView'; readonly form: ExportForm; readonly shown?: ShownBlocks }
  | { readonly type: 'exportPass'; readonly number: number }
  | { readonly type: 'openRecording' }
  | { readonly type: 'closeRecording' }
  | { readonly type: 'followRecording'; readonly following: boolean }
  | { readonly type: 'dismissIntro' }
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

/** A request as its JSON body, or laid out to be read. */
export type RequestForm = 'raw' | 'readable';

/** What the panel posts: a wish, the session it was made of, so that it changes no other, and its number. */
export interface ContextPost {
  readonly session: string;
  /** Told back with the answer; no other wish has it. */
  readonly number: number;
  readonly wish: ContextWish;
}
