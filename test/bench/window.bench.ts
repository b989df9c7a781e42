import { bench, describe } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { fold } from '../../src/contextWindow/log/fold';
import { balance } from '../../src/contextWindow/account/balance';
import { measure } from '../../src/contextWindow/account/measure';
import { ladder } from '../../src/contextWindow/passes/policies/ladder';
import { toRequest } from '../../src/contextWindow/request/request';
import { timelineOf } from '../../src/contextWindow/log/timeline';
import { WindowHistory } from '../../src/contextWindow/log/windowHistory';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { budgetOf, dated, promptEvent, stepEvents } from '../support/drawing';
import { estimate } from '../support/player';

function eventsOf(steps: number): readonly SessionEvent[] {
  return dated([
    promptEvent('task'),
    ...Array.from({ length: steps }, (_, index) =>
      stepEvents([{ id: `tool_${index}`, name: `file${index % 50}.ts`, tokens: 300 }], 'Looking.'),
    ).flat(),
  ]);
}

const LARGE_EVENTS = eventsOf(10_000);
const SMALL = fold(eventsOf(1_000));
const LARGE = fold(LARGE_EVENTS);

function planPass(window: ContextWindow): void {
  const measured = measure(window, estimate);
  ladder({
    window,
    measured,
    budget: budgetOf(measured.used.tokens),
    trigger: 'highWatermark',
    estimate,
    settings: POLICY_SETTINGS,
  });
}

// Ten times the steps: read the ratio of each pair, not the milliseconds.
describe('plan a pass', () => {
  bench('1,000 steps', () => planPass(SMALL));
  bench('10,000 steps', () => planPass(LARGE));
});

describe('build the next request', () => {
  bench('1,000 steps', () => void toRequest(SMALL));
  bench('10,000 steps', () => void toRequest(LARGE));
  bench('10,000 steps, as JSON', () => void JSON.stringify(toRequest(LARGE)));
});

describe('draw up the account', () => {
  const account = (window: ContextWindow) =>
    balance(window, measure(window, estimate), budgetOf(100_000));
  bench('1,000 steps', () => void account(SMALL));
  bench('10,000 steps', () => void account(LARGE));
});

// A panel asks for one step after another: read what one costs beside the fold of the whole.
describe('travel in 10,000 steps', () => {
  const history = new WindowHistory(LARGE_EVENTS);
  history.windowAfter(10_000);
  let step = 0;
  bench('a plain fold', () => void fold(LARGE_EVENTS), { iterations: 3, warmupIterations: 0 });
  bench('to a step anywhere', () => {
    // Far apart, none twice in a row.
    step = (step + 3_571) % 10_000;
    history.windowBefore(step + 1);
  });
  bench('to the step before', () => {
    step = (step + 9_999) % 10_000;
    history.windowBefore(step + 1);
  });
});

describe('draw the timeline', () => {
  bench('10,000 steps', () => void timelineOf(LARGE_EVENTS, LARGE));
});
