import { balance, type Balance } from '../contextWindow/account/balance';
import { measure, textsOf } from '../contextWindow/account/measure';
import { type Charge, chargesOf, promptTokens } from '../contextWindow/account/spending';
import { type Budget, budgetInLog, effectiveBudget } from '../contextWindow/budget';
import type { SessionEvent } from '../contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../contextWindow/fold';
import { passTitle } from '../contextWindow/passes/passName';
import type { Action, Amount, Trigger } from '../contextWindow/plan';
import { reasonText } from '../contextWindow/reasons';
import {
  type StandingRule,
  standingRulesOf,
  startOfRules,
} from '../contextWindow/standingRules/standingRules';
import type { Estimate } from '../contextWindow/truncate';
import type { ContextWindow } from '../contextWindow/window';
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

/** A session in numbers and sentences: its window at a step, and how it came to that. */
export interface SessionReport {
  readonly step: number;
  /** The window is that of the step's request; else the one after it. */
  readonly isSent: boolean;
  readonly steps: number;
  /** Tokens of the requests up to the step, by its server's count; 0 without one. */
  readonly requests: readonly { readonly step: number; readonly tokens: number }[];
  readonly balance: Balance;
  /** The standing rules of the prompts until then, and where the window has each verbatim. */
  readonly rules: readonly InspectedRule[];
  readonly passes: readonly InspectedPass[];
  /** What the compactions of a recorded agent lost; empty for a Plimsoll session. */
  readonly losses: readonly RecordedLoss[];
  readonly cost: {
    readonly requests: number;
    /** US dollars; null if the price of a model is unknown. */
    readonly usd: number | null;
    /** The share of the input that was read from the cache; null without a count. */
    readonly cacheReadShare: number | null;
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

/** Reports on a session; undefined if it has no such step. */
export async function reportOfSession(
  { events, charges, served, losses, budget, step }: InspectedLog,
  counting: { readonly estimate: Estimate; warm(texts: readonly string[]): Promise<void> },
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
  const at = shown ?? window;
  await counting.warm(textsOf(at));
  const sized = effectiveBudget(at, (step === undefined ? known : shownBudget) ?? budget);
  return {
    step: step ?? window.step,
    isSent: step !== undefined,
    steps: window.step,
    requests: served
      .filter((request) => request.step <= (step ?? Infinity))
      .map((request) => ({ step: request.step, tokens: promptTokens(request.usage) })),
    balance: balance(at, measure(at, counting.estimate), sized),
    rules: rulesIn(at),
    passes: passesIn(window, step ?? Infinity),
    losses: lossesUntil(losses, step ?? Infinity),
    cost: costOf(charges, served.length),
    cacheWrites: writesByCause([cacheWrites(served)]),
  };
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
  return { requests, usd: sumOf(charges), cacheReadShare: input === 0 ? null : read / input };
}

/** Adds up the prices of charges; null if one is unknown. */
function sumOf(charges: readonly Charge[]): number | null {
  return charges.reduce<number | null>((sum, charge) => {
    const usd = costOfCharge(charge);
    return sum === null || usd === undefined ? null : sum + usd;
  }, 0);
}

/** Everything that a Plimsoll session was charged. */
export function chargesInLog(events: readonly SessionEvent[]): readonly Charge[] {
  // A summary in a pass was charged when its model answered.
  return events.flatMap((event) => (event.type === 'passApplied' ? [] : chargesOf(event)));
}
