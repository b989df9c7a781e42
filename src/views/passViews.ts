import type { ContextWindow, LedgerEntry } from '../contextWindow/contextWindow';
import type { Amount, Decision, Pass } from '../contextWindow/plan';
import { whyNotUndone } from '../contextWindow/passes/undoPass';
import { promptTokens, type Usage } from '../contextWindow/usage';
import { costOf } from '../counting/pricing';
import type { DecisionView, PassView } from '../protocol/passView';
import type { Inspected } from './inspected';

/** Draws the ledger of passes, newest first. */
export function passViews(window: ContextWindow, requestOf: RequestOfStep): readonly PassView[] {
  return window.ledger.map((entry) => passView(entry, window, requestOf)).toReversed();
}

/** Draws what a pass decided for every block, kept ones included; undefined for a pass there is not. */
export function decisionViews(
  window: ContextWindow,
  number: number,
): readonly DecisionView[] | undefined {
  return window.ledger.find(({ pass }) => pass.number === number)?.pass.decisions.map(decisionView);
}

/** What was in the window after a pass: the API's count where it was taken, else the estimate. */
export function tokensAfter({ pass, certifiedTokens }: LedgerEntry): Amount {
  return certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true };
}

/** Draws what was decided for one block. */
export function decisionView(decision: Decision): DecisionView {
  const { blockId, label, action, reason, before, after, salience } = decision;
  const view = { blockId, label, action, reason, before, after };
  return salience === undefined ? view : { ...view, salience };
}

function passView(entry: LedgerEntry, window: ContextWindow, requestOf: RequestOfStep): PassView {
  const { pass } = entry;
  const request = requestOf(pass.beforeStep);
  const undone = entry.undone === true;
  const why = undone ? undefined : whyNotUndone(window, pass.number);
  const measured = isLastBefore(entry, window) ? measuredBy(request.usage) : undefined;
  const action = changeByHandIn(pass);
  const kept = pass.decisions.filter(({ action }) => action === 'keep').length;
  return {
    number: pass.number,
    beforeStep: pass.beforeStep,
    trigger: pass.trigger,
    policy: pass.policy,
    undone,
    ...(why === undefined ? {} : { whyNotUndone: why }),
    before: pass.before,
    after: tokensAfter(entry),
    target: pass.target,
    highTokens: pass.budget.highTokens,
    inputBudget: pass.budget.inputBudget,
    rungs: pass.rungs,
    changed: pass.decisions.length - kept,
    kept,
    ...(action === undefined ? {} : { byHand: decisionView(action) }),
    rewrittenTokens: pass.cache.rewrittenTokens,
    rewriteCost: rewriteCost(request.by, pass.cache.rewrittenTokens),
    ...(measured === undefined ? {} : { measured }),
    freedTokens: pass.cache.freedTokens,
    breakEvenRequests: pass.cache.breakEvenRequests,
    requestsSince: window.step - pass.beforeStep + 1,
  };
}

/** Of several passes before one step the last is what the step's request was measured with. */
function isLastBefore({ pass }: LedgerEntry, { ledger }: ContextWindow): boolean {
  const last = ledger.findLast((other) => other.pass.beforeStep === pass.beforeStep);
  return last?.pass.number === pass.number;
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

/**
 * Reads off the log who answered the requests the passes of a window made room in, and what was
 * reported of them. The next one would go to the model of now; a reply that was stopped has not the
 * name of who wrote it, so the answer before it stands for it.
 */
export function requestsOfPasses(
  { events, recordedUsage, window, model: modelNow, offline }: Inspected,
  { ledger }: ContextWindow,
  demoAuthor: string,
): RequestOfStep {
  const wanted = new Set(ledger.map(({ pass }) => pass.beforeStep));
  const found = new Map<number, StepRequest>();
  const payee = (model: string): Payee =>
    model === demoAuthor ? { offline: true } : { offline: false, model };
  let author: string | undefined;
  for (const event of wanted.size === 0 ? [] : events) {
    if (event.type !== 'replyReceived') continue;
    const { step, model, usage, stopReason } = event;
    if (stopReason !== 'stopped') author = model;
    if (!wanted.has(step)) continue;
    found.set(step, { by: payee(author ?? model), usage: recordedUsage?.get(step) ?? usage });
  }
  const next: StepRequest = {
    by: offline ? { offline: true } : { offline: false, model: window.model ?? modelNow },
  };
  return (step) => found.get(step) ?? next;
}
