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
import type { Scratchpad } from './scratchpad';

/** A number of tokens with its source: the API's answer, or a local guess. */
export interface Amount {
  readonly tokens: number;
  readonly exact: boolean;
}

/** The policies an owner can choose; the file of each says what it does. */
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
 * Exist in a replay only: `ladderNoExcerpts` is the ladder that shows no files, `clairvoyant` knows what
 * will be needed and keeps it, `clairvoyantExcerpts` shows it again too, `recorded` does what the recorded
 * agent did.
 */
export const REPLAY_ONLY_NAMES = [
  'ladderNoExcerpts',
  'recorded',
  'clairvoyant',
  'clairvoyantExcerpts',
] as const;

export type PolicyName = (typeof POLICY_NAMES)[number] | (typeof REPLAY_ONLY_NAMES)[number];

/**
 * Why a pass ran; `cap`: more turns or messages than the settings allow; `byHand`: the user changed
 * one block, and no policy decided anything; `recorded`: the recorded agent made room here.
 */
export const TRIGGERS = [
  'highWatermark',
  'overflow',
  'manual',
  'cap',
  'byHand',
  'recorded',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** The rule that led to a decision; `keep:` rules say what protected the block. */
export const RULES = [
  'keep:anchor',
  'keep:pinned',
  'keep:latestPrompt',
  'keep:openStep',
  'keep:recent',
  'keep:enough',
  'keep:noGain',
  'keep:memory',
  'keep:restored',
  'keep:unread',
  'keep:head',
  'keep:recentTurns',
  'keep:spared',
  'keep:untouched',
  'keep:recorded',
  'truncateAtAdmission',
  'shortenProtected',
  'clearSuperseded',
  'clearOldResults',
  'clearOversized',
  'trimThinking',
  'summariseOldest',
  'summariseSpent',
  'summariseOverCap',
  'evictLeastSalient',
  'evictOldest',
  'evictMiddle',
  'evictOverCap',
  'evictUnneeded',
  'evictFinishedPrompt',
  'evictRestored',
  'evictShownNotes',
  'evictFormerView',
  'clearHeldByView',
  'recorded',
  'excludedByUser',
  'clearedByUser',
  'restoredByUser',
  'rewrittenByUser',
  'undoneByUser',
  'undone',
] as const;
export type Rule = (typeof RULES)[number];

/** What is done to a block; only the user can `restore`, `rewrite` and `takeBack`. */
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

/** How evicted content comes back: the agent calls `recall` with the handle. */
export interface WayBack {
  readonly handle: string;
}

/** How much a block matters now, and the factors it was worked out from; every number 0..1. */
export interface SalienceFactors {
  readonly salience: number;
  /** 1 for the newest block, falling to 0 for the oldest. */
  readonly recency: number;
  /**
   * How recently its paths or identifiers were named; 1 where the newest prompt or the scratchpad
   * names them.
   */
  readonly reuse: number;
  /** What kind of work it holds: edits matter more than reads, and reads more than listings. */
  readonly kind: number;
  /** 1 for a small block, falling with its share of the window: large ones must earn their place. */
  readonly size: number;
  /** 1 where a call failed; absent, like `decisions`, in older logs, where `kind` held both. */
  readonly errors?: number;
  /** Rises to 1 with how much the model said in its own words, which is where it decides. */
  readonly decisions?: number;
  /** The user pinned it, or it is the pinned task: the salience is 1 whatever the rest says. */
  readonly pinned?: true;
  /** The model's own rating, where it was asked for one; it then replaces the salience. */
  readonly rated?: number;
}

/** What was decided for one block, on which numbers, and why, in words a user would say. */
export interface Decision {
  readonly blockId: BlockId;
  /** Short name of the block as the panel shows it. */
  readonly label: string;
  readonly kind: BlockKind;
  readonly action: Action;
  readonly rule: Rule;
  readonly reason: string;
  /** Tokens of the block in the window before and after; estimates unless marked exact. */
  readonly before: Amount;
  readonly after: Amount;
  readonly salience?: SalienceFactors;
  /** For `clear`: the pairs whose results were replaced. */
  readonly toolUseIds?: readonly ToolUseId[];
  /** Those of them that a view of files can show: their placeholders say so. */
  readonly heldByView?: readonly ToolUseId[];
  /** For `truncate`: how much of which text stays. */
  readonly admissions?: readonly NewAdmission[];
  /** For `compact`: the summary that stands for the block now. */
  readonly summaryId?: BlockId;
  /** For `rewrite`: what the summary says from now on. */
  readonly text?: string;
  readonly wayBack?: WayBack;
}

/** A run of blocks that is to be replaced by one summary of at most `maxTokens`. */
export interface SummaryJob {
  readonly summaryId: BlockId;
  readonly covers: readonly BlockId[];
  readonly tokensBefore: number;
  readonly maxTokens: number;
  /** The summary, where it was written ahead. */
  readonly ready?: Summary;
}

/** What goes, what stays and why; data, applied only when a pass is appended to the log. */
export interface Plan {
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly budget: Budget;
  readonly before: Amount;
  /** The pass stops at or below this; tokens. */
  readonly target: number;
  /** Estimated tokens once the plan is applied, each summary at its largest. */
  readonly estimatedAfter: number;
  /** How many more tokens the lines then take that say where whole turns left; may be negative. */
  readonly gapGrowth: number;
  /** How many more tokens the scratchpad then takes, which a pass shows anew; may be negative. */
  readonly scratchpadGrowth: number;
  /** One for every block in the window, kept ones included, in window order. */
  readonly decisions: readonly Decision[];
  readonly summaries: readonly SummaryJob[];
  /** What the pass shows of the files in work; absent for nothing. */
  readonly view?: FileView;
  /** Present where the user takes a prompt back. */
  readonly undonePrompt?: UndonePrompt;
}

/** A summary as it was written and put into the window. */
export interface Summary {
  readonly id: BlockId;
  readonly covers: readonly BlockId[];
  readonly text: string;
  readonly writtenBy: SummaryWriter;
  /** The user changed it before the pass applied. */
  readonly editedByUser?: true;
  /** Absent where no model was asked, and in older logs. */
  readonly exchange?: SummaryExchange;
}

/** What the lost prompt-cache prefix costs; the README has the formula. */
export interface CachePrice {
  /** Tokens behind the first changed block, to be written to the cache again. */
  readonly rewrittenTokens: number;
  /** Tokens the pass took out of every later request. */
  readonly freedTokens: number;
  /** Later requests after which the pass has paid for itself; Infinity is stored as null. */
  readonly breakEvenRequests: number | null;
}

/**
 * Tokens that a pass adds apart from what it does to blocks; with the decisions they make up the
 * difference between its numbers before and after.
 */
export interface PassOverhead {
  /** The summaries it brings in. */
  readonly summaries: number;
  /** The scratchpad shown anew; negative where it takes less than before. */
  readonly scratchpad: number;
  /** The lines that say where whole turns left; negative where there are fewer. */
  readonly gapLines: number;
  /** What it shows of the files in work; absent for nothing. */
  readonly view?: number;
}

/** What a pass shows of the files in work, with why. */
export interface FileView {
  readonly id: BlockId;
  readonly step: number;
  readonly shown: readonly (ShownLines & RegionScore)[];
  readonly hidden: readonly HiddenFile[];
  /** Estimated tokens as it is sent. */
  readonly tokens: number;
}

/** One finished run of a policy: the plan with its summaries, and the numbers after. */
export interface Pass {
  /** Counted from 1 in the session, changes by hand among them: it identifies the pass. */
  readonly number: number;
  /** Counted from 1 among the passes, or among the changes by hand: it is what is shown. */
  readonly ordinal: number;
  /** The step that is about to be asked for. */
  readonly beforeStep: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly budget: Budget;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly decisions: readonly Decision[];
  /** Absent in older logs; logs have it by this name. */
  readonly besides?: PassOverhead;
  readonly summaries: readonly Summary[];
  /** What it shows of the files in work; absent for nothing. */
  readonly view?: FileView;
  readonly cache: CachePrice;
  /** Present where the user took a prompt back: every block behind it left too. */
  readonly undonePrompt?: UndonePrompt;
}

/** A prompt that the user took back, with everything that came after it. */
export interface UndonePrompt {
  /** The scratchpad as it was before the prompt; absent where it is the same. */
  readonly scratchpad?: Scratchpad;
  /** Its age by then, as `ScratchpadAge` has it; absent where it is the same. */
  readonly scratchpadAge?: {
    readonly writtenAt: number;
    readonly isReminded: boolean;
    readonly isTold: boolean;
  };
  /** A pass since the prompt has shown the scratchpad: it is shown anew, as it was before. */
  readonly showsScratchpad?: true;
  /** The last of the turns that left; absent where it is the one of the prompt. */
  readonly through?: number;
  /** The turn of the prompt. It and `through` come last, so that a list of sessions finds them in the log. */
  readonly turn: number;
}

/** The numbers of the turns that a taking back took. */
export function turnsOf({ turn, through = turn }: UndonePrompt): readonly number[] {
  return Array.from({ length: through - turn + 1 }, (_, index) => turn + index);
}

/** Says whether the plan changes anything at all. */
export function changesWindow(plan: Pick<Plan, 'decisions'>): boolean {
  return plan.decisions.some((decision) => decision.action !== 'keep');
}

/** How much of a text the window holds from now on; `handle` names a block or a call. */
export interface NewAdmission {
  readonly handle: string;
  readonly admission: Admission;
}

/** A part of what a model was asked, in the form of the Messages API. */
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

/** What a model was asked for a summary, word for word, and what it answered. */
export interface SummaryExchange {
  /** The model as it was asked for. */
  readonly model: string;
  /** Most tokens the answer could have. */
  readonly maxTokens: number;
  readonly system: string;
  /** The one message of the user. */
  readonly content: readonly ExchangePart[];
  /**
   * The answer; absent where the summary is just that, word for word, or where no answer came.
   */
  readonly answer?: string;
}
