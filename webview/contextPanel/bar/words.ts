import type { ContextView } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatShare, formatTokens } from '../../kit/tokens';
import type { OpenPart } from '../store/keptState';
import type { BarPartName, SegmentName } from './segments';

export type MarkName = 'recent' | 'low' | 'high' | 'pass' | 'budget' | 'beyond' | 'window';

/** What each part of the bar means. */
export const SEGMENT_MEANINGS: Readonly<Record<SegmentName, string>> = {
  tools: 'tool definitions, sent with every request',
  system: 'instructions and project memory, sent with every request',
  unrecorded:
    "unrecorded tokens: counted by the recording's API but missing from its file, such as thinking",
  scratchpad: "the agent's notes, which outlive removed blocks",
  anchor: 'the original task, sent with every request',
  rules: 'your standing rules whose prompts were removed, verbatim',
  summary: 'stands for blocks that were summarised',
  gapLines: 'lines that tell the model how many whole turns were removed, and where',
  excerpts: 'excerpts of the files in work, as of the last pass',
  archive: 'older blocks, removed first',
  working: 'the newest blocks, removed last',
  headroom: 'room for the next request',
  reserved: 'kept free: no request may use it',
};

/** The labels inside the bar, the longest first; the free room has none. */
export const PART_LABELS: Readonly<Record<BarPartName, readonly string[]>> = {
  fixed: ['instructions and tools', 'instructions, tools'],
  unrecorded: ['not recorded'],
  kept: ['kept and summarised', 'kept'],
  files: ['file excerpts', 'files'],
  conversation: ['conversation'],
  free: [],
  reserved: ['reserved'],
};

/** A last, shorter label for a part whose widest segment is this one. */
export const SEGMENT_LABELS: Readonly<Partial<Record<SegmentName, string>>> = {
  tools: 'tools',
  system: 'instructions',
};

/** What each line across the bar means. */
export const MARK_MEANINGS: Readonly<Record<MarkName, string>> = {
  recent: 'Everything to the right is kept verbatim if the budget allows',
  low: 'Low watermark: a pass stops at or below it',
  high: 'High watermark: a pass starts above it',
  pass: 'A pass starts when a request would be larger than this',
  budget: 'Input budget: the most that the next request may hold',
  beyond: 'The input budget, beyond the end of this bar: the bar is drawn to where passes begin',
  window: 'End of the context window: the model reads nothing beyond it',
};

/** How full the window is, in percent of the input budget: "44 % full". */
export function fullWords({ used, inputBudget }: ContextView['balance']): string {
  return `${formatShare(used.tokens, inputBudget)} full`;
}

type Fill = Pick<ContextView, 'balance' | 'passAbove' | 'compaction' | 'next'>;

/** Says how much more fits before something is removed, or what is exceeded; a sentence. */
export function roomWords({ balance, passAbove, compaction, next }: Fill, isCold: boolean): string {
  const { used, headroom, contextWindowTokens } = balance;
  const say = (tokens: number): string => formatTokens({ tokens, exact: used.exact });
  const count = (tokens: number): string => `${say(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
  const beyond = used.tokens - contextWindowTokens;
  if (beyond > 0) return `${count(beyond)} more than the whole context window holds.`;
  if (headroom < 0) return `${count(-headroom)} over the input budget.`;
  if (compaction === 'off') return `Room for ${say(headroom)} more; no pass runs automatically.`;
  const room = passAbove - used.tokens;
  const acts = compaction === 'ask' ? 'asks to remove something' : 'removes something';
  if (room >= 0 && isCold) {
    const mayAct = compaction === 'ask' ? 'ask to remove something' : 'remove something';
    return `The prompt cache is cold: Plimsoll may ${mayAct} before the next step.`;
  }
  if (room >= 0) return `Room for ${say(room)} more before Plimsoll ${acts}.`;
  return next.type === 'nothing'
    ? `${count(-room)} above the mark, but a pass now would free too little.`
    : `${count(-room)} above the mark: Plimsoll ${acts} before the next step.`;
}

/** Writes the tokens in the window and the budget: "9,438 of 21,580 tokens". */
export function usedWords({ used, inputBudget }: ContextView['balance']): string {
  return `${formatTokens(used)} of ${formatNumber(inputBudget)} tokens`;
}

/** Whether the windows shown are those of a replay, which no model saw. */
export function isReplayed({ source }: Pick<ContextView, 'source'>): boolean {
  return source.type === 'recording' && source.asItWas !== true;
}

/** What a past step shows. */
export function pastWords({ source, travel }: Pick<ContextView, 'source' | 'travel'>): string {
  const seen = isReplayed({ source })
    ? 'What Plimsoll would have sent then, with the cost so far.'
    : 'What the model saw then, with the cost so far; nothing can be changed here.';
  return travel.budgetOfToday === true
    ? `${seen} The log lacks its budget: today’s is used.`
    : seen;
}

/** Compares with the size of the recorded agent's own request; '' if that is not known. */
export function recordedWords({ recordedTokens }: ContextView['travel'], used: number): string {
  if (recordedTokens === undefined) return '';
  const held = `The recorded agent's own request held ${formatNumber(recordedTokens)} tokens by its server's count`;
  if (recordedTokens === used) return `${held}, the same as this one.`;
  const difference = formatNumber(Math.abs(recordedTokens - used));
  const more = recordedTokens > used ? 'more' : 'fewer';
  return `${held}, ${difference} ${more}. The difference comes from passes and truncated results.`;
}

/** Says where the number of used tokens comes from, and whether it is an estimate. */
export function sourceWords({
  used,
  source,
}: Pick<ContextView['balance'], 'used' | 'source'>): string {
  switch (source) {
    case 'usage':
    case 'countTokens':
      return used.exact ? 'counted by the server' : 'estimate';
    case 'overflowError':
      return used.exact ? "taken from the server's error" : 'estimate';
    case 'recorded':
      return "counted by the recorded agent's server";
    case 'estimate':
      return 'estimate, not counted yet';
  }
}

/** The headings of the details below the bar. */
export const DETAILS_TITLES: Readonly<Record<OpenPart, string>> = {
  fixed: 'Instructions and tools',
  unrecorded: 'Not in the recording',
  kept: 'Kept and summarised',
  files: 'File excerpts',
  conversation: 'Conversation',
  rules: 'Standing rules',
  sum: 'The whole sum',
};

/** What the list of instruction files and skills says. */
export const MEMORY_WORDS = {
  total: (tokens: number) =>
    `Project memory and skills, ${formatTokens({ tokens, exact: false })} tokens in every request.`,
  skill: (name: string) => `Skill ${name}`,
  hint: (path: string, isOn: boolean, isNote: boolean) =>
    isOn
      ? `${path}: untick it, and the agent gets it no more from the next ${isNote ? 'session' : 'prompt'} on`
      : `${path}: switched off in this workspace; tick it, and the agent gets it from the next prompt on`,
  profileHint: 'Applies to all your projects; sent after the project memory',
};
