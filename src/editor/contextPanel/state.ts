import type { Balance, Category } from '../../contextWindow/account/balance';
import type { TierTokens } from '../../contextWindow/account/spending';
import type { BlockKind, BlockState } from '../../contextWindow/block';
import type { CallKind } from '../../contextWindow/callEffect';
import type { HandChange } from '../../contextWindow/handChanges';
import type { Action, Amount, SalienceFactors } from '../../contextWindow/plan';
import type { Scratchpad, ScratchpadChange } from '../../contextWindow/scratchpad';
import { byStretch } from '../chunks';
import type { FieldPatch, ListPatch } from '../patch';
import type { CallState } from '../session/callState';
import type { SessionLinks, WindowView } from '../session/state';
import type { BlockMoves, LeftView, MoveView, NeededAgainView, UndoAllView } from './blocks/state';
import type { ComparisonProgressView } from './comparison/state';
import type { FileChoice } from './files/state';
import type { FindingView } from './findings/state';
import type { LossesView } from './losses/state';
import type { NextView, PassView, ReviewView } from './ledger/state';
import type { OpeningView } from './opening/state';
import type { RulesView } from './rules/state';
import type { TimelinePatch, TimelineView } from './timeline/state';
import type { ToolCostsView } from './tools/state';
import type { WhatIfSettings } from './whatIf/state';
import type { ContextWish, ContextWishAnswered } from './wishes';
import type { SessionBill, SourceView } from '../session/state';

export type { MemoryView, ProfileView };
export type { Action, Amount, Balance, CallKind, Category, BlockKind, BlockState, Scratchpad };
// Not in `coreForPages`: these would make the Agent view 26 kB larger.
export { CATEGORIES } from '../../contextWindow/account/balance';
export { isWatermark, LEAST_WATERMARK_TOKENS, watermarkTokens } from '../../contextWindow/budget';
export { POLICY_NAMES, REPLAY_ONLY_NAMES } from '../../contextWindow/plan';

/** The displayed state of a block; `excluded` means that the user removed it. */
export type DisplayState = Exclude<BlockState, 'undone'> | 'excluded';

/**
 * The whole state of the Context panel: labels and numbers, never the text of a block. Exceptions
 * are the summaries of a waiting pass, which are not blocks yet and can be edited, and the standing
 * rules, which are single sentences.
 */
export interface ContextView {
  /**
   * Constant while one session or recording is displayed; nothing fetched from another is valid for
   * it.
   */
  readonly session: string;
  /** Number of events of the session's log that it was drawn from. */
  readonly events: number;
  /** Changes whenever a fetched request, plan or pass may be out of date. */
  readonly revision: string;
  readonly source: SourceView;
  readonly travel: TravelView;
  /** Why nothing can be changed: a past step, or a recording; absent if it can. */
  readonly whyReadOnly?: string;
  /** True until the user dismisses the introduction. */
  readonly showIntro: boolean;
  /**
   * Says that a default in tokens decides when passes run; absent if none does, or once dismissed.
   */
  readonly capNotice?: string;
  /** The current settings; a scratch copy begins with them. */
  readonly settings: WhatIfSettings;
  readonly title: string;
  /** The sessions that this one continues or that continue it; absent for none. */
  readonly links?: SessionLinks;
  /** The windows of the session, its own first; absent if it has no sub-agents. */
  readonly windows?: readonly WindowView[];
  readonly model: string;
  readonly offline: boolean;
  /** Where the window's size comes from: "from a setting", "from the model list", ... */
  readonly windowSource: string;
  readonly policy: string;
  /** Whether passes run automatically, wait for a review, or run only on request. */
  readonly compaction: 'auto' | 'ask' | 'off';
  /** For how long requests are cached, since which step and why; absent for five minutes by default. */
  readonly cacheLife?: CacheLifeView;
  /**
   * From then on (ms since the epoch) the prompt cache is cold, and a pass may run below the mark;
   * absent if none would.
   */
  readonly coldFrom?: number;
  /** A pass is due above this many tokens. */
  readonly passAbove: number;
  /** Compact Now would stop at or below this many tokens. */
  readonly handTarget: number;
  readonly turn: number;
  readonly step: number;
  readonly busy: boolean;
  readonly balance: Balance;
  /** The newest turns that a pass keeps verbatim; absent if it keeps none. */
  readonly recent?: RecentTurns;
  /** The same tokens by tier, as in the timeline. */
  readonly tiers: TierTokens;
  /** Set when settings are invalid or the window is full: names what to change. */
  readonly problem?: string;
  readonly blocks: readonly BlockView[];
  /** How far the buttons of the watched blocks move the window, by block. */
  readonly moves: Readonly<Record<string, BlockMoves>>;
  /** How far the undo of a pass moves the window, by its number; of the newest passes. */
  readonly undoMoves: Readonly<Record<string, MoveView>>;
  /** The undo of all the user's changes; absent if there are none. */
  readonly undoAll?: UndoAllView;
  /** Newest first. */
  readonly passes: readonly PassView[];
  /** What the recorded agent's own compactions lost; absent without any. */
  readonly losses?: LossesView;
  /** The user's changes that are not passes, newest first. */
  readonly edits: readonly HandChangeView[];
  /** The last change of the scratchpad; absent before the first. */
  readonly scratchpadChange?: ScratchpadChangeView;
  /** The pass that waits for review. */
  readonly review?: ReviewView;
  /** A pass waits in the current session while something else is displayed. */
  readonly reviewWaits: boolean;
  /** At a past step: the cost of the session until then, with that step; absent at the present. */
  readonly billThen?: SessionBill | undefined;
  /** How often the agent needed removed content again: recalled it or read it again. */
  readonly refaults: {
    readonly recalls: number;
    readonly reads: number;
  };
  /** The same one by one, oldest first, if the pass that removed it is known. */
  readonly neededAgain: readonly NeededAgainView[];
  /** Tokens of the next request after the API's own editing, by its count. */
  readonly apiEdits?: { readonly before: number; readonly after: number };
  readonly next: NextView;
  /** The most expensive first; none at a past step, and none for a recording. */
  readonly findings: readonly FindingView[];
  readonly scratchpad: Scratchpad;
  /** The beginning of the task, shown as the objective until one is written. */
  readonly taskAsObjective?: string;
  /**
   * Age of the scratchpad in steps; the number of all steps if none was written. Absent for a
   * recording, whose agent has none.
   */
  readonly scratchpadSteps?: number;
  /** The standing rules; absent for an agent that keeps none. */
  readonly rules?: RulesView | undefined;
  /** The tokens of the tool definitions in every request. */
  readonly tools: ToolCostsView;
  /** Project memory and skills, as the model gets them. */
  readonly memory: readonly MemoryView[];
  /** The files that the user switched off, from the next prompt on. */
  readonly memoryOff: readonly string[];
  /** The user's profile for all projects, as the model gets it; absent if there is none. */
  readonly profile?: ProfileView;
}

/** For how long requests are cached. */
export interface CacheLifeView {
  readonly life: '5m' | 'mixed' | '1h';
  readonly choice: 'auto' | '5m' | '1h';
  /** The first step whose request was cached for so long. */
  readonly since: number;
  /** Requests until then, and those after a pause of 5 to 60 minutes. */
  readonly requests: number;
  readonly pauses: number;
  /** The same in the earlier sessions that counted as well; absent for none. */
  readonly earlier?: {
    readonly sessions: number;
    readonly requests: number;
    readonly pauses: number;
  };
  /** What the hour has saved since, in tokens at the price of input; less than 0 if it cost more. */
  readonly savedTokens: number;
}

/** The difference from the previous view. */
export interface ContextPatch extends FieldPatch<Omit<ContextView, 'blocks' | 'passes'>> {
  readonly blocks: ListPatch<BlockView>;
  readonly passes: ListPatch<PassView>;
}

/** The displayed moment of the session. */
export interface TravelView {
  /** The step whose request is displayed; 'now' for the next request. */
  readonly at: number | 'now';
  /** The session's steps, ascending; lost lines leave gaps. */
  readonly first: number;
  readonly last: number;
  /** The log does not hold the budget of that step, so today's is drawn. */
  readonly budgetOfToday?: true;
  /** For a recording: tokens of its own agent's request at that step, by its server's count. */
  readonly recordedTokens?: number;
}

export interface BlockView {
  readonly id: string;
  readonly kind: BlockKind;
  readonly turn: number;
  readonly step?: number;
  /** For a summary or excerpts: the next step when it was made. */
  readonly writtenBeforeStep?: number;
  readonly label: string;
  /** For the user: why it is in the window, or why not. */
  readonly reason: string;
  /** The same in at most six words; for a block that a pass would remove now, why it would. */
  readonly why: string;
  readonly state: DisplayState;
  readonly pinned: boolean;
  /** A pass may remove it: a pin would keep it. */
  readonly keepable: boolean;
  /** Why the user may not exclude or clear it; absent if they may, or if it is not in the window. */
  readonly whyHeld?: string;
  /** Absent for a removed block. */
  readonly category?: Category;
  /** Its tokens in the window now; 0 if removed. */
  readonly tokens: Amount;
  /** For a recording: how many of these its API counted but the file lacks; absent for none. */
  readonly unrecorded?: number;
  /** Tools that the step called. */
  readonly tools: readonly string[];
  /** The purpose of each of these calls, in the same order. */
  readonly callKinds: readonly CallKind[];
  /** What became of each of them, in the same order; absent if all ran without an error. */
  readonly callStates?: readonly CallState[];
  /** Present for a step with several results of which some can be cleared. */
  readonly results?: ResultsView;
  /** It was removed, at least in part, and the user can restore it. */
  readonly canComeBack: boolean;
  /** Whether its secrets are sent; absent if it has none whose originals are in memory. */
  readonly secrets?: 'masked' | 'sent';
  /** For a removed block; absent if the log has lost its removal. */
  readonly left?: LeftView;
  /** For a summary: the blocks that it replaced, including earlier summaries. */
  readonly covers?: readonly string[];
  /** The factors of its relevance; absent for a removed block. */
  readonly salience?: SalienceFactors;
  /** What a pass would do to it now. */
  readonly leavesNext?: Action;
  /** At a past step: what the pass that ran right after it did to the block. */
  readonly tookNext?: Action;
}

/** Tokens of each category that are estimates: the server counts a request, not its parts. */
export type Estimates = Readonly<Record<Category, number>>;

/**
 * Adds up tokens that were never counted separately. Tools, system prompt, scratchpad, rules and
 * gap lines always are: their share of a counted request is apportioned.
 */
export function estimatesIn(blocks: readonly Weighed[]): Estimates {
  const sums: Record<Category, number> = {
    tools: Number.POSITIVE_INFINITY,
    system: Number.POSITIVE_INFINITY,
    unrecorded: Number.POSITIVE_INFINITY,
    scratchpad: Number.POSITIVE_INFINITY,
    anchor: 0,
    rules: Number.POSITIVE_INFINITY,
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

/** Most blocks are removed and take no tokens. */
const guessedIn = byStretch((blocks: readonly Weighed[]) =>
  blocks.filter(({ category, tokens }) => category !== undefined && !tokens.exact),
);

/** Says whether every part is an estimate; `estimated` is the number of estimated tokens. */
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
  /** The block that `label` names. */
  readonly blockId?: string;
  /** The user's choice for the lines; only for `fileChosen`. */
  readonly choice?: FileChoice;
  /** The wish that undoes it; absent if none can, or if it is already undone. */
  readonly undo?: HandChangeUndo;
  /** The user undid it: this line says so, and there is no other. */
  readonly undone?: true;
}

export interface ScratchpadChangeView extends Pick<ScratchpadChange, 'by' | 'step'> {
  /** Only for a change by the user. */
  readonly undo?: HandChangeUndo;
}

/** A wish that undoes a change by the user. */
export type HandChangeUndo = Extract<
  ContextWish,
  { readonly type: 'pinBlock' | 'unpinBlock' | 'moveAnchor' | 'undoScratchpad' | 'chooseFile' }
>;

/**
 * Facts from the host. The state is sent whole, or as a patch of the previously numbered state; a
 * page that lacks that one announces itself again.
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
  /** A recording that is being opened, in place of the session shown; undefined once it is shown. */
  | { readonly type: 'recordingOpening'; readonly opening: OpeningView | undefined }
  | ContextWishAnswered;

/** One project memory file; the model gets only a part of it if it exceeds its cap. */
interface MemoryView {
  /** How it was added, as "allowed by you at step 3"; absent in older logs. */
  readonly origin?: string;
  readonly path: string;
  readonly shownChars: number;
  readonly chars: number;
  /** Estimated. */
  readonly tokens: number;
  /** The name of a skill. */
  readonly skill?: string;
  /** Sent when the agent worked on a file that it applies to; stays in this session. */
  readonly isNote?: true;
}

/** The user's profile. */
type ProfileView = MemoryView;

/** The newest turns, which a policy touches last: how many, and their tokens in the window. */
export interface RecentTurns {
  readonly turns: number;
  readonly tokens: number;
}
