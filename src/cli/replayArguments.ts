import { makeBudget, type Budget } from '../contextWindow/budget';
import type { PolicySettings } from '../contextWindow/passes/rungs/policyInput';
import { ASSUMED_WINDOW_TOKENS } from '../counting/modelWindows';
import { REPLAY_POLICIES, type ReplayPolicy } from '../replay/replaySettings';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '../sessions/transcript';
import { DEFAULT_SETTINGS } from '../settings/settings';
import {
  allOf,
  budgetMessage,
  isHttpUrl,
  parseOptions,
  readChoice,
  readWatermark,
  readWhole,
  type Read,
} from './optionValues';

/** What `plimsoll replay` was asked to do. */
export interface ReplayOptions {
  readonly files: readonly string[];
  readonly format: TranscriptFormat | 'auto';
  readonly policies: readonly ReplayPolicy[];
  readonly budget: Budget;
  readonly settings: Omit<PolicySettings, 'policy'>;
  readonly pinTaskAnchor: boolean;
  /** Server that is asked for summaries; absent: the deterministic work note. */
  readonly summariserUrl?: string;
  readonly requestsFile?: string;
  readonly ledgerFile?: string;
  readonly json: boolean;
}

const { context: DEFAULTS } = DEFAULT_SETTINGS;

const OPTIONS = {
  format: { type: 'string' },
  policy: { type: 'string' },
  compare: { type: 'string' },
  window: { type: 'string' },
  'max-reply': { type: 'string' },
  safety: { type: 'string' },
  'tool-headroom': { type: 'string' },
  high: { type: 'string' },
  low: { type: 'string' },
  'keep-turns': { type: 'string' },
  'max-messages': { type: 'string' },
  'no-pin': { type: 'boolean' },
  summariser: { type: 'string' },
  requests: { type: 'string' },
  ledger: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Reads what stands behind `plimsoll replay`. */
export function readReplayArguments(args: readonly string[]): Read<ReplayOptions> {
  const parsed = parseOptions(args, OPTIONS);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (positionals.length === 0) return wrong('FILE is missing: name a recorded session.');
  const { requests, ledger } = values;
  const read = allOf({
    format: readChoice('--format', values.format, ['auto', ...TRANSCRIPT_FORMATS] as const),
    policies: readPolicies(values.policy, values.compare),
    window: readWhole('--window', values.window),
    maxReply: readWhole('--max-reply', values['max-reply']),
    safety: readWhole('--safety', values.safety, 0),
    toolHeadroom: readWhole('--tool-headroom', values['tool-headroom'], 0),
    high: readWatermark('--high', values.high, DEFAULTS.highWatermark),
    low: readWatermark('--low', values.low, DEFAULTS.lowWatermark),
    keepTurns: readWhole('--keep-turns', values['keep-turns']),
    maxMessages: readWhole('--max-messages', values['max-messages'], 2),
    summariserUrl: readSummariser(values.summariser),
  });
  if (!read.ok) return read;
  const { format, policies, keepTurns, maxMessages, summariserUrl, ...numbers } = read.value;
  const budget = makeBudget({
    contextWindowTokens: numbers.window ?? ASSUMED_WINDOW_TOKENS,
    maxReplyTokens: numbers.maxReply ?? DEFAULTS.maxReplyTokens,
    safetyHeadroomTokens: numbers.safety ?? DEFAULTS.safetyHeadroomTokens,
    toolResultHeadroomTokens: numbers.toolHeadroom ?? DEFAULTS.toolResultHeadroomTokens,
    highWatermark: numbers.high ?? DEFAULTS.highWatermark,
    lowWatermark: numbers.low ?? DEFAULTS.lowWatermark,
  });
  if (!budget.ok) return wrong(budgetMessage(budget.problems));
  const options: ReplayOptions = {
    files: positionals,
    format: format ?? 'auto',
    policies,
    budget: budget.budget,
    settings: {
      maxMessages: maxMessages ?? DEFAULTS.maxMessages,
      keepTurns: keepTurns ?? DEFAULTS.keepTurns,
      // What was asked for by name is not to be undone by a limit nobody asked for.
      maxHistoryTurns: Math.max(DEFAULTS.maxHistoryTurns, keepTurns ?? 0),
      summaries: true,
    },
    pinTaskAnchor: values['no-pin'] !== true,
    json: values.json === true,
    ...(summariserUrl === undefined ? {} : { summariserUrl }),
    ...(requests === undefined ? {} : { requestsFile: requests }),
    ...(ledger === undefined ? {} : { ledgerFile: ledger }),
  };
  return { ok: true, value: options };
}

function readPolicies(
  policy: string | undefined,
  compare: string | undefined,
): Read<readonly ReplayPolicy[]> {
  if (policy !== undefined && compare !== undefined) {
    return wrong('Give --policy or --compare, not both.');
  }
  const [option, names] =
    compare === undefined
      ? (['--policy', [policy ?? 'ladder']] as const)
      : (['--compare', [...new Set(compare.split(',').map((name) => name.trim()))]] as const);
  const policies: ReplayPolicy[] = [];
  for (const name of names) {
    const read = readChoice(option, name, REPLAY_POLICIES);
    if (!read.ok) return read;
    if (read.value !== undefined) policies.push(read.value);
  }
  return { ok: true, value: policies };
}

function readSummariser(text: string | undefined): Read<string | undefined> {
  if (text === undefined || text === 'note') return { ok: true, value: undefined };
  return isHttpUrl(text)
    ? { ok: true, value: text }
    : wrong(`--summariser must be note or an http or https address, not "${text}".`);
}

function wrong(message: string): Read<never> {
  return { ok: false, message };
}
