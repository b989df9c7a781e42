import { PassPricing } from '../../../../src/contextWindow/account/passPrice';
import { timelineOf } from '../../../support/timelineOf';
import { costOfCharge } from '../../../../src/model/pricing';
import type { Budget } from '../../../../src/contextWindow/budget';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import type { SessionEvent } from '../../../../src/contextWindow/event';
import type { Estimate } from '../../../../src/contextWindow/truncate';
import { accountOf } from '../../../../src/editor/session/derive';
import { contextView } from '../../../../src/editor/contextPanel/derive';
import { drawnBlocks } from '../../../../src/editor/contextPanel/blocks/derive';
import type { Inspected } from '../../../../src/editor/session/inspected';
import type { NeededFile } from '../../../../src/editor/session/neededInSessions';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/settings/settings';
import { titleOfWindow } from '../../../../src/sessions/sessionTitle';
import type { ContextView } from '../../../../src/editor/contextPanel/state';

/** The current session as the panel sees it. */
export function inspectedOf(
  window: ContextWindow,
  budget: Budget,
  {
    events = [],
    settings = DEFAULT_SETTINGS,
  }: { readonly events?: readonly SessionEvent[]; readonly settings?: Settings } = {},
): Inspected {
  return {
    source: { type: 'session' },
    title: titleOfWindow(window),
    model: settings.model,
    offline: false,
    events,
    window,
    inForce: {
      settings,
      asSet: settings,
      budget,
      capped: [],
      windowSource: 'from a setting',
      size: { windowTokens: budget.contextWindowTokens, source: 'assumed' },
    },
    policy: settings.context.policy,
    busy: false,
    pendingPass: undefined,
    problem: undefined,
  };
}

/** The panel's current state of it. */
export function viewNow(
  inspected: Inspected,
  estimate: Estimate,
  needed: readonly NeededFile[] = [],
): ContextView {
  const { window, inForce } = inspected;
  const account = accountOf(window, inForce.budget, estimate);
  const { policy } = inspected;
  return contextView({
    inspected,
    drawn: drawnBlocks({ window, account, inForce, policy, estimate }),
    moves: { moves: {}, undoMoves: {} },
    revision: '1',
    travel: { at: 'now', first: 0, last: window.step },
    window,
    account,
    showIntro: false,
    memoryOff: [],
    needed,
    showCapNotice: true,
    estimate,
    prices: new PassPricing({ costOf: costOfCharge }).of(timelineOf(inspected.events, window)),
    demoAuthor: 'the demo',
  });
}
