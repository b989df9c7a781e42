import type {
  Admission,
  Attachment,
  BlockId,
  BlockKind,
  HiddenFile,
  ShownLines,
  SummaryWriter,
  ToolUseId,
} from './block';
import type { Budget } from './budget';
import type { RegionScore } from './files/knownFile';
import type { Reason, RecentTurn } from './reasons';
import type { Scratchpad } from './scratchpad';
import type { RemovedText } from './summaryCheck/checkSummary';

/** A number of tokens with its source: the API's answer, or a local guess. */
export interface Amount {
  readonly tokens: number;
  readonly exact: boolean;
}

/** The policies that a user can choose; each one's file describes it. */
export const POLICY_NAMES = [
  'ladder',
  'slidingWindow',
  'lastTurns',
  'headTail',
  'tokenBudget',
  'salience',
  'summarise',
  'server',
] as const;

/**
 * Policies that exist only in replays. `ladderNoExcerpts` is the ladder without excerpts.
 * `clairvoyant` knows what will be needed and keeps it; `clairvoyantExcerpts` also shows it again.
 * `recorded` repeats what the recorded agent did. Listed here and not in `replay`, because
 * `Pass` names its policy, and the schema of the log must have the same names as `Pass`.
 */
export const REPLAY_ONLY_NAMES = [
  'ladderNoExcerpts',
  'recorded',
  'clairvoyant',
  'clairvoyantExcerpts',
] as const;

export type PolicyName = (typeof POLICY_NAMES)[number] | (typeof REPLAY_ONLY_NAMES)[number];

/**
 * Why a pass ran. `cap`: more turns or messages than the settings allow. `coldCache`: the prompt cache
 * had expired, so the pass cost nothing of it. `byHand`: the user changed
 * one block, and no policy decided anything. `recorded`: the recorded agent ran a pass here.
 */
export const TRIGGERS = [
  'highWatermark',
  'overflow',
  'manual',
  'cap',
  'coldCache',
  'byHand',
  'recorded',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What is done to a block; only the user can `restore`, `rewrite` and `undoPrompt`. */
export const ACTIONS = [
  'keep',
  'truncate',
  'trim',
  'clear',
  'summarise',
  'evict',
  'restore',
  'rewrite',
  'undoPrompt',
] as const;
export type Action = (typeof ACTIONS)[number];

/** What a policy can do to a block. */
export type PolicyAction = Exclude<Action, 'keep' | 'restore' | 'rewrite' | 'undoPrompt'>;

/** The way to recall evicted content: the agent calls `recall` with the handle. */
interface WayBack {
  readonly handle: string;
}

/** How much a block matters now, with the factors of that number; all are 0 to 1. */
export interface SalienceFactors {
  readonly salience: number;
  /** 1 for the newest block, falling to 0 for the oldest. */
  readonly recency: number;
  /**
   * How recently its paths or identifiers were named; 1 if the newest prompt or the scratchpad
   * names them.
   */
  readonly reuse: number;
  /** The kind of work: edits matter more than reads, and reads more than listings. */
  readonly kind: number;
  /** 1 for a small block, falling with its share of the window. */
  readonly size: number;
  /** 1 if a call failed. */
  readonly errors: number;
  /** Rises to 1 with the length of the model's own words, in which it decides. */
  readonly decisions: number;
  /** The user pinned it, or it is the pinned task; the salience is then 1. */
  readonly pinned?: true;
  /** The model's own rating, if it was asked for one. It replaces the salience. */
  readonly rated?: number;
}

/** The decision about one block: its numbers, its rule, and the reason in words for the user. */
export interface Decision {
  readonly blockId: BlockId;
  /** The block's short name in the panel. */
  readonly label: string;
  readonly kind: BlockKind;
  readonly action: Action;
  readonly reason: Reason;
  /** Present if the block is of one of the newest turns and was changed all the same. */
  readonly recentTurn?: RecentTurn;
  /** Tokens of the block in the window before and after; estimates unless exact. */
  readonly before: Amount;
  readonly after: Amount;
  readonly salience?: SalienceFactors;
  /** For `clear`: the pairs whose results were replaced. */
  readonly toolUseIds?: readonly ToolUseId[];
  /** Those of them that the excerpts can show; their placeholders say so. */
  readonly heldByExcerpts?: readonly ToolUseId[];
  /** For `truncate`: how much of each text stays. */
  readonly admissions?: readonly NewAdmission[];
  /** For `summarise`: the summary that replaces the block. */
  readonly summaryId?: BlockId;
  /** For `rewrite`: the new text of the summary. */
  readonly text?: string;
  readonly wayBack?: WayBack;
}

/** A run of blocks that one summary of at most `maxTokens` will replace. */
export interface SummaryJob {
  readonly summaryId: BlockId;
  readonly covers: readonly BlockId[];
  readonly tokensBefore: number;
  readonly maxTokens: number;
  /** The summary, if it was written ahead. */
  readonly ready?: Summary;
}

/**
 * What is removed, what stays and why. It is data: a plan takes effect only when its pass is
 * appended to the log.
 */
export interface Plan {
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly budget: Budget;
  readonly before: Amount;
  /** Tokens at or below which the pass stops. */
  readonly target: number;
  /** Estimated tokens after the plan, with each summary at its largest. */
  readonly estimatedAfter: number;
  /** Growth of the gap lines in tokens; may be negative. */
  readonly gapGrowth: number;
  /** Growth of the scratchpad in tokens, since a pass shows it again; may be negative. */
  readonly scratchpadGrowth: number;
  /** The block of standing rules after it, and its growth in tokens, which may be negative. */
  readonly rules: PlannedRules;
  /** One for every block in the window, in window order, kept blocks included. */
  readonly decisions: readonly Decision[];
  readonly summaries: readonly SummaryJob[];
  /** The excerpts that the pass shows; absent for none. */
  readonly excerpts?: Excerpts;
  /** Present if the user undoes a prompt. */
  readonly undonePrompt?: UndonePrompt;
}

export interface PlannedRules {
  readonly text: string;
  readonly growth: number;
}

/** A finished summary. */
export interface Summary {
  readonly id: BlockId;
  readonly covers: readonly BlockId[];
  readonly text: string;
  readonly writtenBy: SummaryWriter;
  /** The user edited it before the pass applied. */
  readonly editedByUser?: true;
  /** Absent if no model was asked. */
  readonly exchange?: SummaryExchange;
  /** What its check against its sources found; absent unless a model wrote it. */
  readonly check?: SummaryCheck;
}

/**
 * The check of a model's summary: every path, name, number, version and quoted error in it must occur in
 * the blocks that it replaces, or elsewhere in the request for it.
 */
export interface SummaryCheck {
  /** How many of them the answer had. */
  readonly claims: number;
  /** Those that occurred nowhere, as written in the answer. */
  readonly unfounded: readonly string[];
  /** Claims removed because the model did not correct them; absent for none. */
  readonly removed?: readonly RemovedText[];
  /** Why the model was not asked to correct it, or its answer not used; part of a sentence. */
  readonly notCorrected?: string;
}

/**
 * What a pass does to the text of the last request, which the prompt cache holds; estimates in
 * tokens. `passPrice.ts` makes a price of it once the API reports the next request.
 */
export interface CachePrice {
  /** Text before the first change, which the cache can still serve. */
  readonly untouchedTokens: number;
  /** Text after the first change that stays, so it must be written to the cache again. */
  readonly rewrittenTokens: number;
  /** New text of the pass: summaries, excerpts, notes, restored blocks. */
  readonly addedTokens: number;
  /** Tokens that the pass removed from every later request. */
  readonly freedTokens: number;
}

/**
 * Tokens that a pass adds beyond its decisions. Together with the decisions they explain the
 * difference between its numbers before and after.
 */
export interface PassOverhead {
  readonly summaries: number;
  /** Growth of the shown scratchpad; may be negative. */
  readonly scratchpad: number;
  /** Growth of the gap lines; may be negative. */
  readonly gapLines: number;
  /** Growth of the block of standing rules; may be negative. Absent for none. */
  readonly rules?: number;
  /** The excerpts; absent for none. */
  readonly excerpts?: number;
}

/** The excerpts that a pass shows, with their scores. */
export interface Excerpts {
  readonly id: BlockId;
  readonly step: number;
  readonly shown: readonly (ShownLines & RegionScore)[];
  readonly hidden: readonly HiddenFile[];
  /** Estimated tokens of the excerpts as sent. */
  readonly tokens: number;
  /** There was a region that cost more to hold than it was likely to save. */
  readonly omitsUnlikely?: true;
}

/** A finished run of a policy: the plan with its summaries, and the numbers after it. */
export interface Pass {
  /** Identifies the pass. Counted from 1 in the session, changes by hand included. */
  readonly number: number;
  /** The number on screen. Counted from 1 among passes, or among changes by hand. */
  readonly ordinal: number;
  /** The step after the pass. */
  readonly beforeStep: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly budget: Budget;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly decisions: readonly Decision[];
  readonly overhead: PassOverhead;
  readonly summaries: readonly Summary[];
  /** The excerpts that it shows; absent for none. */
  readonly excerpts?: Excerpts;
  readonly cache: CachePrice;
  /** Present if the user undid a prompt: every later block was removed with it. */
  readonly undonePrompt?: UndonePrompt;
}

/** An undone prompt, with everything that came after it. */
export interface UndonePrompt {
  /** The scratchpad before the prompt; absent if it is the same. */
  readonly scratchpad?: Scratchpad;
  /** Its age at that time, as `ScratchpadAge` has it; absent if it is the same. */
  readonly scratchpadAge?: {
    readonly writtenAt: number;
    readonly isReminded: boolean;
    readonly isWarned: boolean;
  };
  /**
   * The undo shows scratchpad and rules again: a pass since the prompt has shown the scratchpad, or
   * the task before them is undone.
   */
  readonly showsScratchpad?: true;
  /** The last of the undone turns; absent if there is only the prompt's own. */
  readonly through?: number;
  /**
   * The turn of the prompt. `through` and `turn` come last, so that the list of sessions finds them
   * in the log.
   */
  readonly turn: number;
}

/** The numbers of the turns that an undo of a prompt removed. */
export function turnsOf({ turn, through = turn }: UndonePrompt): readonly number[] {
  return Array.from({ length: through - turn + 1 }, (_, index) => turn + index);
}

/** Says whether the plan changes anything at all. */
export function changesWindow(plan: Pick<Plan, 'decisions'>): boolean {
  return plan.decisions.some((decision) => decision.action !== 'keep');
}

/** How much of a text the window holds from now on; `handle` is a block's or a call's. */
export interface NewAdmission {
  readonly handle: string;
  readonly admission: Admission;
}

/** A part of a request for a summary, in the form of the Messages API. */
export type ExchangePart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: Attachment['type'];
      readonly source: {
        readonly type: 'base64';
        readonly media_type: string;
        readonly data: string;
      };
    };

/** A request for a summary, verbatim, and its answer. */
export interface SummaryExchange {
  readonly model: string;
  /** The `max_tokens` of the request. */
  readonly maxTokens: number;
  readonly system: string;
  /** The only user message. */
  readonly content: readonly ExchangePart[];
  /** The answer; absent if the summary is the answer verbatim, or if there was no answer. */
  readonly answer?: string;
  /** The one request to correct that answer, verbatim; absent if there was nothing to correct. */
  readonly correction?: { readonly asked: string; readonly answer?: string };
}

/**
 * The name of a replayed policy in a table, next to how often evicted content was needed again under
 * it and under the ladder. One that knows later needs plans a pass at a time, so it can lose to the
 * ladder, and then has no claim to be clairvoyant.
 */
export function policyLabel(policy: string, neededAgain: number, underLadder: number): string {
  const isLost = neededAgain > underLadder;
  if (policy === 'clairvoyant' && isLost) return 'laterNeeds';
  return policy === 'clairvoyantExcerpts' && isLost ? 'laterNeedsExcerpts' : policy;
}
