import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimator } from '../../agent/model';
import { textsOf } from '../../contextWindow/account/measure';
import { type Budget, budgetInLog, effectiveBudget } from '../../contextWindow/budget';
import type { ContextWindow } from '../../contextWindow/window';
import type { SessionEvent } from '../../contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../contextWindow/fold';
import type { PolicyName } from '../../contextWindow/plan';
import type { OwnSession } from '../../recordings/plimsoll';
import { titleOfWindow } from '../../sessions/sessionTitle';
import type { ValidSettings } from '../../settings/windowBudget';
import type { Inspected } from '../session/inspected';

/** A Plimsoll session opened from its file and shown as it was. */
export interface ShownSession {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly inForce: ValidSettings;
  readonly policy: PolicyName;
  readonly idInFile: string;
}

/** Shown if a session was replayed with settings other than its own. */
export const REPLAYED_ANEW =
  'This is a replay of the session with other settings. Open the file again to see the original.';

/**
 * Shows a session as it was: its events are folded, and no decision is made again. It has the name
 * `sessionId`, since the session itself may be open in this window, and ahead. `settings` are those
 * for the model of its log, `base` the current ones.
 */
export async function asItWas(
  { events }: OwnSession,
  sessionId: string,
  { settings, base }: { readonly settings: ValidSettings; readonly base: ValidSettings },
  estimator: Pick<Estimator, 'warm'>,
): Promise<ShownSession> {
  const [start] = events;
  const named = events.map((event) =>
    event.type === 'sessionStarted' ? { ...event, sessionId } : event,
  );
  const window = await foldInTurns(named);
  await estimator.warm(textsOf(window));
  const inForce = window.model === base.settings.model ? base : settings;
  return {
    events: named,
    window,
    inForce: underBudgetOf(named, window, inForce),
    policy: policyOf(window) ?? inForce.settings.context.policy,
    idInFile: start?.type === 'sessionStarted' ? start.sessionId : '',
  };
}

/** The editor must not wait longer; ms. */
const LONGEST_TURN_MS = 15;

/** Folds events, and lets the editor work in between. */
async function foldInTurns(events: readonly SessionEvent[]): Promise<ContextWindow> {
  let window = EMPTY_WINDOW;
  let began = performance.now();
  for (const event of events) {
    window = applyEvent(window, event);
    if (performance.now() - began < LONGEST_TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return window;
}

/** The session for the Context panel. */
export function inspectedSession(
  { events, window, inForce, policy, idInFile }: ShownSession,
  shown: {
    readonly file: string;
    readonly following: boolean;
    readonly notes: readonly string[];
    readonly problem: string | undefined;
  },
): Inspected {
  const { file, following, notes, problem } = shown;
  return {
    source: {
      type: 'recording',
      file: basename(file),
      format: 'plimsoll',
      following,
      asItWas: true,
      ...(policyOf(window) === undefined && { policyUnknown: true as const }),
      notes,
    },
    title: titleOfWindow(window),
    model: window.model ?? inForce.settings.model,
    offline: false,
    events,
    window,
    inForce,
    policy,
    busy: false,
    pendingPass: undefined,
    problem,
    idInFile,
  };
}

/** The settings with the session's last budget, if that differs and the log has it. */
function underBudgetOf(
  events: readonly SessionEvent[],
  window: ContextWindow,
  inForce: ValidSettings,
): ValidSettings {
  const budget = events.reduce<Budget | undefined>(budgetInLog, undefined);
  const now = effectiveBudget(window, inForce.budget);
  if (budget === undefined || JSON.stringify(budget) === JSON.stringify(now)) return inForce;
  return { ...inForce, budget, windowSource: 'from the recording' };
}

/** The policy of the newest pass that a policy decided. */
function policyOf({ ledger }: ContextWindow): PolicyName | undefined {
  return ledger.findLast(({ pass }) => pass.trigger !== 'byHand')?.pass.policy;
}
