import { promptTokens, type Usage } from '../../../contextWindow/account/spending';
import type { SessionEvent } from '../../../contextWindow/event';
import { reasonText } from '../../../contextWindow/reasons';
import { passTitle } from '../../../contextWindow/passes/passName';
import { rungGains } from '../../../contextWindow/passes/rungGains';
import { summaryTokens } from '../../../contextWindow/passes/rungs/summary';
import { pinnedAmong, successorsIn, whyNotUndoneAt } from '../../../contextWindow/passes/undoPass';
import { PersistentList } from '../../../contextWindow/persistentList';
import type { Amount, Decision, Pass, Summary } from '../../../contextWindow/plan';
import type { Estimate } from '../../../contextWindow/truncate';
import type { ContextWindow, LedgerEntry } from '../../../contextWindow/window';
import { costOf } from '../../../model/pricing';
import { excerptsView, shownSize } from '../files/derive';
import type { PendingPass } from '../../session/runFollowers';
import type { Inspected } from '../../inspected';
import type { DecisionView, PassView, ProposedSummaryView, ReviewView } from './state';
import { exchangeViews } from './summaryExchange';

/** Draws the ledger of passes, newest first. */
export function passViews(window: ContextWindow, requestOf: RequestOfStep): readonly PassView[] {
  const { ledger } = window;
  const drawn: (readonly PassView[])[] = [];
  let stretch: Stretch = { start: ledger.length, entries: [] };
  for (const entries of ledger.chunks.toReversed()) {
    const stepBehind = stretch.entries[0]?.pass.beforeStep;
    stretch = { start: stretch.start - entries.length, entries, stepBehind };
    drawn.push(viewsOf(stretch, window, requestOf));
  }
  return PersistentList.ofChunks(drawn).toArray();
}

/** Passes that stand together in the ledger, oldest first, the index of the first, and what is behind them. */
interface Stretch {
  readonly start: number;
  readonly entries: readonly LedgerEntry[];
  /** The step that the next pass behind them came before. */
  readonly stepBehind?: number | undefined;
}

/** What the views of passes that stand together were drawn from, where time changes them no more. */
interface SettledViews {
  readonly views: readonly PassView[];
  /** From this step on none of them has more requests behind it that would count. */
  readonly from: number;
  readonly of: readonly unknown[];
}

const SETTLED = new WeakMap<readonly LedgerEntry[], SettledViews>();

/** Most passes ran long ago: nothing happens to them any more, and they are not looked at one by one. */
function viewsOf(
  { start, entries, stepBehind }: Stretch,
  window: ContextWindow,
  requestOf: RequestOfStep,
): readonly PassView[] {
  const pinned = pinnedAmong(window, entries);
  const successors = successorsIn(window).slice(start, start + entries.length);
  const requests = entries.map(({ pass }) => requestOf(pass.beforeStep));
  const of = [stepBehind, ...pinned, ...successors.toArray(), ...requests];
  const known = SETTLED.get(entries);
  if (
    known !== undefined &&
    known.from <= window.step &&
    known.of.length === of.length &&
    known.of.every((each, at) => each === of[at])
  ) {
    return known.views;
  }
  const views = entries
    .map((entry, at) => {
      // Of several passes before one step the last is what the step's request was measured with.
      const next = entries[at + 1]?.pass.beforeStep ?? stepBehind;
      const { beforeStep, cache } = entry.pass;
      return passView({
        entry,
        request: requests[at] as StepRequest,
        isLast: beforeStep !== next,
        why: entry.undone === true ? undefined : whyNotUndoneAt(window, start + at),
        requestsSince: Math.min(window.step - beforeStep + 1, cache.breakEvenRequests ?? 0),
      });
    })
    .toReversed();
  const from = Math.max(
    ...entries.map(({ pass }) => pass.beforeStep - 1 + (pass.cache.breakEvenRequests ?? 0)),
  );
  if (from <= window.step) SETTLED.set(entries, { views, from, of });
  return views;
}

/** Draws what a pass decided for every block, kept ones included; undefined for a pass there is not. */
export function decisionViews(
  window: ContextWindow,
  number: number,
): readonly DecisionView[] | undefined {
  return window.ledger.find(({ pass }) => pass.number === number)?.pass.decisions.map(decisionView);
}

/** What was in the window after a pass: the API's count where it was taken, else the estimate. */
export function tokensAfter({
  pass,
  certifiedTokens,
}: Pick<LedgerEntry, 'pass' | 'certifiedTokens'>): Amount {
  return certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true };
}

/** Draws what was decided for one block. */
export function decisionView(decision: Decision): DecisionView {
  const { blockId, label, action, before, after, salience } = decision;
  const view = { blockId, label, action, reason: reasonText(decision), before, after };
  return salience === undefined ? view : { ...view, salience };
}

/** What a pass is drawn from besides its entry. */
interface PassFacts {
  readonly entry: LedgerEntry;
  readonly request: StepRequest;
  readonly isLast: boolean;
  readonly why: string | undefined;
  readonly requestsSince: number;
}

/** Each pass is drawn once, for as long as nothing about it changes: a session has many. */
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
    one.requestsSince === other.requestsSince
  );
}

function drawPass({ entry, request, isLast, why, requestsSince }: PassFacts): PassView {
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
    ...(why === undefined ? {} : { whyNotUndone: why }),
    before: pass.before,
    after: tokensAfter(entry),
    target: pass.target,
    highTokens: pass.budget.highTokens,
    inputBudget: pass.budget.inputBudget,
    rungs: rungGains(pass),
    changed: pass.decisions.length - kept,
    kept,
    ...(pass.view === undefined ? {} : { shows: shownSize(pass.view) }),
    ...(action === undefined ? {} : { byHand: decisionView(action) }),
    ...(exchanges.length === 0 ? {} : { exchanges }),
    rewrittenTokens: pass.cache.rewrittenTokens,
    rewriteCost: rewriteCost(request.by, pass.cache.rewrittenTokens),
    ...(measured === undefined ? {} : { measured }),
    freedTokens: pass.cache.freedTokens,
    breakEvenRequests: pass.cache.breakEvenRequests,
    requestsSince,
  };
}

/** The one thing a pass by hand is about; thinking behind it may go with it. */
function changeByHandIn({ trigger, decisions }: Pass): Decision | undefined {
  if (trigger !== 'byHand') return undefined;
  return decisions.find(({ action }) => action !== 'keep' && action !== 'trim');
}

/** What writing a prefix to the cache costs beyond reading it there; US dollars at list price. */
function rewriteCost(by: Payee, tokens: number): PassView['rewriteCost'] {
  if (by.offline) return 'offline';
  const nothing = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  const written = costOf(by.model, { ...nothing, cacheCreationTokens: tokens });
  const read = costOf(by.model, { ...nothing, cacheReadTokens: tokens });
  return written === 'unknown' || read === 'unknown' ? null : written.usd - read.usd;
}

function measuredBy(usage: Usage | undefined): PassView['measured'] {
  if (usage === undefined || promptTokens(usage) === 0) return undefined;
  return { cacheRead: usage.cacheReadTokens, cacheWrite: usage.cacheCreationTokens };
}

/** Whose prices a request had: those of a model, or none, because the scripted model answered it. */
type Payee = { readonly offline: true } | { readonly offline: false; readonly model: string };

/** What is known of the request a pass made room in. */
export interface StepRequest {
  readonly by: Payee;
  /** As the API reported it; absent where it did not. */
  readonly usage?: Usage;
}

/** Says what is known of a step's request, also of the one that would be sent next. */
type RequestOfStep = (step: number) => StepRequest;

/** Who answered the steps of a log so far; a list of events only ever grows. */
interface Answered {
  readonly demoAuthor: string;
  readonly byStep: Map<number, StepRequest>;
  /** How many events were read. */
  read: number;
  author: string | undefined;
}

const ANSWERED = new WeakMap<readonly SessionEvent[], Answered>();

/**
 * Reads off the log who answered the requests the passes of a window made room in, and what was
 * reported of them. The next one would go to the model of now; a reply that was stopped has not the
 * name of who wrote it, so the answer before it stands for it.
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
  // In a replay nobody reported anything of Plimsoll's own request.
  answered.byStep.set(step, { by, usage });
}

/** Draws the pass that waits for the user's answer. */
export function reviewView(
  { id, proposed }: PendingPass,
  window: ContextWindow,
  estimate: Estimate,
): ReviewView {
  const { plan, summaries } = proposed;
  const { trigger, policy, before, target, budget } = plan;
  // The plan assumes the largest summaries; these are the written ones.
  const reserved = plan.summaries.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
  const written = summaries.reduce(
    (sum, summary) => sum + summaryTokens(summary, window, estimate),
    0,
  );
  return {
    proposedPassId: id,
    trigger,
    policy,
    before,
    after: { tokens: plan.estimatedAfter - reserved + written, exact: false },
    target,
    highTokens: budget.highTokens,
    inputBudget: budget.inputBudget,
    decisions: plan.decisions.filter(({ action }) => action !== 'keep').map(decisionView),
    summaries: summaries.map(summaryView),
    ...(plan.view === undefined ? {} : { shows: excerptsView(plan.view, window.fileChoices) }),
  };
}

function summaryView({ id, covers, text, writtenBy }: Summary): ProposedSummaryView {
  return {
    id,
    covers: covers.length,
    text,
    writtenBy:
      writtenBy.by === 'model'
        ? `written by ${writtenBy.model}`
        : `a work note, because ${writtenBy.because}`,
  };
}
