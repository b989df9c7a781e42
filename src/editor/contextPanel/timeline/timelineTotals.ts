import { isByHand } from '../../../contextWindow/passes/passName';
import { refaultCounts } from '../../../contextWindow/passes/refault';
import { type Charge, promptTokens, type Usage } from '../../../contextWindow/account/spending';
import type { StepPoint, Timeline } from '../../../contextWindow/timeline';
import { costOf as priceOf } from '../../../model/pricing';
import type { BilledTokens, BillView, TimelineTotals } from './state';

/** Facts that decide who was charged for an answer. */
export interface PayFacts {
  readonly offline: boolean;
  /** The scripted model's name: its answers cost nothing. */
  readonly demoAuthor: string;
  /** Usage of the recorded agent, by step. */
  readonly recordedUsage?: ReadonlyMap<number, Usage> | undefined;
  /** Simulated usage of Plimsoll's own requests in a replay, by step. */
  readonly simulatedUsage?: ReadonlyMap<number, Usage> | undefined;
}

/** Sums over all steps up to one, from which the totals are made. */
export interface Sums {
  readonly passes: number;
  readonly changes: number;
  readonly refaults: number;
  readonly bill: BillSum;
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
  charges: { count: 0, scripted: 0, cost: 0 },
  unknown: 0,
};

/** The sums before the first step. */
export const NO_SUMS: Sums = {
  passes: 0,
  changes: 0,
  refaults: 0,
  bill: NO_BILL,
  recordedBill: NO_BILL,
};

/** The charges for one step and before it. */
export interface StepBill {
  /** Null if no usage was reported. */
  readonly billed: BilledTokens | null;
  readonly charges: ChargeSum;
}

/** Adds a step to the sums of all steps before it. */
export function sumsWith(
  before: Sums,
  point: StepPoint,
  bill: StepBill,
  recordedBill: StepBill,
): Sums {
  // A reply's output would have cost Plimsoll the same as the recorded agent.
  const lacksOutput = recordedBill.billed === null;
  return {
    passes: before.passes + point.passes.filter((pass) => !isByHand(pass)).length,
    changes: before.changes + point.passes.filter(isByHand).length,
    refaults: before.refaults + refaultCounts(point.refaults).all,
    bill: billWith(before.bill, bill, lacksOutput),
    recordedBill: billWith(before.recordedBill, recordedBill, lacksOutput),
  };
}

function billWith(before: BillSum, { billed, charges }: StepBill, isPart: boolean): BillSum {
  const { cacheRead = 0, fresh = 0, cacheWrite = 0 } = billed ?? {};
  return {
    cacheRead: before.cacheRead + cacheRead,
    input: before.input + cacheRead + fresh + cacheWrite,
    charges: joined(before.charges, charges),
    unknown: before.unknown + (isPart ? 1 : 0),
  };
}

/** Draws the totals: over all steps, and over what happened since. */
export function totalsOf({ next }: Timeline, sums: Sums, facts: PayFacts): TimelineTotals {
  const { passes, changes, refaults, bill, recordedBill } = sums;
  const isReplay = facts.simulatedUsage !== undefined;
  const charges = joined(bill.charges, sumOfCharges(paid(next.charges), facts));
  return {
    passes: passes + next.passes.filter((pass) => !isByHand(pass)).length,
    changes: changes + next.passes.filter(isByHand).length,
    refaults,
    ...billView({ ...bill, charges }, facts, isReplay ? '≈ ' : ''),
    ...(isReplay ? { recordedBill: billView(recordedBill, facts, '') } : {}),
  };
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
  { count, scripted, cost }: ChargeSum,
  { offline }: PayFacts,
  mark: string,
): string {
  const isScripted = scripted === count;
  if (isScripted && (offline || count > 0)) return 'no charge (offline)';
  if (count === 0) return 'cost not recorded';
  return cost === null ? 'price unknown' : `${mark}$${cost.toFixed(2)}`;
}

/** The charges of several answers. */
export interface ChargeSum {
  readonly count: number;
  /** How many of them the scripted model wrote, at no cost. */
  readonly scripted: number;
  /** US dollars at list price; null if a price is unknown. */
  readonly cost: number | null;
}

/** Adds up charges. */
export function sumOfCharges(charges: readonly Charge[], { demoAuthor }: PayFacts): ChargeSum {
  let scripted = 0;
  let dollars: number | null = 0;
  for (const { model, usage } of charges) {
    if (model === demoAuthor) {
      scripted += 1;
      continue;
    }
    const cost = priceOf(model, usage);
    dollars = dollars === null || cost === 'unknown' ? null : dollars + cost.usd;
  }
  return { count: charges.length, scripted, cost: dollars };
}

function joined(one: ChargeSum, other: ChargeSum): ChargeSum {
  return {
    count: one.count + other.count,
    scripted: one.scripted + other.scripted,
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  };
}

/** A reply that was stopped has no usage and no model name. */
export function paid(charges: readonly Charge[]): readonly Charge[] {
  return charges.filter(({ usage }) => promptTokens(usage) + usage.outputTokens > 0);
}
