import { dollarAmountText } from '../../contextWindow/amount';
import { isByHand } from '../../contextWindow/passes/passName';
import { refaultCounts } from '../../contextWindow/passes/refault';
import {
  type Charge,
  plusUsage,
  promptTokens,
  type Usage,
} from '../../contextWindow/account/spending';
import {
  type PassPoint,
  type StepPoint,
  type Timeline,
  EMPTY_TIMELINE,
  extendTimeline,
} from '../../contextWindow/timeline';
import { costOfCharge } from '../../model/pricing';
import type { BilledTokens, BillView, ForkCosts, TimelineTotals } from './state';
import type { SessionEvent } from '../../contextWindow/event';
import type { ContextWindow, LedgerEntry } from '../../contextWindow/window';
import { byChunk, rememberedFold } from '../../contextWindow/persistentList';
import { tokensAfter } from './derive';
import type { CostsView } from './state';

/** What the costs of a session are derived from. */
interface CostFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  /** True while the scripted model answers. */
  readonly offline: boolean;
}

/** Sums up the costs of a growing session, with the same totals as the Context panel. */
export class SessionCosts {
  readonly #timeline = new GrowingTimeline();
  #bills: TimelineBills | undefined;

  /** `demoAuthor` is the model name of scripted answers. */
  constructor(private readonly demoAuthor: string) {}

  of({ events, window, offline }: CostFacts): Omit<CostsView, 'turn'> {
    const forkedAfter = forkedAfterIn(events);
    const known = this.#bills?.facts;
    const isKnown = known?.offline === offline && known.forkedAfter === forkedAfter;
    const facts = { offline, demoAuthor: this.demoAuthor, forkedAfter };
    const bills = isKnown && this.#bills ? this.#bills : new TimelineBills(facts);
    this.#bills = bills;
    const { cost, cacheReadShare, fork } = bills.totals(this.#timeline.of(events, window));
    return { session: cost, ...(fork && { fork }), cacheReadShare, ...savedBy(window) };
  }
}

/** The tokens that passes removed. */
type Saved = NonNullable<CostsView['saved']>;

/** Without passes that were undone. */
const savedInChunks = byChunk((entries: readonly LedgerEntry[]): Saved => {
  const counted = entries.filter(({ pass, undone }) => undone !== true && !isByHand(pass));
  const saved = counted.map((entry): Saved => {
    const { before } = entry.pass;
    const after = tokensAfter(entry);
    return { passes: 1, tokens: before.tokens - after.tokens, exact: before.exact && after.exact };
  });
  return sumOfSaved(saved);
});

function sumOfSaved(all: readonly Saved[]): Saved {
  return {
    passes: all.reduce((sum, { passes }) => sum + passes, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    exact: all.every(({ exact }) => exact),
  };
}

function savedBy({ ledger }: ContextWindow): Pick<CostsView, 'saved'> {
  const saved = sumOfSaved(savedInChunks(ledger));
  return saved.passes === 0 ? {} : { saved };
}

/** The timeline of a growing session; reads only new events. */
export class GrowingTimeline {
  #timeline: Timeline = EMPTY_TIMELINE;
  /** The events it was made from, to recognise the session. */
  #read: { readonly first?: SessionEvent; readonly last?: SessionEvent; readonly count: number } = {
    count: 0,
  };

  /** Reads the new events; starts over if the events belong to another session. */
  of(events: readonly SessionEvent[], window: ContextWindow): Timeline {
    const { first, last, count } = this.#read;
    const isGrown =
      count > 0 && events.length >= count && events[0] === first && events[count - 1] === last;
    const start = isGrown ? count : 0;
    const timeline = isGrown ? this.#timeline : EMPTY_TIMELINE;
    this.#timeline = extendTimeline(timeline, events.slice(start), window);
    this.#read = { count: events.length, ...ends(events) };
    return this.#timeline;
  }
}

function ends(events: readonly SessionEvent[]) {
  const [first] = events;
  const last = events.at(-1);
  return first === undefined || last === undefined ? {} : { first, last };
}

/** The step after which a session was forked from another; undefined if it was not. */
export function forkedAfterIn([start]: readonly SessionEvent[]): number | undefined {
  return start?.type === 'sessionStarted' ? start.forkedFrom?.step : undefined;
}

/** Facts that decide who was charged for an answer. */
export interface PayFacts {
  readonly offline: boolean;
  /** The step after which the session was forked: the steps up to it were paid in another one. */
  readonly forkedAfter?: number | undefined;
  /** The scripted model's name: its answers cost nothing. */
  readonly demoAuthor: string;
  /** Size of the recorded agent's requests, by step. */
  readonly recordedUsage?: ReadonlyMap<number, Usage> | undefined;
  /** What the recorded agent was charged, by step. */
  readonly recordedCharges?: ReadonlyMap<number, readonly Charge[]> | undefined;
  /** Simulated usage of Plimsoll's own requests in a replay, by step. */
  readonly simulatedUsage?: ReadonlyMap<number, Usage> | undefined;
}

/** Prices the steps of a growing timeline, each once. */
export class TimelineBills {
  readonly #known = new WeakMap<StepPoint, StepBills>();
  readonly #sumsOf = rememberedFold(NO_SUMS, (before: Sums, point: StepPoint) =>
    sumsWith(before, point, this.of(point), this.facts),
  );

  constructor(readonly facts: PayFacts) {}

  of(point: StepPoint): StepBills {
    const known = this.#known.get(point);
    if (known !== undefined) return known;
    const bills = { own: billOf(point, this.facts), recorded: recordedBillOf(point, this.facts) };
    this.#known.set(point, bills);
    return bills;
  }

  totals(timeline: Timeline): TimelineTotals {
    return totalsOf(timeline, this.#sumsOf(timeline.points), this.facts);
  }
}

/** The bill of a step, and in a replay the bill of the recorded agent. */
export interface StepBills {
  readonly own: StepBill;
  readonly recorded: StepBill;
}

/** Sums over all steps up to one, from which the totals are made. */
interface Sums {
  readonly passes: number;
  readonly changes: number;
  readonly refaults: number;
  readonly bill: BillSum;
  /** The part of it that a fork took over. */
  readonly inherited: ChargeSum;
  /** The recorded agent's bill. */
  readonly recordedBill: BillSum;
}

/** Sums of billed tokens. */
interface BillSum {
  readonly cacheRead: number;
  readonly input: number;
  readonly charges: ChargeSum;
  /** Number of steps whose usage is unknown, wholly or in part. */
  readonly unknown: number;
}

const NO_BILL: BillSum = {
  cacheRead: 0,
  input: 0,
  charges: { count: 0, scripted: 0, cost: 0, estimates: 0 },
  unknown: 0,
};

/** The sums before the first step. */
const NO_SUMS: Sums = {
  passes: 0,
  changes: 0,
  refaults: 0,
  bill: NO_BILL,
  inherited: NO_BILL.charges,
  recordedBill: NO_BILL,
};

/** The charges for one step and before it. */
interface StepBill {
  /** Null if no usage was reported. */
  readonly billed: BilledTokens | null;
  readonly charges: ChargeSum;
  /** In a replay: not all of it is known. */
  readonly isPart: boolean;
}

/** Adds a step to the sums of all steps before it. */
function sumsWith(
  before: Sums,
  point: StepPoint,
  { own, recorded }: StepBills,
  { forkedAfter = 0 }: PayFacts,
): Sums {
  const isInherited = point.step <= forkedAfter;
  return {
    passes: before.passes + point.passes.filter(isPass).length,
    changes: before.changes + point.passes.filter(isChange).length,
    refaults: before.refaults + refaultCounts(point.refaults).all,
    bill: billWith(before.bill, own),
    inherited: isInherited ? joined(before.inherited, own.charges) : before.inherited,
    recordedBill: billWith(before.recordedBill, recorded),
  };
}

/** A pass of a policy that still holds. */
function isPass(pass: PassPoint): boolean {
  return pass.undone !== true && !isByHand(pass);
}

/** A change by hand that still holds. */
function isChange(pass: PassPoint): boolean {
  return pass.undone !== true && isByHand(pass);
}

function billWith(before: BillSum, { billed, charges, isPart }: StepBill): BillSum {
  const { cacheRead = 0, fresh = 0, cacheWrite = 0 } = billed ?? {};
  return {
    cacheRead: before.cacheRead + cacheRead,
    input: before.input + cacheRead + fresh + cacheWrite,
    charges: joined(before.charges, charges),
    unknown: before.unknown + (isPart ? 1 : 0),
  };
}

/** Draws the totals: over all steps, and over what happened since. */
function totalsOf({ next }: Timeline, sums: Sums, facts: PayFacts): TimelineTotals {
  const { passes, changes, refaults, recordedBill } = sums;
  const isReplay = facts.simulatedUsage !== undefined;
  const bill = billWith(sums.bill, billFor(next.charges, facts, false));
  return {
    passes: passes + next.passes.filter(isPass).length,
    changes: changes + next.passes.filter(isChange).length,
    refaults,
    ...billView(bill, facts, isReplay ? '≈ ' : ''),
    ...(isReplay ? { recordedBill: billView(recordedBill, facts, '') } : {}),
    ...(facts.forkedAfter === undefined ? {} : { fork: forkView(bill, sums.inherited, facts) }),
  };
}

/** The bill of a recorded agent by its file alone: that of a replay of all these steps. */
export function recordedBill(
  steps: readonly { readonly charges: readonly Charge[]; readonly isKnown: boolean }[],
  paying: Pick<PayFacts, 'offline' | 'demoAuthor'>,
): BillView {
  const facts: PayFacts = { ...paying, simulatedUsage: new Map() };
  const bill = steps.reduce(
    (sum, { charges, isKnown }) => billWith(sum, billFor(charges, facts, !isKnown)),
    NO_BILL,
  );
  return billView(bill, facts, '');
}

/** What a fork took over and what it spent; together they are its cost. */
function forkView(bill: BillSum, inherited: ChargeSum, facts: PayFacts): ForkCosts {
  const { count, scripted, cost, estimates } = bill.charges;
  const spent = {
    count: count - inherited.count,
    scripted: scripted - inherited.scripted,
    cost: cost === null || inherited.cost === null ? null : cost - inherited.cost,
    estimates: estimates - inherited.estimates,
  };
  const text = (sum: ChargeSum) => (sum.count === 0 ? '$0.00' : costText(sum, facts, ''));
  return { inherited: text(inherited), spent: text(spent) };
}

function billView(bill: BillSum, facts: PayFacts, mark: string): BillView {
  const { cacheRead, input, unknown, charges } = bill;
  const isPart = facts.simulatedUsage !== undefined && unknown > 0;
  return {
    cacheReadShare: input === 0 ? null : cacheRead / input,
    cost: costText(charges, facts, isPart ? `at least ${mark}` : mark),
  };
}

function costText(
  { count, scripted, cost, estimates }: ChargeSum,
  { offline, simulatedUsage }: PayFacts,
  mark: string,
): string {
  const isScripted = scripted === count;
  if (isScripted && (offline || count > 0)) return 'no charge (offline)';
  if (count === 0) return 'cost not recorded';
  if (cost === null) return 'price unknown';
  const isExact = simulatedUsage !== undefined || estimates === 0;
  return `${mark}${dollarAmountText(cost, isExact)}`;
}

/** The charges of several answers. */
interface ChargeSum {
  readonly count: number;
  /** How many of them the scripted model wrote, at no cost. */
  readonly scripted: number;
  /** US dollars at list price; null if a price is unknown. */
  readonly cost: number | null;
  /** How many have a usage that is only an estimate. */
  readonly estimates: number;
}

/** Adds up charges. */
function sumOfCharges(charges: readonly Charge[], { demoAuthor }: PayFacts): ChargeSum {
  let scripted = 0;
  let dollars: number | null = 0;
  let estimates = 0;
  for (const charge of charges) {
    if (charge.model === demoAuthor) {
      scripted += 1;
      continue;
    }
    if (charge.isEstimate === true) estimates += 1;
    const cost = costOfCharge(charge);
    dollars = dollars === null || cost === undefined ? null : dollars + cost;
  }
  return { count: charges.length, scripted, cost: dollars, estimates };
}

function joined(one: ChargeSum, other: ChargeSum): ChargeSum {
  return {
    count: one.count + other.count,
    scripted: one.scripted + other.scripted,
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
    estimates: one.estimates + other.estimates,
  };
}

/** A reply that was stopped has no usage and no model name. */
function paid(charges: readonly Charge[]): readonly Charge[] {
  return charges.filter(({ usage }) => promptTokens(usage) + usage.outputTokens > 0);
}

/** The charges of a step and before it; in a replay what Plimsoll would have paid. */
function billOf({ step, model, charges }: StepPoint, facts: PayFacts): StepBill {
  const { simulatedUsage } = facts;
  const simulated = simulatedUsage?.get(step);
  const all = simulated === undefined ? charges : [...charges, { model, usage: simulated }];
  // The recorded reply's output counts here too, and the replay sends no request for other answers.
  const isAlone = facts.recordedCharges?.get(step)?.length === 1;
  return billFor(all, facts, !isAlone || facts.recordedUsage?.has(step) !== true);
}

/** What the recorded agent was charged for a step. */
function recordedBillOf({ step }: StepPoint, facts: PayFacts): StepBill {
  return billFor(
    facts.recordedCharges?.get(step) ?? [],
    facts,
    facts.recordedUsage?.has(step) !== true,
  );
}

function billFor(charges: readonly Charge[], facts: PayFacts, isPart: boolean): StepBill {
  const all = paid(charges);
  return { billed: billedOf(all), charges: sumOfCharges(all, facts), isPart };
}

function billedOf(charges: readonly Charge[]): BilledTokens | null {
  if (charges.length === 0) return null;
  const usage = charges.map((charge) => charge.usage).reduce(plusUsage);
  return {
    fresh: usage.inputTokens,
    cacheWrite: usage.cacheCreationTokens,
    cacheRead: usage.cacheReadTokens,
    output: usage.outputTokens,
  };
}
