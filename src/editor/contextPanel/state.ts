import type { Balance, Category } from '../../contextWindow/account/balance';
import type { TierTokens } from '../../contextWindow/account/spending';
import type { BlockKind, BlockState } from '../../contextWindow/block';
import type { CallKind } from '../../contextWindow/callEffect';
import type { HandChange } from '../../contextWindow/handChanges';
import type { Action, Amount, SalienceFactors } from '../../contextWindow/plan';
import type { Scratchpad, ScratchpadChange } from '../../contextWindow/scratchpad';
import { byStretch } from '../chunks';
import type { FieldPatch, ListPatch } from '../patch';
import type { SessionLinks } from '../sessions/state';
import type { RecentTurns } from './bar/state';
import type { LeftView, NeededAgainView } from './blocks/state';
import type { ComparisonProgressView } from './comparison/state';
import type { FileChoice } from './files/state';
import type { NextView, PassView, ReviewView } from './ledger/state';
import type { TimelinePatch, TimelineView } from './timeline/state';
import type { ToolCostsView } from './tools/state';
import type { WhatIfSettings } from './whatIf/state';
import type { ContextWish, ContextWishAnswered } from './wishes';

export type { MemoryView, ProfileView };
export type { Action, Amount, Balance, CallKind, Category, BlockKind, BlockState, Scratchpad };
export { CATEGORIES } from '../../contextWindow/account/balance';
export { isWatermark, LEAST_WATERMARK_TOKENS, watermarkTokens } from '../../contextWindow/budget';
export { POLICY_NAMES, REPLAY_ONLY_NAMES } from '../../contextWindow/plan';

/** What became of a block, as it is shown: `excluded` means that the user took it out. */
export type DisplayState = Exclude<BlockState, 'undone'> | 'excluded';

/**
 * Everything the Context panel draws at once: labels and numbers, never the text of a block.
 * Exceptions are the summaries of a waiting pass, which are not blocks yet and can be edited.
 */
export interface ContextView {
  /**
   * The same as long as one session or recording is shown; nothing fetched from another is valid
   * for it.
   */
  readonly session: string;
  /** How many events of the session's log it was drawn from. */
  readonly events: number;
  /** Changes whenever a request, a plan or a pass worked out before may be out of date. */
  readonly revision: string;
  readonly source: SourceView;
  readonly travel: TravelView;
  /** Why nothing can be changed here: it is a past step, or a recording; absent where it can. */
  readonly whyReadOnly?: string;
  /** True until the user has read what the map means. */
  readonly showIntro: boolean;
  /** Says that a default in tokens decides when passes run; absent where none does, or once it was read. */
  readonly capNotice?: string;
  /** What the settings say, for a scratch copy to begin with. */
  readonly settings: WhatIfSettings;
  readonly title: string;
  /** The sessions this one goes on with or in; absent for none. */
  readonly links?: SessionLinks;
  readonly model: string;
  readonly offline: boolean;
  /** Where the window's size comes from: "from a setting", "from the model list", ... */
  readonly windowSource: string;
  readonly policy: string;
  /** Whether passes run by themselves, wait for the user's answer, or run only when asked for. */
  readonly compaction: 'auto' | 'ask' | 'off';
  /** A pass is due above this many tokens. */
  readonly passAbove: number;
  /** A pass asked for by hand now would stop at or below this many tokens. */
  readonly handTarget: number;
  readonly turn: number;
  readonly step: number;
  readonly busy: boolean;
  readonly balance: Balance;
  /** The newest turns that a pass keeps verbatim; absent where it keeps none of them. */
  readonly recent?: RecentTurns;
  /** The same tokens by tier, as in the timeline. */
  readonly tiers: TierTokens;
  /** Set when settings are invalid or the window is full: names what to change. */
  readonly problem?: string;
  readonly blocks: readonly BlockView[];
  /** Newest first. */
  readonly passes: readonly PassView[];
  /** What the user changed without a pass, newest first. */
  readonly edits: readonly HandChangeView[];
  /** Who changed the scratchpad last; absent while nobody has. */
  readonly scratchpadChange?: ScratchpadChangeView;
  /** The pass that waits for the user's answer. */
  readonly review?: ReviewView;
  /** A pass waits in the current session, while something else is shown. */
  readonly reviewWaits: boolean;
  /**
   * Times content was needed again that the window no longer held: recalled or read again by the
   * agent, or restored by the user, unless they had taken it out themselves.
   */
  readonly refaults: {
    readonly recalls: number;
    readonly reads: number;
    readonly restores: number;
  };
  /** The same one by one, oldest first, as far as the passes that took it are known. */
  readonly neededAgain: readonly NeededAgainView[];
  /** What the API's own editing would make of the next request, in tokens, by its own count. */
  readonly apiEdits?: { readonly before: number; readonly after: number };
  readonly next: NextView;
  readonly scratchpad: Scratchpad;
  /** The beginning of the task, which stands in for an objective; absent where one was written. */
  readonly taskAsObjective?: string;
  /**
   * How many steps old the scratchpad is; where nobody has written it, all there are. Absent for a
   * recording, whose agent does not keep one.
   */
  readonly scratchpadSteps?: number;
  /** What the definitions of the tools take of every request. */
  readonly tools: ToolCostsView;
  /** Project memory of the workspace's root, as the model is told it. */
  readonly memory: readonly MemoryView[];
  /** The user's profile for all projects, as the model is told it; absent where it is told none. */
  readonly profile?: ProfileView;
}

/** What differs from the view before. */
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
      /**
       * A session of Plimsoll's own: its passes, decisions and requests are those it had. Absent for a
       * replay, which makes its own.
       */
      readonly asItWas?: true;
      /**
       * What it lacks of its agent's requests, in one sentence; absent where nothing is known to be
       * missing.
       */
      readonly lacks?: string;
      /**
       * What was set or recorded but does not count for it, and why; absent where everything
       * counts.
       */
      readonly setAside?: string;
      /** What was left out or repaired when it was read; one sentence each. */
      readonly notes: readonly string[];
    };

/** Which moment of the session is shown. */
export interface TravelView {
  /** The step whose request is shown; 'now' for the one that would be sent next. */
  readonly at: number | 'now';
  /** The session's steps, ascending; lost lines leave gaps. */
  readonly first: number;
  readonly last: number;
  /** The log does not say what the budget was at that step, so today's is drawn. */
  readonly budgetOfToday?: true;
  /**
   * For a recording: what its own agent's request held at that step by its server's count, in
   * tokens.
   */
  readonly recordedTokens?: number;
}

export interface BlockView {
  readonly id: string;
  readonly kind: BlockKind;
  readonly turn: number;
  readonly step?: number;
  /** For a summary or a view of files: the step that was asked for next when it was made. */
  readonly writtenBeforeStep?: number;
  readonly label: string;
  /** In the user's words: why it is here, or why it is not. */
  readonly reason: string;
  readonly state: DisplayState;
  readonly pinned: boolean;
  /** Why the user may not exclude or clear it; absent if they may, or if it is not in the window. */
  readonly whyHeld?: string;
  /** Absent for a block that is out of the window. */
  readonly category?: Category;
  /** What it takes in the window now; 0 when it is out. */
  readonly tokens: Amount;
  /** Of a recording: how many of these its API counted beyond what the file holds; absent for none. */
  readonly unrecorded?: number;
  /** Tools that the step called. */
  readonly tools: readonly string[];
  /** What its first call is for; absent for a block without calls. */
  readonly callKind?: CallKind;
  /** Present for a step with several results of which some can be cleared. */
  readonly results?: ResultsView;
  /** Something of it has left and can be brought back by hand. */
  readonly canComeBack: boolean;
  /** For a block that is out of the window; absent where the log has lost what took it. */
  readonly left?: LeftView;
  /** For a summary: the blocks that it stands for, earlier summaries among them. */
  readonly covers?: readonly string[];
  /** What makes it matter; absent for a block that is out of the window. */
  readonly salience?: SalienceFactors;
  /** What a pass would do to it now. */
  readonly leavesNext?: Action;
  /** At a past step: what the pass that ran right after it did to the block. */
  readonly tookNext?: Action;
}

/** Tokens of each category that are estimates: the server counts a request, not its parts. */
export type Estimates = Readonly<Record<Category, number>>;

/**
 * Adds up what nobody counted by itself. Tools, system prompt, scratchpad and gap lines never are:
 * their share of a counted request is apportioned.
 */
export function estimatesIn(blocks: readonly Weighed[]): Estimates {
  const sums: Record<Category, number> = {
    tools: Number.POSITIVE_INFINITY,
    system: Number.POSITIVE_INFINITY,
    unrecorded: Number.POSITIVE_INFINITY,
    scratchpad: Number.POSITIVE_INFINITY,
    anchor: 0,
    summary: 0,
    gapLines: Number.POSITIVE_INFINITY,
    excerpts: 0,
    archive: 0,
    working: 0,
  };
  for (const guessed of guessedIn(blocks)) {
    for (const { category, tokens } of guessed) {
      if (category !== undefined) sums[category] += tokens.tokens;
    }
  }
  return sums;
}

type Weighed = Pick<BlockView, 'category' | 'tokens'>;

/** Most blocks have left, and take nothing. */
const guessedIn = byStretch((blocks: readonly Weighed[]) =>
  blocks.filter(({ category, tokens }) => category !== undefined && !tokens.exact),
);

/** Says whether no part of a number was counted; `estimated` is how many of its tokens were not. */
export function isAllEstimated(tokens: number, estimated: number): boolean {
  return estimated > 0 && estimated >= Math.abs(tokens);
}

/** How many results of a step have placeholders in the window, now and after a pass now. */
export interface ResultsView {
  readonly all: number;
  readonly cleared: number;
  readonly clearedNext: number;
}

/** A change by the user that is not a pass. */
export interface HandChangeView extends Pick<HandChange, 'kind' | 'beforeStep' | 'afterPass'> {
  /** Names the block, or the lines of a file; absent for the scratchpad. */
  readonly label?: string;
  /** What the user said of the lines; only for `fileChosen`. */
  readonly choice?: FileChoice;
  /** What takes it back; absent where nothing can, or something already has. */
  readonly undo?: HandChangeUndo;
  /** The user took it back: the line says so, and there is no other. */
  readonly undone?: true;
}

/** The last change of the scratchpad. */
export interface ScratchpadChangeView extends Pick<ScratchpadChange, 'by' | 'step'> {
  /** Only for a change by the user. */
  readonly undo?: HandChangeUndo;
}

/** A wish that takes back what the user changed. */
export type HandChangeUndo = Extract<
  ContextWish,
  { readonly type: 'pinBlock' | 'unpinBlock' | 'moveAnchor' | 'undoScratchpad' | 'chooseFile' }
>;

/**
 * Said by the host to the Context panel. Its state is told whole, or as a patch of the state
 * numbered just before; a page that lacks that one announces itself again.
 */
export type ContextFact =
  | { readonly type: 'contextChanged'; readonly context: ContextView; readonly number?: number }
  | { readonly type: 'contextPatched'; readonly number: number; readonly patch: ContextPatch }
  | { readonly type: 'timelineChanged'; readonly timeline: TimelineView; readonly number?: number }
  | { readonly type: 'timelinePatched'; readonly number: number; readonly patch: TimelinePatch }
  | {
      readonly type: 'comparisonProgressed';
      readonly session: string;
      readonly progress: ComparisonProgressView;
    }
  | ContextWishAnswered;

/** One project memory file; the model is shown only a part of it if it exceeds its cap. */
interface MemoryView {
  /** How it came to be told, as "allowed by you at step 3"; absent in older logs. */
  readonly origin?: string;
  readonly path: string;
  readonly shownChars: number;
  readonly chars: number;
}

/** The user's profile. */
interface ProfileView extends MemoryView {
  /** Estimated. */
  readonly tokens: number;
}
