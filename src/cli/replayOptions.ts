import { makeBudget, type Budget } from '../contextWindow/budget';
import { POLICY_NAMES } from '../contextWindow/plan';
import type { PolicySettings } from '../contextWindow/passes/rungs/policyInput';
import { ASSUMED_WINDOW_TOKENS } from '../model/modelWindows';
import { MOST_WINDOWS } from '../replay/judge/judgement';
import { MOST_OF_WINDOW } from '../replay/judge/windowProbes';
import { REPLAY_POLICIES, type ReplayPolicy } from '../replay/replaySettings';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../sessions/transcript';
import { automaticBudget, AUTOMATIC_WATERMARKS } from '../settings/windowBudget';
import { DEFAULT_SETTINGS } from '../settings/settings';
import {
  address,
  budgetMessage,
  choice,
  choicesOf,
  flag,
  isServer,
  optionsHelp,
  withFallback,
  parsing,
  readOptions,
  share,
  text,
  watermark,
  whole,
  type Options,
  type Read,
} from './options';
import { refused } from '../contextWindow/result';

export interface ReplayOptions {
  readonly files: readonly string[];
  readonly format: TranscriptFormat | 'auto';
  readonly policies: readonly ReplayPolicy[];
  readonly budget: Budget;
  readonly settings: Omit<PolicySettings, 'policy'>;
  readonly pinTaskAnchor: boolean;
  /** Longer tool results are truncated when they are admitted; tokens. */
  readonly toolResultCapTokens: number;
  /** Server that writes summaries; absent: the deterministic work note. */
  readonly summariserUrl?: string;
  /** Server that is asked what a model knows from the windows after passes; absent: none. */
  readonly judgeUrl?: string;
  /** The model that answers there; absent: the product's default. */
  readonly judgeModel?: string;
  readonly requestsFile?: string;
  readonly ledgerFile?: string;
  /** Measures what the files hold, not what their APIs counted. */
  readonly fileOnly: boolean;
  readonly ignorePauses: boolean;
  readonly json: boolean;
  /** The saved report that the new one is compared with. */
  readonly checkFile?: string;
  /** Reports how large the turns are instead of what policies keep. */
  readonly turns: boolean;
}

const { context: DEFAULTS, model: DEFAULT_MODEL } = DEFAULT_SETTINGS;
const { highWatermark: HIGH, lowWatermark: LOW } = AUTOMATIC_WATERMARKS;

/** The same for every recorded model, so that replays can be compared. */
const REPLY_TOKENS = 4_096;

export const REPLAY_OPTIONS = {
  format: withFallback(
    choice(
      'F',
      `auto, ${TRANSCRIPT_FORMATS.join(', ')}; messages is a body of the Messages API or its array`,
      ['auto', ...TRANSCRIPT_FORMATS] as const,
    ),
    'auto',
  ),
  policy: {
    ...choice('P', 'the policy that decides what is removed', REPLAY_POLICIES),
    fallback: DEFAULTS.policy,
  },
  compare: choicesOf('P1,P2,...', 'several policies, one after another', REPLAY_POLICIES),
  window: withFallback(whole('N', 'context window in tokens'), ASSUMED_WINDOW_TOKENS),
  'max-reply': withFallback(whole('N', 'tokens kept free for the reply'), REPLY_TOKENS),
  safety: {
    ...whole('N', 'tokens kept free in case estimates are too low', 0),
    fallback: '1 % of the window, at least 2048; less in one below 48000',
  },
  'tool-headroom': {
    ...whole('N', 'tokens kept free for the next tool results', 0),
    fallback: '8192, less in a window below 48000; at most a third of the rest',
  },
  high: {
    ...watermark(
      'M',
      'a pass starts above this fraction of the rest, or this many tokens, at least 1000',
      HIGH.fraction,
    ),
    fallback: `${HIGH.fraction}, at most ${HIGH.capTokens}`,
  },
  low: {
    ...watermark('M', 'a pass stops at or below this fraction, or this many tokens', LOW.fraction),
    fallback: `${LOW.fraction}, at most ${LOW.capTokens}`,
  },
  'result-cap': withFallback(
    whole('N', 'tokens of a tool result; a longer one is truncated, head and tail kept'),
    DEFAULTS.toolResultCapTokens,
  ),
  'keep-recent': withFallback(
    whole(
      'N',
      'newest turns that ladder and summarise keep verbatim as long as older blocks can go',
      0,
    ),
    DEFAULTS.keepRecentTurns,
  ),
  'excerpt-share': withFallback(
    share(
      'M',
      'ladder shows excerpts of the files in work, at most until the window is full to this share of the low ' +
        'watermark',
    ),
    DEFAULTS.excerptShare,
  ),
  'keep-turns': withFallback(whole('N', 'turns that lastTurns keeps'), DEFAULTS.keepTurns),
  'max-messages': withFallback(
    whole('N', 'messages that slidingWindow and headTail keep', 2),
    DEFAULTS.maxMessages,
  ),
  'no-pin': flag('do not pin the task anchor'),
  summariser: {
    ...parsing(
      'S',
      'who writes summaries: note (a work note without a model), or the URL of a server that speaks ' +
        `the Messages API; it is asked for ${DEFAULT_MODEL} with the key of ANTHROPIC_API_KEY`,
      readSummariser,
    ),
    fallback: 'note',
  },
  judge: address(
    'URL',
    'ask a model, at a server that speaks the Messages API, what it knows from the window after ' +
      'each pass, with questions made from the recording, and report how much is right; uses the key ' +
      'of ANTHROPIC_API_KEY. This sends the recording there and costs money: up to ' +
      `${2 * MOST_WINDOWS * MOST_OF_WINDOW} requests of the window's size for each file and policy`,
  ),
  'judge-model': { ...text('ID', 'the model that --judge asks'), fallback: DEFAULT_MODEL },
  requests: text(
    'FILE',
    'write every request there as it would have been sent, one a line; with several files or ' +
      'policies, each line starts with its file, policy and step',
  ),
  ledger: text('FILE', 'write every decision of every pass there, one a line'),
  'file-only': flag(
    'measure only what the file holds, by estimate; without it every block weighs what the recorded ' +
      'API counted, as in the Context panel',
  ),
  'ignore-pauses': flag(
    'run no pass at an expired prompt cache, and cache for 5 minutes only, to measure what both save',
  ),
  json: flag('report as JSON: an array, one object for each file and policy'),
  check: text(
    'FILE',
    'compare with a report that --json wrote there earlier; if a number got worse, say which ' +
      'and end with 3',
  ),
  turns: flag(
    'report instead how many turns the files have, and how many steps and tokens each turn has, ' +
      'and propose keepRecentTurns and maxHistoryTurns for this window',
  ),
} satisfies Options;

export const REPLAY_HELP = `Usage: plimsoll replay FILE... [options]

Replays recorded sessions of any agent through Plimsoll's window and reports what each policy would
have kept. The report goes to standard output, progress to standard error. If the file has its
API's counts, the window weighs what they say, including thinking and injected text.

${optionsHelp(REPLAY_OPTIONS)}

Policies: ${POLICY_NAMES.join(', ')}.
For measurements only: ladderNoExcerpts, the ladder without excerpts of files; recorded, which makes
the recorded agent's own compactions; clairvoyant, which knows the rest of the recording and keeps
what it needs, without excerpts; clairvoyantExcerpts, the same with excerpts; and none, which evicts
nothing. Under server no API is asked: Plimsoll clears tool results as the API's documentation says,
and the report says so. --requests then has each request as the API would read it.

Exit code: 0 finished, 1 a file cannot be read or written, or --judge got no answer, 2 bad usage,
3 a number is worse than in the report of --check, 130 stopped.`;

export function readReplayArguments(args: readonly string[]): Read<ReplayOptions> {
  const read = readOptions(args, REPLAY_OPTIONS, (positionals) =>
    positionals.length === 0 ? 'FILE is missing: name a recorded session.' : undefined,
  );
  if (!read.ok) return read;
  const { values, positionals } = read.value;
  const { policy, compare, summariser, judge, requests, ledger, check, turns } = values;
  const judgeModel = values['judge-model'];
  if (policy !== undefined && compare !== undefined) {
    return refused('Give --policy or --compare, not both.');
  }
  const idle = Object.entries({ policy, compare, summariser, judge, requests, ledger, check }).find(
    ([, given]) => given !== undefined,
  );
  if (turns && idle !== undefined) {
    return refused(`Give --turns or --${idle[0]}, not both: --turns runs no policy.`);
  }
  const budget = makeBudget(
    automaticBudget(
      {
        maxReplyTokens: values['max-reply'],
        safetyHeadroomTokens: values.safety ?? null,
        toolResultHeadroomTokens: values['tool-headroom'] ?? null,
        highWatermark: values.high ?? null,
        lowWatermark: values.low ?? null,
        prepareWatermark: null,
      },
      values.window,
    ).settings,
  );
  if (!budget.ok) return refused(budgetMessage(budget.problems));
  const options: ReplayOptions = {
    files: positionals,
    format: values.format,
    policies: compare ?? [policy ?? DEFAULTS.policy],
    budget: budget.budget,
    settings: {
      maxMessages: values['max-messages'],
      keepTurns: values['keep-turns'],
      keepRecentTurns: values['keep-recent'],
      maxHistoryTurns: DEFAULTS.maxHistoryTurns,
      summaries: true,
      excerptShare: values['excerpt-share'],
    },
    pinTaskAnchor: !values['no-pin'],
    toolResultCapTokens: values['result-cap'],
    fileOnly: values['file-only'],
    ignorePauses: values['ignore-pauses'],
    json: values.json,
    turns,
    checkFile: check,
    summariserUrl: summariser,
    judgeUrl: judge,
    judgeModel,
    requestsFile: requests,
    ledgerFile: ledger,
  };
  return { ok: true, value: options };
}

function readSummariser(given: string, name: string): Read<string | undefined> {
  if (given === 'note') return { ok: true, value: undefined };
  return isServer(given)
    ? { ok: true, value: given }
    : refused(
        `${name} must be note or an address that begins with https://, or with http:// for a server on this computer, not "${given}".`,
      );
}
