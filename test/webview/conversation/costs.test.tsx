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
  const spans = [...agent.get('costs').querySelectorAll('.parts > span')];
  return spans.map(({ textContent }) => plain(textContent!));
};

it('the header shows the cost of turn and session, the share from the cache, and what passes removed', () => {
  expect(partsOf(COSTS)).toEqual([
    'turn $0.0123',
    'session $1.84',
    '87 % from cache',
    '2 passes removed ≈ 45,000 tokens',
  ]);
});

it('the header shows equal costs once, and leaves out unknown numbers', () => {
  const unknown = { turn: 'price unknown', session: 'price unknown', cacheReadShare: null };
  expect(partsOf(unknown)).toEqual(['turn and session: price unknown']);
  const one = { passes: 1, tokens: 900, exact: true };
  expect(partsOf({ ...unknown, saved: one })[1]).toBe('1 pass removed 900 tokens');
});

it('the costs are absent before the first answer, and open the Context panel', () => {
  expect(drawAgent(conversation()).all('costs')).toEqual([]);
  const agent = drawAgent(conversation({ costs: COSTS }));
  agent.click('costs');
  expect(agent.wishes.at(-1)).toEqual({ type: 'openContextPanel' });
});
