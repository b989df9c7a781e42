import { expect, it } from 'vitest';
import type { CostsView } from '../../../src/editor/session/state';
import { conversation } from './conversations';
import { drawAgent, plain } from './drawAgent';

const COSTS: CostsView = {
  turn: '$0.0123',
  session: '$1.84',
  cacheReadShare: 0.874,
  saved: { passes: 2, tokens: 45_000, exact: false },
};

const partsOf = (costs: CostsView) => {
  const agent = drawAgent(conversation({ costs }));
  agent.click('session-details');
  const spans = [...agent.get('costs').querySelectorAll('.parts > span')];
  return spans.map(({ textContent }) => plain(textContent!));
};

it('the details show the cost of turn and session, the share from the cache, and what passes removed', () => {
  expect(partsOf(COSTS)).toEqual([
    'turn $0.0123',
    'session $1.84',
    '87 % from cache',
    '2 passes removed ≈ 45,000 tokens',
  ]);
});

it('the details show equal costs once, and leave out unknown numbers', () => {
  const unknown = { turn: 'price unknown', session: 'price unknown', cacheReadShare: null };
  expect(partsOf(unknown)).toEqual(['turn and session: price unknown']);
  const one = { passes: 1, tokens: 900, exact: true };
  expect(partsOf({ ...unknown, saved: one })[1]).toBe('1 pass removed 900 tokens');
});

it('the costs are on hover of the gauge, so that the header is one line', () => {
  const agent = drawAgent(conversation({ costs: COSTS }));
  expect(agent.all('costs')).toEqual([]);
  expect(plain(agent.get('gauge').title)).toContain(
    'turn $0.0123 · session $1.84 · 87 % from cache · 2 passes removed ≈ 45,000 tokens. At list prices.',
  );
});

it('the costs are absent before the first answer', () => {
  const agent = drawAgent(conversation());
  agent.click('session-details');
  expect(agent.all('costs')).toEqual([]);
  expect(agent.get('gauge').title).not.toContain('$');
});
