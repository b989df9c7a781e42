import type { PassPrice, PassPrices } from '../../../contextWindow/account/passPrice';
import { tokenText } from '../../../contextWindow/amount';
import { promptTokens, type Usage } from '../../../contextWindow/account/spending';
import type { SessionEvent } from '../../../contextWindow/event';
import { reasonText } from '../../../contextWindow/reasons';
import { passTitle } from '../../../contextWindow/passes/passName';
import { reachOf, reachText } from '../../../contextWindow/passes/reach';
import { rungGains } from '../../../contextWindow/passes/rungGains';
import {
  earlierUndoneAfter,
  pinnedAmong,
  successorsIn,
  whyNotUndoneAt,
} from '../../../contextWindow/passes/undoPass';
import { PersistentList } from '../../../contextWindow/persistentList';
import type { Decision, Pass, Summary } from '../../../contextWindow/plan';
import type { Estimate } from '../../../contextWindow/truncate';
import type { ContextWindow, LedgerEntry } from '../../../contextWindow/window';
import { excerptsView, shownSize } from '../files/derive';
import type { PendingPass } from '../../session/runFollowers';
import type { Inspected } from '../../session/inspected';
import type {
  CountedView,
  DecisionView,
  PassView,
  PriceView,
  ProposedSummaryView,
  ReviewView,
} from './state';
import { type Payee, reviewCost } from '../../session/coldText';
import { priceText } from './priceText';
import { exchangeViews } from './summaryExchange';
import { checkedText } from './summaryFindings';
import { tokensAfter } from '../../session/derive';

/** Draws the ledger of passes, newest first. */
export function passViews(
  window: ContextWindow,
  requestOf: RequestOfStep,
  prices: PriceOf,
): readonly PassView[] {
  const { ledger } = window;
  const drawn: (readonly PassView[])[] = [];
  let stretch: Stretch = { start: ledger.length, entries: [] };
  for (const entries of ledger.chunks.toReversed()) {
    const stepBehind = stretch.entries[0]?.pass.beforeStep;
    stretch = { start: stretch.start - entries.length, entries, stepBehind };
    drawn.push(viewsOf(stretch, window, requestOf, prices));
  }
  return PersistentList.ofChunks(drawn).toArray();
}

/**
 * A run of passes in the ledger, oldest first: the index of the first, and what comes after them.
 */
interface Stretch {
  readonly start: number;
  readonly entries: readonly LedgerEntry[];
  /** The step after the next pass. */
  readonly stepBehind?: number | undefined;
}

/** A run's views, and their inputs. */
interface KnownViews {
  readonly views: readonly PassView[];
  readonly of: readonly unknown[];
}

const KNOWN = new WeakMap<readonly LedgerEntry[], KnownViews>();

/** Old passes no longer change, so they are not checked one by one. */
function viewsOf(
  { start, entries, stepBehind }: Stretch,
  window: ContextWindow,
  requestOf: RequestOfStep,
  prices: PriceOf,
): readonly PassView[] {
  const pinned = pinnedAmong(window, entries);
  const successors = successorsIn(window).slice(start, start + entries.length);
  const requests = entries.map(({ pass }) => requestOf(pass.beforeStep));
  const priced = entries.map(({ pass }) => prices(pass.number));
  const behind = earlierUndoneAfter(window, entries, start);
  const of = [stepBehind, ...pinned, ...successors.toArray(), ...behind, ...requests, ...priced];
  const known = KNOWN.get(entries);
  if (
    known !== undefined &&
    known.of.length === of.length &&
    known.of.every((each, at) => each === of[at])
  ) {
    return known.views;
  }
  const views = entries
    .map((entry, at) => {
      // With several passes before one step, the step's request measures the last one.
      const next = entries[at + 1]?.pass.beforeStep ?? stepBehind;
      const { beforeStep } = entry.pass;
      return passView({
        entry,
        request: requests[at] as StepRequest,
        isLast: beforeStep !== next,
        why: entry.undone === true ? undefined : whyNotUndoneAt(window, start + at),
        price: priced[at],
      });
    })
    .toReversed();
  KNOWN.set(entries, { views, of });
  return views;
}

/** Draws the decision for every block, kept ones included; undefined for an unknown pass. */
export function decisionViews(
  window: ContextWindow,
  number: number,
): readonly DecisionView[] | undefined {
  return window.ledger.find(({ pass }) => pass.number === number)?.pass.decisions.map(decisionView);
}

/** Draws the decision for one block. */
export function decisionView(decision: Decision): DecisionView {
  const { blockId, label, action, before, after, salience } = decision;
  const view = { blockId, label, action, reason: reasonText(decision), before, after };
  return salience === undefined ? view : { ...view, salience };
}

/** Inputs of a pass's view, in addition to its entry. */
interface PassFacts {
  readonly entry: LedgerEntry;
  readonly request: StepRequest;
  readonly isLast: boolean;
  readonly why: string | undefined;
  readonly price: PassPrice | undefined;
}

/** A session has many passes, so each is redrawn only when something about it changes. */
const DRAWN = new WeakMap<LedgerEntry, { readonly of: PassFacts; readonly view: PassView }>();

function passView(facts: PassFacts): PassView {
  const known = DRAWN.get(facts.entry);
  if (known !== undefined && isAlike(known.of, facts)) return known.view;
  const view = drawPass(facts);
  DRAWN.set(facts.entry, { of: facts, view });
  return view;
}

function isAlike(one: PassFacts, other: PassFacts): boolean {
  return (
    one.request === other.request &&
    one.isLast === other.isLast &&
    one.why === other.why &&
    one.price === other.price
  );
}

function drawPass({ entry, request, isLast, why, price }: PassFacts): PassView {
  const { pass } = entry;
  const measured = isLast ? measuredBy(request.usage) : undefined;
  const action = changeByHandIn(pass);
  const exchanges = exchangeViews(pass);
  const kept = pass.decisions.filter(({ action }) => action === 'keep').length;
  return {
    number: pass.number,
    name: passTitle(pass),
    beforeStep: pass.beforeStep,
    trigger: pass.trigger,
    policy: pass.policy,
    undone: entry.undone === true,
    whyNotUndone: why,
    before: pass.before,
    after: tokensAfter(entry),
    target: pass.target,
    reach: reachText(reachOf(pass, pass.after.tokens), 'past'),
    highTokens: pass.budget.highTokens,
    inputBudget: pass.budget.inputBudget,
    rungs: rungGains(pass),
    changed: pass.decisions.length - kept,
    kept,
    ...(pass.excerpts === undefined ? {} : { shows: shownSize(pass.excerpts) }),
    ...(action === undefined ? {} : { byHand: decisionView(action) }),
    ...(exchanges.length === 0 ? {} : { exchanges }),
    ...(price === undefined ? {} : { price: priceView(price, pass, request.by) }),
    ...(entry.counted === undefined
      ? {}
      : { counted: countedView(entry.counted, entry.undone === true) }),
    measured,
  };
}

/** Says what the API counted after a change, and how far the estimate was off. */
function countedView(
  { tokens, estimatedTokens }: NonNullable<LedgerEntry['counted']>,
  isUndone: boolean,
): CountedView {
  const more = tokens - estimatedTokens;
  const off =
    more === 0
      ? 'as estimated'
      : `${tokenText(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than estimated`;
  const after = isUndone ? 'after its undo' : 'after it';
  return {
    isOther: more !== 0,
    text: `The API counted ${tokenText(tokens)} tokens ${after}, ${off}.`,
  };
}

type PriceOf = PassPrices['of'];

function priceView(price: PassPrice, { cache }: Pass, by: Payee): PriceView {
  return { ...price, text: priceText(price, { freedTokens: cache.freedTokens, by }) };
}

/** The one decision of a pass by hand; it may also remove thinking after the block. */
function changeByHandIn({ trigger, decisions }: Pass): Decision | undefined {
  if (trigger !== 'byHand') return undefined;
  return decisions.find(({ action }) => action !== 'keep' && action !== 'trim');
}

function measuredBy(usage: Usage | undefined): PassView['measured'] {
  if (usage === undefined || promptTokens(usage) === 0) return undefined;
  return { cacheRead: usage.cacheReadTokens, cacheWrite: usage.cacheCreationTokens };
}

/** The known facts about the request after a pass. */
interface StepRequest {
  readonly by: Payee;
  /** As reported by the API; absent if it reported none. */
  readonly usage?: Usage;
}

/** The request of a step, which may be the next one, as far as it is known. */
type RequestOfStep = (step: number) => StepRequest;

/** The answers in a log so far; a list of events only ever grows. */
interface Answered {
  readonly demoAuthor: string;
  readonly byStep: Map<number, StepRequest>;
  /** Number of events already read. */
  read: number;
  author: string | undefined;
}

const ANSWERED = new WeakMap<readonly SessionEvent[], Answered>();

/**
 * Reads from the log who answered the requests after the passes, and what the API reported. The
 * next request would go to the current model. A stopped reply does not name its model, so the
 * previous answer stands in for it.
 */
export function requestsOfPasses(inspected: Inspected, demoAuthor: string): RequestOfStep {
  const { window, model: modelNow, offline } = inspected;
  const { byStep } = answeredIn(inspected, demoAuthor);
  const next: StepRequest = {
    by: offline ? { offline: true } : { offline: false, model: window.model ?? modelNow },
  };
  return (step) => byStep.get(step) ?? next;
}

function answeredIn({ events }: Inspected, demoAuthor: string): Answered {
  const known = ANSWERED.get(events);
  const answered =
    known?.demoAuthor === demoAuthor
      ? known
      : { demoAuthor, byStep: new Map(), read: 0, author: undefined };
  for (; answered.read < events.length; answered.read += 1) take(answered, events[answered.read]);
  ANSWERED.set(events, answered);
  return answered;
}

function take(answered: Answered, event: SessionEvent | undefined): void {
  if (event?.type !== 'replyReceived') return;
  const { step, model, usage, stopReason } = event;
  if (stopReason !== 'stopped') answered.author = model;
  const author = answered.author ?? model;
  const by: Payee =
    author === answered.demoAuthor ? { offline: true } : { offline: false, model: author };
  // In a replay the API reported nothing about Plimsoll's own request.
  answered.byStep.set(step, { by, usage });
}

/** Draws the pass that waits for the user's review. */
export function reviewView(
  { id, reviewId, proposed, isPlanning }: PendingPass,
  window: ContextWindow,
  estimate: Estimate,
  by: Payee,
): ReviewView {
  const { plan, summaries, spared = [] } = proposed;
  const { trigger, policy, before, target, budget } = plan;
  const { after, toWrite, cold } = reviewCost(proposed, window, estimate, by);
  return {
    proposedPassId: id,
    reviewId,
    isPlanning: isPlanning === true,
    spared: plan.decisions.filter(({ blockId }) => spared.includes(blockId)).map(decisionView),
    toWrite,
    trigger,
    policy,
    before,
    after,
    target,
    reach: reachText(reachOf(plan, after.tokens), 'plan'),
    cold,
    highTokens: budget.highTokens,
    inputBudget: budget.inputBudget,
    decisions: plan.decisions.filter(({ action }) => action !== 'keep').map(decisionView),
    summaries: summaries.map(summaryView),
    ...(plan.excerpts === undefined
      ? {}
      : { shows: excerptsView(plan.excerpts, window.fileChoices) }),
  };
}

function summaryView(summary: Summary): ProposedSummaryView {
  const { id, covers, text, writtenBy } = summary;
  return {
    id,
    covers: covers.length,
    text,
    writtenBy:
      writtenBy.by === 'model'
        ? `written by ${writtenBy.model}`
        : `a work note, because ${writtenBy.because}`,
    checked: checkedText(summary).join(' '),
  };
}
