import { bench, describe } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { balance } from '../../src/contextWindow/ledger';
import { measure } from '../../src/contextWindow/measure';
import { ladder } from '../../src/contextWindow/policies/ladder';
import { toRequest } from '../../src/contextWindow/request';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { budgetOf, promptEvent, stepEvents } from '../support/drawing';
import { estimate } from '../support/player';

function sessionOf(steps: number): ContextWindow {
  const events: NewEvent[] = [
    promptEvent('task'),
    ...Array.from({ length: steps }, (_, index) =>
      stepEvents([{ id: `tool_${index}`, name: `file${index % 50}.ts`, tokens: 300 }], 'Looking.'),
    ).flat(),
  ];
  return events.reduce<ContextWindow>(
    (window, event) => applyEvent(window, { ...event, at: 0 } as never),
    EMPTY_WINDOW,
  );
}

const SMALL = sessionOf(1_000);
const LARGE = sessionOf(10_000);

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
