import { dollarAmountText } from '../contextWindow/amount';
import type { Measurement } from '../contextWindow/account/measure';
import { nextInput } from '../contextWindow/account/promptCache';
import { NO_USAGE, reachedCap, turnSpend } from '../contextWindow/account/spending';
import type { SessionEvent, TurnOutcome } from '../contextWindow/event';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import type { Session } from './session';

type CapReached = Extract<TurnOutcome, { readonly type: 'capReached' }>;

/** Shown once a session. */
const NO_PRICE = 'maxCost has no effect';

/** Starts to count what a turn spends; the same amount is allowed again when it is continued. */
export function countSpending({ memo, events }: Session): void {
  memo.spendingFrom = events.length;
}

/** Ends the turn when a limit is reached; the user can continue it. */
export function* capReached({
  session,
  settings,
}: AgentDeps): Generator<AgentEvent, CapReached | undefined> {
  const { caps, costOf, model } = settings();
  const spent = spentIn(session, costOf);
  const cap = reachedCap(caps, spent);
  if (cap !== undefined) return { type: 'capReached', cap, most: caps[cap] ?? 0, spent };
  const { reported } = session.memo;
  if (caps.usd !== undefined && spent.usd === undefined && !reported.has(NO_PRICE)) {
    reported.add(NO_PRICE);
    const message = `plimsoll.turn.maxCost has no effect: the price of ${model} is unknown.`;
    yield { type: 'warning', message };
  }
  return undefined;
}

/** Ends the turn when the input of its next request would exceed the spending cap. */
export function capBeforeRequest(
  { session, now }: Pick<AgentDeps, 'session' | 'now'>,
  { caps, costOf, model }: Pick<AgentSettings, 'caps' | 'costOf' | 'model'>,
  measured: Measurement,
): CapReached | undefined {
  if (caps.usd === undefined) return undefined;
  const usage = nextInput({ window: session.window, measured }, session.events, now());
  const nextUsd = costOf({ model, usage });
  const spent = spentIn(session, costOf);
  if (nextUsd === undefined || spent.usd === undefined) return undefined;
  if (spent.usd + nextUsd <= caps.usd) return undefined;
  return { type: 'capReached', cap: 'usd', most: caps.usd, spent, nextUsd };
}

/** The events of a session, and the index of the first that counts; absent outside a turn. */
interface Spending {
  readonly from: number | undefined;
  readonly events?: readonly SessionEvent[] | undefined;
}

/**
 * Why a summary or rating is not requested: its input alone would exceed the spending cap of the
 * turn. Part of a sentence; undefined outside a turn.
 */
export function whyOverCap(
  { from, events = [] }: Spending,
  { caps, costOf }: Partial<Pick<AgentSettings, 'caps' | 'costOf'>>,
  { model, tokens }: { readonly model: string; readonly tokens: number },
): string | undefined {
  if (caps?.usd === undefined || costOf === undefined || from === undefined) return undefined;
  const usage = { ...NO_USAGE, inputTokens: tokens };
  const nextUsd = costOf({ model, usage });
  const { usd: spentUsd } = turnSpend(events.slice(from), costOf);
  if (nextUsd === undefined || spentUsd === undefined || spentUsd + nextUsd <= caps.usd) {
    return undefined;
  }
  return `its input (${dollarAmountText(nextUsd)}) would exceed plimsoll.turn.maxCost ($${caps.usd})`;
}

/** What the current turn has spent, with its sub-agents. */
export function spentIn(
  { memo, events }: Pick<Session, 'memo' | 'events'>,
  costOf: AgentSettings['costOf'],
) {
  return turnSpend(events.slice(memo.spendingFrom ?? events.length), costOf);
}
