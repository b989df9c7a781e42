import {
  balance,
  type Balance,
  type Category,
  categoryOfBlock,
} from '../contextWindow/account/balance';
import { measure, type Measurement, textsOf } from '../contextWindow/account/measure';
import {
  type Charge,
  chargesOf,
  NO_USAGE,
  plusUsage,
  promptTokens,
  type Usage,
} from '../contextWindow/account/spending';
import { type Budget, budgetInLog, effectiveBudget } from '../contextWindow/budget';
import { amountText, percentText, tokenText } from '../contextWindow/amount';
import type { SessionEvent } from '../contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../contextWindow/fold';
import { labelOf } from '../contextWindow/label';
import { passTitle } from '../contextWindow/passes/passName';
import type { Action, Amount, Trigger } from '../contextWindow/plan';
import { reasonText } from '../contextWindow/reasons';
import {
  type StandingRule,
  standingRulesOf,
  startOfRules,
} from '../contextWindow/standingRules/standingRules';
import type { Estimate } from '../contextWindow/truncate';
import { blocksInWindow, type ContextWindow } from '../contextWindow/window';
import { costOfCharge } from '../model/pricing';
import { lossesUntil, type RecordedLoss } from './losses/recordedLoss';
import { cacheWrites, type WritesByCause, writesByCause } from './measures/cacheRewrites';

/** One pass, and what it removed. */
interface InspectedPass {
  readonly name: string;
  readonly beforeStep: number;
  readonly trigger: Trigger;
  readonly undone: boolean;
  readonly before: Amount;
  readonly after: Amount;
  readonly removed: readonly {
    readonly label: string;
    readonly action: Action;
    readonly tokens: Amount;
    readonly reason: string;
  }[];
  /** What it removed and a later step needed again. */
  readonly neededAgain: readonly { readonly step: number; readonly what: string }[];
}

/** `lost`: it is in no prompt of the window, and a recorded agent has no rules block. */
interface InspectedRule extends Pick<StandingRule, 'text' | 'turn'> {
  readonly place: StandingRule['place'] | 'lost';
}

/** A block of the window, and what it weighs there. */
export interface InspectedBlock {
  readonly label: string;
  readonly turn: number;
  /** Present for a step. */
  readonly step?: number;
  readonly category: Category;
  readonly tokens: Amount;
}

/** Tokens of one request: all of them, and those written to the prompt cache and read from it. */
export interface InspectedRequest {
  readonly step: number;
  readonly tokens: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
}

/** What one model was asked, and what that cost. */
interface InspectedPrice extends SummedPrice {
  readonly model: string;
  readonly requests: number;
  readonly usage: Usage;
}

/** A session in numbers and sentences: its window at a step, and how it came to that. */
export interface SessionReport {
  readonly step: number;
  /** The window is that of the step's request; else the one after it. */
  readonly isSent: boolean;
  readonly steps: number;
  /** The requests up to the step, by its server's count; 0 without one. */
  readonly requests: readonly InspectedRequest[];
  readonly balance: Balance;
  /** The blocks of the window, in order. */
  readonly blocks: readonly InspectedBlock[];
  /** The standing rules of the prompts until then, and where the window has each verbatim. */
  readonly rules: readonly InspectedRule[];
  readonly passes: readonly InspectedPass[];
  /** What the compactions of a recorded agent lost; empty for a Plimsoll session. */
  readonly losses: readonly RecordedLoss[];
  /** The summaries of passes and compactions, verbatim. */
  readonly summaries: readonly { readonly beforeStep: number; readonly text: string }[];
  readonly cost: SummedPrice & {
    readonly requests: number;
    /** The share of the input that was read from the cache; null without a count. */
    readonly cacheReadShare: number | null;
    /** By model, the most requests first. */
    readonly models: readonly InspectedPrice[];
  };
  readonly cacheWrites: WritesByCause;
}

/** What a report is made of. */
interface InspectedLog {
  readonly events: readonly SessionEvent[];
  /** Everything that was charged. */
  readonly charges: readonly Charge[];
  readonly served: Parameters<typeof cacheWrites>[0];
  readonly budget: Budget;
  readonly losses: readonly RecordedLoss[];
  /** The step whose request is shown; undefined for the window after the last one. */
  readonly step: number | undefined;
}

/** Counts texts; `warm` prepares them for `estimate`. */
export interface Counting {
  readonly estimate: Estimate;
  warm(texts: readonly string[]): Promise<void>;
}

/** Reports on a session; undefined if it has no such step. */
export async function reportOfSession(
  { events, step, ...log }: InspectedLog,
  counting: Counting,
): Promise<SessionReport | undefined> {
  let window: ContextWindow = EMPTY_WINDOW;
  let shown: ContextWindow | undefined;
  let known: Budget | undefined;
  let shownBudget: Budget | undefined;
  for (const event of events) {
    if (event.type === 'replyReceived' && event.step === step) {
      shown = window;
      shownBudget = known;
    }
    window = applyEvent(window, event);
    known = budgetInLog(known, event);
  }
  if (step !== undefined && shown === undefined) return undefined;
  const budget = (step === undefined ? known : shownBudget) ?? log.budget;
  return reportOfWindow({ ...log, budget, step, shown: shown ?? window, last: window }, counting);
}

/** A log whose windows are known. */
interface InspectedWindows extends Omit<InspectedLog, 'events'> {
  /** The window of the step. */
  readonly shown: ContextWindow;
  /** The window after the last step. */
  readonly last: ContextWindow;
}

/** Reports on a session whose windows are known. */
export async function reportOfWindow(
  { shown, last, charges, served, losses, budget, step }: InspectedWindows,
  counting: Counting,
): Promise<SessionReport> {
  await counting.warm(textsOf(shown));
  const until = step ?? Infinity;
  const measured = measure(shown, counting.estimate);
  return {
    step: step ?? last.step,
    isSent: step !== undefined,
    steps: last.step,
    requests: served
      .filter((request) => request.step <= until)
      .map(({ step: at, usage }) => ({
        step: at,
        tokens: promptTokens(usage),
        cacheWrite: usage.cacheCreationTokens,
        cacheRead: usage.cacheReadTokens,
      })),
    balance: balance(shown, measured, effectiveBudget(shown, budget)),
    blocks: blocksIn(shown, measured),
    rules: rulesIn(shown),
    passes: passesIn(last, until),
    losses: lossesUntil(losses, until),
    summaries: [...last.ledger]
      .filter(({ pass }) => pass.beforeStep <= until)
      .flatMap(({ pass: { beforeStep, summaries } }) =>
        summaries.map(({ text }) => ({ beforeStep, text })),
      ),
    cost: costOf(charges, served.length),
    cacheWrites: writesByCause([cacheWrites(served)]),
  };
}

function blocksIn(window: ContextWindow, { parts }: Measurement): readonly InspectedBlock[] {
  const weights = new Map<string, Amount>(parts.map(({ part, ...weight }) => [part, weight]));
  return blocksInWindow(window).map((block) => ({
    label: labelOf(block),
    turn: block.turn,
    ...(block.kind === 'step' ? { step: block.step } : {}),
    category: categoryOfBlock(window, block),
    tokens: amountOf(weights.get(block.id)),
  }));
}

function amountOf({ tokens, exact }: Amount = { tokens: 0, exact: true }): Amount {
  return { tokens, exact };
}

function rulesIn(window: ContextWindow): readonly InspectedRule[] {
  const { rules } = window;
  const read = rules === undefined ? { ...window, rules: startOfRules(true, true) } : window;
  return standingRulesOf(read).map(({ text, turn, place }) => ({
    text,
    turn,
    place: rules === undefined && place === 'omitted' ? 'lost' : place,
  }));
}

function passesIn({ ledger, refaults }: ContextWindow, until: number): readonly InspectedPass[] {
  return [...ledger]
    .filter(({ pass }) => pass.beforeStep <= until && pass.trigger !== 'recorded')
    .map(({ pass, undone, certifiedTokens }) => ({
      name: passTitle(pass),
      beforeStep: pass.beforeStep,
      trigger: pass.trigger,
      undone: undone === true,
      before: pass.before,
      after: certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true },
      removed: pass.decisions
        .filter(({ action }) => action !== 'keep')
        .map((decision) => ({
          label: decision.label,
          action: decision.action,
          tokens: {
            tokens: decision.before.tokens - decision.after.tokens,
            exact: decision.before.exact && decision.after.exact,
          },
          reason: reasonText(decision),
        })),
      neededAgain: [...refaults]
        .filter((refault) => refault.pass === pass.number && refault.step <= until)
        .map(({ step, what }) => ({ step, what })),
    }));
}

function costOf(charges: readonly Charge[], requests: number): SessionReport['cost'] {
  const input = charges.reduce((sum, { usage }) => sum + promptTokens(usage), 0);
  const read = charges.reduce((sum, { usage }) => sum + usage.cacheReadTokens, 0);
  const names = [...new Set(charges.map(({ model }) => model))];
  return {
    requests,
    ...priceOf(charges),
    cacheReadShare: input === 0 ? null : read / input,
    models: names
      .map((model) => {
        const own = charges.filter((charge) => charge.model === model);
        const usage = own.reduce((sum, one) => plusUsage(sum, one.usage), NO_USAGE);
        return { model, requests: own.length, usage, ...priceOf(own) };
      })
      .toSorted((a, b) => b.requests - a.requests),
  };
}

/**
 * Says how full the window is: percent of the input budget, as the panel says, or of the window of an
 * agent that has no such budget: "≈ 99,155 of 258,400 tokens (38 % of the window)".
 */
export function fullnessWords(
  { used, inputBudget, contextWindowTokens }: Balance,
  format: string,
): string {
  const isOwn = format === 'plimsoll';
  const whole = isOwn ? inputBudget : contextWindowTokens;
  const percent = percentText(used.tokens / Math.max(1, whole));
  return `${amountText(used)} of ${tokenText(whole)} tokens (${percent}${isOwn ? '' : ' of the window'})`;
}

/** The price of several charges. */
export interface SummedPrice {
  /** US dollars; null if the price of a model is unknown. */
  readonly usd: number | null;
  /** The server does not count reliably. */
  readonly isEstimate?: true;
  /** The recording names prices of its own; elsewhere list prices apply. */
  readonly isOfFile?: true;
}

/** Adds up the prices of charges. */
export function priceOf(charges: readonly Charge[]): SummedPrice {
  const usd = charges.reduce<number | null>((sum, charge) => {
    const one = costOfCharge(charge);
    return sum === null || one === undefined ? null : sum + one;
  }, 0);
  return {
    usd,
    ...(charges.some(({ isEstimate }) => isEstimate === true) ? { isEstimate: true } : {}),
    ...(charges.some((charge) => charge.usd !== undefined) ? { isOfFile: true } : {}),
  };
}

/** Everything that a Plimsoll session was charged. */
export function chargesInLog(events: readonly SessionEvent[]): readonly Charge[] {
  // A summary in a pass was charged when its model answered.
  return events.flatMap((event) => (event.type === 'passApplied' ? [] : chargesOf(event)));
}
