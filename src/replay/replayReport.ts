import {
  type Money,
  type PassPrice,
  type PassPrices,
  PassPricing,
} from '../contextWindow/account/passPrice';
import { promptTokens } from '../contextWindow/account/spending';
import { tokenText } from '../contextWindow/amount';
import type { Pass, PolicyAction, Trigger } from '../contextWindow/plan';
import { EMPTY_TIMELINE, extendTimeline } from '../contextWindow/timeline';
import { toRequest } from '../contextWindow/request/request';
import { costOfCharge } from '../model/pricing';
import { recordedChargesOf, type Transcript, type TranscriptFormat } from '../sessions/transcript';
import type { Judgement } from './judge/judgement';
import { countUnasked } from './recording';
import { NO_MODEL, type Replayed } from './replay';
import type { ReplayPolicy } from './replaySettings';
import { type Delta, deltaOf } from './reportNumbers';
import type { Totals } from './tally';

/** How often a pass took each action; kept blocks do not count. */
type ActionCounts = Readonly<Record<PolicyAction, number>>;

/** One pass in numbers; tokens are estimates. */
interface PassReport {
  readonly trigger: Trigger;
  readonly before: number;
  /** The pass stops at or below this. */
  readonly target: number;
  readonly after: number;
  readonly actions: ActionCounts;
  readonly price: PassCost;
}

/** What a pass cost, by the simulated usage; US dollars, null if a model has no list price. */
export interface PassCost {
  /** Its summaries, and the cached tokens that had to be written again. */
  readonly cost: number | null;
  readonly saved: number | null;
  readonly cacheTokens: number;
  /** The step whose request made the savings as large as the cost; null for not yet. */
  readonly repaidSince: number | null;
}

/** The numbers of one replay. */
export interface Measured extends Totals {
  readonly passes: readonly PassReport[];
}

/** One file under one policy, compared with the same file and nothing evicted. */
export interface ReplayReport extends Measured {
  readonly file: string;
  readonly format: TranscriptFormat;
  /** Messages of the last request with nothing evicted. */
  readonly messages: number;
  readonly turns: number;
  readonly steps: number;
  readonly toolPairs: number;
  readonly policy: ReplayPolicy;
  /** Tokens. */
  readonly inputBudget: number;
  /** Only the file's content was measured, not the API's counts. */
  readonly fileOnly: boolean;
  /** What its own agent paid, by the usage in the file; null without usage. */
  readonly recordedBill: RecordedBill | null;
  readonly baseline: Measured;
  /** Every number that can be compared, less that of the baseline. */
  readonly delta: Delta;
  /** What was omitted, repaired or truncated, for the user; one sentence each. */
  readonly notes: readonly string[];
  /** The model's recall from the windows after passes; absent if none was asked. */
  readonly judged?: Judgement;
}

/** The input of a report. */
interface ReportParts {
  readonly file: string;
  readonly transcript: Transcript;
  readonly policy: ReplayPolicy;
  readonly inputBudget: number;
  readonly fileOnly: boolean;
  readonly replayed: Replayed;
  /** The same recording with nothing evicted. */
  readonly baseline: Replayed;
  readonly judged?: Judgement;
}

/** Makes the report of a replay. */
export function reportOf(parts: ReportParts): ReplayReport {
  const { file, transcript, policy, inputBudget, fileOnly, replayed, baseline, judged } = parts;
  const { format, entries } = transcript;
  const replies = entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));
  const uses = replies.flatMap(({ parts }) => parts.filter(({ type }) => type === 'toolUse'));
  const [measured, ofBaseline] = [measuredOf(replayed), measuredOf(baseline)];
  return {
    file,
    format,
    messages: toRequest(baseline.window).messages.length,
    turns: entries.filter(({ type }) => type === 'prompt').length,
    steps: replies.length,
    toolPairs: uses.length,
    policy,
    inputBudget,
    fileOnly,
    recordedBill: recordedBillOf(replies),
    ...measured,
    baseline: ofBaseline,
    delta: deltaOf(measured, ofBaseline),
    notes: [
      ...transcript.notes,
      ...unaskedIn(transcript),
      ...unmarkedIn(replayed, policy),
      ...simulatedIn(replayed),
      ...shortenedIn(replayed).map((note) => `${policy}: ${note}`),
      ...notWrittenIn(replayed).map((note) => `${policy}: ${note}`),
    ],
    judged,
  };
}

/** What a recorded agent paid for its replies. */
interface RecordedBill {
  /** Answers whose usage is in the file, including those with thinking only. */
  readonly replies: number;
  /** Replies without usage. */
  readonly withoutUsage: number;
  readonly inputTokens: number;
  /** Share of the input that was read from the cache, 0..1. */
  readonly cacheReadShare: number;
  /** US dollars: the prices in the file, else list prices; null if a model has no price. */
  readonly cost: number | null;
}

type ReplyEntry = Extract<Transcript['entries'][number], { readonly type: 'reply' }>;

function recordedBillOf(replies: readonly ReplyEntry[]): RecordedBill | null {
  const all = replies.flatMap(recordedChargesOf);
  if (all.length === 0) return null;
  let [inputTokens, cacheRead] = [0, 0];
  let cost: number | null = 0;
  for (const charge of all) {
    inputTokens += promptTokens(charge.usage);
    cacheRead += charge.usage.cacheReadTokens;
    const usd = costOfCharge(charge);
    cost = cost === null || usd === undefined ? null : cost + usd;
  }
  return {
    replies: all.length,
    withoutUsage: replies.filter(({ usage }) => usage === undefined).length,
    inputTokens,
    cacheReadShare: inputTokens === 0 ? 0 : rounded(cacheRead / inputTokens, 4),
    cost: cost === null ? null : rounded(cost, 4),
  };
}

/** The numbers of a replay in the form of reports. */
export function measuredOf(replayed: Replayed): Measured {
  const { totals, passes } = replayed;
  const { prefixReuse, cost, planMs } = totals;
  const prices = pricesOf(replayed);
  return {
    ...totals,
    passes: passes.map((pass) => passReport(pass, prices.of(pass.number))),
    prefixReuse: rounded(prefixReuse, 4),
    cost: cost === null ? null : rounded(cost, 4),
    planMs: { median: rounded(planMs.median, 2), p95: rounded(planMs.p95, 2) },
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The prices of the passes, as the Context panel shows them for the same recording. */
function pricesOf({ events, window, simulatedUsage, recordedUsage }: Replayed): PassPrices {
  const timeline = extendTimeline(EMPTY_TIMELINE, events, window);
  const pricing = new PassPricing({
    costOf: costOfCharge,
    usageOf: (step) => simulatedUsage.get(step),
    recordedOf: (step) => recordedUsage.get(step),
  });
  return pricing.of(timeline);
}

function passReport(
  { trigger, before, target, after, decisions }: Pass,
  price: PassPrice | undefined,
): PassReport {
  const count = (action: PolicyAction) =>
    decisions.filter((decision) => decision.action === action);
  return {
    trigger,
    before: before.tokens,
    target,
    after: after.tokens,
    actions: {
      truncate: count('truncate').length,
      trim: count('trim').length,
      clear: count('clear').length,
      summarise: count('summarise').length,
      evict: count('evict').length,
    },
    price: {
      cost: dollarsOf(price?.cost),
      saved: dollarsOf(price?.saved),
      cacheTokens: price?.cache.tokens ?? 0,
      repaidSince: price?.repaidSince ?? null,
    },
  };
}

function dollarsOf(money: Money | undefined): number | null {
  return money?.usd === undefined ? null : rounded(money.usd, 4);
}

function unaskedIn({ entries }: Transcript): readonly string[] {
  const count = countUnasked(entries);
  if (count === 0) return [];
  return [`${count} ${count === 1 ? 'reply' : 'replies'} nothing asked for got no request.`];
}

/** If the recording shows no compaction, `recorded` is like `none`. */
export function unmarkedIn({ marks }: Replayed, policy: ReplayPolicy): readonly string[] {
  if (policy !== 'recorded' || marks.length > 0) return [];
  return ['recorded: it does not show that its agent ever made room, so nothing left.'];
}

/** No API was asked: the replay simulates its documented editing. */
export function simulatedIn({ contextEdits, totals }: Replayed): readonly string[] {
  if (contextEdits === undefined) return [];
  const { requests, clearedTokens } = contextEdits;
  return [
    `server: the API's clearing of tool results is simulated; it took ${tokenText(clearedTokens)} tokens ` +
      `in all from ${requests} of ${totals.requests} requests.`,
  ];
}

/** Protected blocks that were truncated because they did not fit. */
function shortenedIn({ window, passes }: Replayed): readonly string[] {
  const admitted = window.blocks.flatMap((block) => {
    const isPrompt = block.kind === 'anchor' || block.kind === 'prompt';
    if (!isPrompt || block.admission.form === 'whole') return [];
    const { tokensBefore, tokensAfter } = block.admission;
    return [shortening(block.id, tokensBefore, tokensAfter)];
  });
  const cut = passes.flatMap(({ decisions }) =>
    decisions
      .filter(({ reason, kind }) => reason.rule === 'shortenProtected' && kind === 'step')
      .map(({ blockId, before, after }) => shortening(blockId, before.tokens, after.tokens)),
  );
  return [...admitted, ...cut];
}

function shortening(what: string, before: number, after: number): string {
  return `${what} did not fit and was shortened from ≈ ${tokenText(before)} to ≈ ${tokenText(after)} tokens.`;
}

/** Says how many summaries were due from a model but became work notes. */
function notWrittenIn({ passes }: Replayed): readonly string[] {
  const all = passes.flatMap(({ summaries }) => summaries);
  const causes = all.flatMap(({ writtenBy }) =>
    writtenBy.by === 'workNote' && writtenBy.because !== NO_MODEL ? [writtenBy.because] : [],
  );
  const [first] = causes;
  if (first === undefined) return [];
  return [`${causes.length} of ${all.length} summaries are work notes; the first: ${first}`];
}
