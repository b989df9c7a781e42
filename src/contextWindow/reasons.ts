import { amountText, countText, tokenText } from './amount';
import type { Block } from './block';
import { passName, type NamedPass } from './passes/passName';
import { mustBeRead, type HandProtection, type Protection, type UnreadNote } from './tier';

/** The rules that need no data to explain a decision; `keep:` rules say what protected the block. */
export const PLAIN_RULES = [
  'keep:anchor',
  'keep:pinned',
  'keep:latestPrompt',
  'keep:memory',
  'keep:restored',
  'keep:head',
  'keep:newestSearch',
  'keep:spared',
  'keep:untouched',
  'keep:recorded',
  'keep:withinCap',
  'evictUnneeded',
  'evictFinishedPrompt',
  'evictRestored',
  'excludedByUser',
  'clearedByUser',
  'rewrittenByUser',
] as const;

/** Why a block was kept or changed: the rule, and the data its sentence is made of. */
export type Reason =
  | { readonly rule: (typeof PLAIN_RULES)[number] }
  | { readonly rule: 'keep:openStep'; readonly hasResults: boolean }
  | { readonly rule: 'keep:unread'; readonly note: UnreadNote }
  | { readonly rule: 'keep:recentTurns'; readonly turns: number }
  | { readonly rule: 'keep:recent'; readonly steps: number }
  /** The pass reached its target without the block; `tokens` is the target. */
  | {
      readonly rule: 'keep:enough';
      readonly mark: 'lowWatermark' | 'goal';
      readonly tokens: number;
    }
  /** The pass reached its target without the block, which was needed again so often. */
  | { readonly rule: 'keep:neededAgain'; readonly times: number }
  | { readonly rule: 'keep:noGain'; readonly because: NoGain }
  | { readonly rule: 'truncateAtAdmission'; readonly cuts: readonly AdmissionCut[] }
  | { readonly rule: 'shortenTask'; readonly tokens: number }
  | { readonly rule: 'shortenProtected'; readonly tokens: number }
  | { readonly rule: 'clearSuperseded'; readonly shownBy: readonly CallInStep[] }
  /** `of`: the order of clearing; `tokens` are those of the step before. */
  | {
      readonly rule: 'clearOldResults';
      readonly of: ClearedOf;
      readonly beforeTurns?: BeforeTurns;
      readonly tokens: number;
      /** Why other results of the step were cleared in the same pass. */
      readonly others?: readonly OtherCleared[];
    }
  | { readonly rule: 'clearOversized'; readonly tokens: number }
  | { readonly rule: 'clearHeldByExcerpts'; readonly isShown: boolean }
  | { readonly rule: 'trimThinking'; readonly because: 'oldest' | 'changedBefore' }
  /** `olderThan`: the number of newest steps that the block is older than. */
  | (Summarised & { readonly rule: 'summariseOldest'; readonly olderThan?: number })
  | (Summarised & {
      readonly rule: 'summariseSpent';
      readonly isStep: boolean;
      /** The text of files in it: reads that the pass cleared first, or edits of long ago. */
      readonly files?: 'clearedReads' | 'oldEdits';
    })
  | (Summarised & { readonly rule: 'summariseOverCap'; readonly cap: Cap })
  | (Summarised & { readonly rule: 'recorded' })
  | {
      readonly rule: 'evictLeastSalient';
      /** What it was compared with. */
      readonly of: ComparedWith;
      readonly beforeTurns?: BeforeTurns;
      readonly relevance: number;
      /** The relevance is the model's own rating. */
      readonly isRated?: true;
      readonly lacks: readonly Lack[];
    }
  | { readonly rule: 'evictOldest'; readonly isOldest: boolean }
  | { readonly rule: 'evictMiddle'; readonly isInMiddle: boolean }
  | { readonly rule: 'evictOverCap'; readonly cap: Cap }
  | { readonly rule: 'evictShownNotes'; readonly isReminder: boolean }
  | { readonly rule: 'evictFormerExcerpts'; readonly isReplaced: boolean }
  | { readonly rule: 'restoredByUser'; readonly above?: AboveMark }
  | { readonly rule: 'undoneByUser'; readonly isPrompt: boolean }
  | { readonly rule: 'undone'; readonly pass: NamedPass };

/** The rule that led to a decision. */
export type Rule = Reason['rule'];

/** Why a pass that did not reach its target left a block alone. */
export type NoGain = (typeof NO_GAINS)[number];
export const NO_GAINS = ['belowHighWatermark', 'withinInputBudget', 'exhausted'] as const;

/** In which order results were cleared: `largeFirst` if a less likely needed small one stays. */
export type ClearedOf = (typeof CLEARED_OF)[number];
export const CLEARED_OF = ['largeFirst', 'all'] as const;

/** Why a pass clears a result without comparing it. */
export type OtherCleared = (typeof OTHERS_CLEARED)[number];
export const OTHERS_CLEARED = ['outOfDate', 'heldByExcerpts'] as const;

/**
 * The blocks that a pass compares when it evicts the least relevant: first the older steps and
 * summaries, then the recent blocks, then those often needed again, then the prompts.
 */
export type ComparedWith = (typeof COMPARED_WITH)[number];
export const COMPARED_WITH = ['olderSteps', 'recent', 'neededOften', 'prompts'] as const;

/**
 * This many newest turns were not compared: a pass changes them last. Undefined if the comparison
 * holds with all turns.
 */
type BeforeTurns = number | undefined;

/** A text that was truncated at admission; `name` tells several of one block apart. */
interface AdmissionCut {
  readonly name?: string;
  readonly tokens: number;
  readonly capTokens: number;
}

/** A tool call by its label, and its step. */
export interface CallInStep {
  readonly call: string;
  readonly step: number;
}

/** The limit that a pass enforced, and how many turns or messages it left. */
export type Cap =
  | { readonly of: 'turns'; readonly left: number; readonly most?: number }
  | { readonly of: 'messages'; readonly left: number; readonly withHead?: true };

/** A block that a summary replaces; `summary` is absent until the summary is written. */
interface Summarised {
  readonly summary?: SummaryCredit;
}

/** Who wrote a summary. */
export type SummaryCredit =
  | { readonly by: 'model'; readonly model: string; readonly editedByUser?: true }
  | { readonly by: 'workNote'; readonly because: string; readonly editedByUser?: true };

/** What kept the relevance of a block low. */
export type Lack =
  /** It is in the oldest quarter of the window. */
  | { readonly factor: 'recency' }
  /** No step has named its files or identifiers for this many steps. */
  | { readonly factor: 'reuse'; readonly steps: number }
  /** It takes at least a twentieth of the used tokens. */
  | { readonly factor: 'size'; readonly tokens: number }
  /** It neither reads nor changes a file. */
  | { readonly factor: 'kind' };

/** How far the window is above a mark after a block was restored; tokens. */
export interface AboveMark {
  readonly mark: 'highWatermark' | 'inputBudget';
  readonly usedTokens: number;
  readonly markTokens: number;
}

/** A block of one of the newest turns that a pass changed all the same. */
export interface RecentTurn {
  readonly turn: number;
  /** How many of the newest turns a pass tries to keep. */
  readonly kept: number;
  /** There are no older turns; else they could not make enough room. */
  readonly isNothingOlder: boolean;
  /** The room includes what the pass keeps free for excerpts. */
  readonly withExcerpts?: true;
}

/** What the sentence about a decision is made of. */
interface Explained {
  readonly reason: Reason;
  readonly recentTurn?: RecentTurn;
}

/** The sentence that explains a decision. */
export function reasonText({ reason, recentTurn }: Explained): string {
  const text = sentenceOf(reason);
  return recentTurn === undefined ? text : `${text}${recentTurnText(recentTurn)}`;
}

function sentenceOf(reason: Reason): string {
  switch (reason.rule) {
    case 'keep:anchor':
      return 'The task: in every request, labelled as the original task';
    case 'keep:pinned':
      return 'Pinned by you';
    case 'keep:latestPrompt':
      return 'The newest prompt';
    case 'keep:openStep':
      return reason.hasResults
        ? 'The newest step: the model has not read its results yet'
        : 'The newest step';
    case 'keep:memory':
      return 'Project memory: in every request';
    case 'keep:restored':
      return 'Restored by you: it stays until the model has read it. A pin keeps it longer';
    case 'keep:unread':
      return `${UNREAD[reason.note]}: it stays until the model has read it`;
    case 'keep:head':
      return 'Part of the head, which this policy keeps';
    case 'keep:newestSearch':
      return 'A recent search that shows lines of files: the agent is likely to edit them';
    case 'keep:recentTurns':
      return reason.turns === 1
        ? 'Part of the newest turn, which stays verbatim'
        : `Part of the newest ${reason.turns} turns, which stay verbatim`;
    case 'keep:spared':
      return 'Spared by you in this pass';
    case 'keep:untouched':
      return 'You changed another block: this one stays as it is';
    case 'keep:recorded':
      return 'The recorded agent kept it here';
    case 'keep:recent':
      return `One of the ${reason.steps} newest steps`;
    case 'keep:withinCap':
      return 'Kept: within the limit on turns or messages';
    case 'keep:enough':
      return `Kept: ${MARKS[reason.mark]} (${tokenText(reason.tokens)} tokens) was reached without it`;
    case 'keep:neededAgain':
      return `Kept: needed again ${reason.times} times after it was removed, so it is removed last`;
    case 'keep:noGain':
      return `Kept: ${NO_GAIN[reason.because]}`;
    case 'truncateAtAdmission':
      return reason.cuts.map(cutText).join('; ');
    case 'shortenTask':
      return `Its ${tokenText(reason.tokens)} tokens would push out the newest turns: head and tail kept`;
    case 'shortenProtected':
      return `It may not leave, but its ${tokenText(reason.tokens)} tokens do not fit: head and tail kept`;
    case 'clearSuperseded':
      return `Result out of date: shown again by ${reason.shownBy.map(callText).join(', ')}`;
    case 'clearOldResults':
      return `Results cleared (${tokenText(reason.tokens)} tokens): ${clearedAmongText(reason)}`;
    case 'clearOversized':
      return `Its ${tokenText(reason.tokens)} tokens are too many for one step: results cleared so that other blocks stay`;
    case 'clearHeldByExcerpts':
      return reason.isShown
        ? 'Read before: the excerpts show the lines most likely to be needed'
        : 'Read before: excerpts can show it again';
    case 'trimThinking':
      return reason.because === 'oldest'
        ? 'Oldest thinking removed; text and tool calls stay'
        : 'Thinking removed because something before it changed; text and tool calls stay';
    case 'summariseOldest':
      return reason.olderThan === undefined
        ? `Summarised to make room: ${replacedText(reason)}`
        : `Older than the ${reason.olderThan} newest steps: ${replacedText(reason)}`;
    case 'summariseSpent':
      return `${spentText(reason)}: ${replacedText(reason)}`;
    case 'summariseOverCap':
      return `Over the limit: ${capText(reason.cap)}; ${replacedText(reason)}`;
    case 'recorded':
      return reason.summary === undefined
        ? 'The recorded agent removed it here'
        : `The recorded agent replaced it by ${summaryText(reason.summary)}`;
    case 'evictLeastSalient':
      return leastRelevantText(reason);
    case 'evictOldest':
      return reason.isOldest ? 'One of the oldest blocks that may be removed' : TO_MAKE_ROOM;
    case 'evictMiddle':
      return reason.isInMiddle
        ? 'Between the head and the newest blocks: this policy removes the middle first'
        : TO_MAKE_ROOM;
    case 'evictOverCap':
      return `Over the limit: ${capText(reason.cap)}`;
    case 'evictUnneeded':
      return 'The rest of the recording needs it last or not at all';
    case 'evictFinishedPrompt':
      return 'Prompt of a finished turn whose steps were all removed';
    case 'evictRestored':
      return 'Restored by you, but the request would not fit with it';
    case 'evictShownNotes':
      return reason.isReminder
        ? 'A reminder that the model has read'
        : 'The agent’s notes now show what this note said';
    case 'evictFormerExcerpts':
      return reason.isReplaced
        ? 'Replaced by excerpts of the files as they are now'
        : 'Out of date, and there is no room for new excerpts';
    case 'excludedByUser':
      return 'Excluded by you';
    case 'clearedByUser':
      return 'Result cleared by you; the call stays';
    case 'restoredByUser':
      return `Restored by you${reason.above === undefined ? '' : aboveText(reason.above)}`;
    case 'rewrittenByUser':
      return 'Summary rewritten by you';
    case 'undoneByUser':
      return reason.isPrompt ? 'Undone by you' : 'It came after a prompt that you undid';
    case 'undone':
      return `You undid ${passName(reason.pass)}: what it replaced is back`;
  }
}

const TO_MAKE_ROOM = 'Removed to make room: old blocks are removed before newer ones';

const MARKS = { lowWatermark: 'the low watermark', goal: 'the goal of this pass' } as const;

const NO_GAIN: Readonly<Record<NoGain, string>> = {
  belowHighWatermark: 'the pass stopped below the high watermark without it',
  withinInputBudget: 'the pass stopped within the input budget without it',
  exhausted: 'this policy removes no such block',
};

const UNREAD: Readonly<Record<UnreadNote, string>> = {
  recall: 'Restored by you at the end of the window',
  return: 'Says how long the session was idle',
  said: 'What you said while the agent worked',
  rule: 'Tells the model about your standing rule',
  mode: 'Tells the model which mode you chose',
  filesRestored: 'Lists the files that you restored',
  commandsEnded: 'Lists the background commands that ended',
  continue: 'Asks the model to continue',
  reminder: 'A reminder',
};

function cutText({ name, tokens, capTokens }: AdmissionCut): string {
  const from = amountText({ tokens, exact: false });
  const what = `cut on arrival from ${from} to ${tokenText(capTokens)} tokens`;
  return `${name === undefined ? '' : `${name}: `}${what}; recall brings more`;
}

function callText({ call, step }: CallInStep): string {
  return `${call} in step ${step}`;
}

function capText(cap: Cap): string {
  if (cap.of === 'messages') {
    return cap.withHead === true
      ? `only ${cap.left} messages stay, the head and the newest`
      : `only the newest ${cap.left} messages stay`;
  }
  const stay = `only the newest ${countText(cap.left, 'turn')} stay`;
  return cap.most === undefined ? stay : `more than ${countText(cap.most, 'turn')}, so ${stay}`;
}

function replacedText({ summary }: Summarised): string {
  return `replaced by ${summary === undefined ? 'a summary' : summaryText(summary)}`;
}

function summaryText(credit: SummaryCredit): string {
  const by =
    credit.by === 'model'
      ? `a summary written by ${credit.model}`
      : `a work note (${credit.because})`;
  return credit.editedByUser === true ? `${by}, edited by you` : by;
}

type Cleared = Extract<Reason, { readonly rule: 'clearOldResults' }>;

function clearedAmongText({ of, beforeTurns, others = [] }: Cleared): string {
  const order = of === 'largeFirst' ? ', large ones first' : '';
  return `of those that may be cleared${beforeText(beforeTurns)}${order}, least likely to be needed for their size${others.map((why) => `; ${OTHERS[why]}`).join('')}`;
}

const OTHERS: Readonly<Record<OtherCleared, string>> = {
  outOfDate: 'others are out of date',
  heldByExcerpts: 'excerpts can show others',
};

function beforeText(turns: BeforeTurns): string {
  if (turns === undefined) return '';
  return turns === 1 ? ' before the newest turn' : ` before the newest ${turns} turns`;
}

type LeastRelevant = Extract<Reason, { readonly rule: 'evictLeastSalient' }>;

function leastRelevantText({ of, beforeTurns, relevance, isRated, lacks }: LeastRelevant): string {
  const rating = `${isRated === true ? 'rated by the model: ' : ''}${relevance.toFixed(2)}`;
  const because = lacks.length === 0 ? '' : `: ${lacks.map(lackText).join(', ')}`;
  return `${LEAST_RELEVANT[of]}${beforeText(beforeTurns)} (${rating})${because}`;
}

const LEAST_RELEVANT: Readonly<Record<ComparedWith, string>> = {
  olderSteps: 'Least relevant of the older steps that may be removed',
  recent: 'Least relevant of the recent blocks that may be removed',
  neededOften: 'After older and recent blocks, the least relevant of those needed again often',
  prompts: 'After everything else, the oldest prompt that may be removed',
};

function lackText(lack: Lack): string {
  switch (lack.factor) {
    case 'recency':
      return 'old';
    case 'reuse':
      return `not used for ${countText(lack.steps, 'step')}`;
    case 'size':
      return `large (${tokenText(lack.tokens)} tokens)`;
    case 'kind':
      return 'neither reads nor changes a file';
  }
}

/** Says why the agent cannot edit from a block that is summarised. */
function spentText({ isStep, files }: Extract<Reason, { rule: 'summariseSpent' }>): string {
  if (!isStep) return 'Summarised to make room';
  if (files === 'clearedReads') return 'No file text in it once its reads are cleared';
  return files === 'oldEdits' ? 'Its edits are among the oldest' : 'No file text in it';
}

const SPENT_WHY = {
  clearedReads: 'reads cleared, then summarised',
  oldEdits: 'old edits: summarised',
  none: 'no file text in it: summarised',
} as const;

function aboveText({ mark, usedTokens, markTokens }: AboveMark): string {
  const used = amountText({ tokens: usedTokens, exact: false });
  return (
    `. The window is then above the ${mark === 'highWatermark' ? 'high watermark' : 'input budget'} ` +
    `(${used} of ${tokenText(markTokens)} tokens): it stays until the model has read it once, ` +
    'and a pin keeps it longer'
  );
}

/** Says why a block of the newest turns was changed; '' if there are no other turns. */
function recentTurnText({ turn, kept, isNothingOlder, withExcerpts }: RecentTurn): string {
  if (isNothingOlder) return '';
  const which = kept === 1 ? 'the newest' : `among the newest ${kept}`;
  const also = withExcerpts === true ? ' with room for excerpts' : '';
  return `. Turn ${turn} is ${which}: older blocks were not enough${also}`;
}

/** The reason for a decision in at most six words, for a row: "old, large, unused 24 steps". */
export function shortReason(reason: Reason): string {
  switch (reason.rule) {
    case 'keep:anchor':
      return 'the task';
    case 'keep:pinned':
      return 'pinned by you';
    case 'keep:latestPrompt':
      return 'newest prompt';
    case 'keep:openStep':
      return 'newest step';
    case 'keep:memory':
      return 'project memory';
    case 'keep:restored':
      return 'restored by you, not read yet';
    case 'keep:unread':
      return 'note, not read yet';
    case 'keep:head':
      return 'part of the head';
    case 'keep:newestSearch':
      return 'newest search';
    case 'keep:recentTurns':
      return reason.turns === 1 ? 'newest turn' : `one of the newest ${reason.turns} turns`;
    case 'keep:spared':
      return 'spared by you';
    case 'keep:untouched':
      return 'not changed';
    case 'keep:recorded':
      return 'kept by the recorded agent';
    case 'keep:recent':
      return `one of the ${reason.steps} newest steps`;
    case 'keep:withinCap':
      return 'within the limit';
    case 'keep:enough':
      return 'enough room without removing it';
    case 'keep:neededAgain':
      return `needed again ${reason.times} times`;
    case 'keep:noGain':
      return 'the pass stopped before it';
    case 'truncateAtAdmission': {
      const [cut, ...more] = reason.cuts;
      if (cut === undefined || more.length > 0) return 'cut on arrival';
      return `cut on arrival from ${amountText({ tokens: cut.tokens, exact: false })}`;
    }
    case 'shortenTask':
      return 'too long: head and tail kept';
    case 'shortenProtected':
      return 'too large: head and tail kept';
    case 'clearSuperseded': {
      const [shown, ...more] = reason.shownBy;
      return shown === undefined || more.length > 0
        ? 'out of date, shown again later'
        : `shown again in step ${shown.step}`;
    }
    case 'clearOldResults':
      return reason.of === 'largeFirst'
        ? 'large first, least likely needed'
        : 'least likely to be needed';
    case 'clearOversized':
      return 'too large for one step';
    case 'clearHeldByExcerpts':
      return reason.isShown ? 'excerpts show what matters' : 'excerpts can show it';
    case 'trimThinking':
      return reason.because === 'oldest' ? 'oldest thinking removed' : 'thinking after a change';
    case 'summariseOldest':
      return reason.olderThan === undefined
        ? 'summarised to make room'
        : `before ${reason.olderThan} newest steps: summarised`;
    case 'summariseSpent':
      return reason.isStep ? SPENT_WHY[reason.files ?? 'none'] : 'summarised to make room';
    case 'summariseOverCap':
      return 'over the limit, summarised';
    case 'recorded':
      return reason.summary === undefined
        ? 'removed by the recorded agent'
        : 'summarised by the recorded agent';
    case 'evictLeastSalient':
      return shortLeastRelevant(reason);
    case 'evictOldest':
      return reason.isOldest ? 'oldest that may be removed' : 'old, removed to make room';
    case 'evictMiddle':
      return reason.isInMiddle ? 'middle of the conversation' : 'old, removed to make room';
    case 'evictOverCap':
      return `over the limit on ${reason.cap.of}`;
    case 'evictUnneeded':
      return 'needed last or not again';
    case 'evictFinishedPrompt':
      return 'all its steps were removed';
    case 'evictRestored':
      return 'restored, but did not fit';
    case 'evictShownNotes':
      return reason.isReminder ? 'reminder, already read' : 'repeated in the agent’s notes';
    case 'evictFormerExcerpts':
      return reason.isReplaced ? 'replaced by newer excerpts' : 'out of date';
    case 'excludedByUser':
      return 'excluded by you';
    case 'clearedByUser':
      return 'results cleared by you';
    case 'restoredByUser':
      return 'restored by you';
    case 'rewrittenByUser':
      return 'rewritten by you';
    case 'undoneByUser':
      return reason.isPrompt ? 'undone by you' : 'after an undone prompt';
    case 'undone':
      return `you undid ${passName(reason.pass)}`;
  }
}

function shortLeastRelevant({ of, relevance, lacks }: LeastRelevant): string {
  if (of === 'prompts') return 'oldest prompt';
  const [only, ...more] = lacks;
  if (only === undefined) return `least relevant (${relevance.toFixed(2)})`;
  if (only.factor === 'kind' && more.length === 0) return 'touches no file';
  const words = lacks.map(shortLack);
  // What lowered the relevance most comes first.
  while (words.join(' ').split(' ').length > MOST_WORDS) words.pop();
  return words.join(', ');
}

/** A short reason fits into a row. */
const MOST_WORDS = 6;

function shortLack(lack: Lack): string {
  switch (lack.factor) {
    case 'recency':
      return 'old';
    case 'reuse':
      return `unused ${countText(lack.steps, 'step')}`;
    case 'size':
      return 'large';
    case 'kind':
      return 'no file';
  }
}

/** The reason why a protected block stays. */
export function protectedBy(rule: Protection, block: Block): Reason {
  switch (rule) {
    case 'keep:openStep':
      return { rule, hasResults: block.kind === 'step' && block.pairs.length > 0 };
    case 'keep:unread':
      return { rule, note: unreadNoteOf(block) };
    default:
      return { rule };
  }
}

function unreadNoteOf(block: Block): UnreadNote {
  const from = block.kind === 'note' ? block.source.from : 'recall';
  return mustBeRead(from) ? from : 'recall';
}

/** Why the user may not clear or exclude a block. */
export const WHY_HELD: Readonly<Record<HandProtection, string>> = {
  'keep:anchor': 'This is the task, pinned so that it is in every request. Unpin it first.',
  'keep:pinned': 'This block is pinned. Unpin it first.',
  'keep:latestPrompt':
    'This is the newest prompt: without it the agent would not know what you asked.',
  'keep:openStep':
    'The model has not read the results of this step yet. Try again after the next step.',
};
