import { describe, expect, it } from 'vitest';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import { promptTokens } from '../../../../src/contextWindow/account/spending';
import { WindowHistory } from '../../../../src/contextWindow/history';
import { accountOf } from '../../../../src/editor/session/derive';
import { windowSentAt } from '../../../../src/editor/contextPanel/request/requestAt';
import { dated, promptEvent, reply, usage } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { scriptedAgent, steps } from '../../../support/scriptedAgent';
import { smallBudget } from '../../../support/smallBudget';
import { repliesOf } from '../support/inspecting';

const BUDGET = smallBudget();

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** The window of the second step, whose reply has these fields. */
function second(fields: Partial<EventOf<'replyReceived'>>) {
  const answered: NewEvent = { ...(reply('b', usage(500)) as EventOf<'replyReceived'>), ...fields };
  const history = new WindowHistory(
    dated([promptEvent('a'), reply('a', usage(400)), promptEvent('b'), answered]),
  );
  return { window: windowSentAt(history, 2)!, before: history.windowBefore(2)! };
}

describe('the window as it was sent', () => {
  it("has the API's exact count at every step of a session with passes", async () => {
    const agent = scriptedAgent({ script: steps(40, 1_400) });
    await agent.run('look');
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    const history = new WindowHistory(agent.session.events);
    for (const { step, usage: reported } of repliesOf(agent.session.events)) {
      const { balance } = accountOf(windowSentAt(history, step)!, BUDGET, estimate);
      const { used, categories, headroom, reserved } = balance;
      expect(used).toEqual({ tokens: promptTokens(reported), exact: true });
      expect(sumOf(Object.values(categories))).toBe(used.tokens);
      expect(used.tokens + headroom + sumOf(Object.values(reserved))).toBe(12_000);
    }
  });

  it('differs from the window before the reply only in that number', () => {
    const { window, before } = second({});
    expect({ ...window, baseline: before.baseline }).toEqual(before);
    expect(window.baseline).toEqual({ tokens: 500, source: 'usage', blocks: 3 });
  });

  it.each<[string, Partial<EventOf<'replyReceived'>>]>([
    ['was not reported', { usage: usage(0) }],
    ['is of a window the user changed meanwhile', { editedMeanwhile: true }],
    ['is of what the API left of it', { appliedEdits: [{ type: 'clear_tool_uses_20250919' }] }],
    ['is of what the API compacted', { parts: [{ type: 'compaction', content: 'So far.' }] }],
    ['is followed by one of a compaction as well', { compactionUsage: usage(900) }],
    [
      'may be of what the API left, which did not say',
      { serverEdits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    ],
  ])('is estimated where its number %s', (_, fields) => {
    const { window, before } = second(fields);
    expect(window).toBe(before);
    expect(accountOf(window, BUDGET, estimate).balance.used.exact).toBe(false);
  });

  it('is counted if the API was asked for edits and reported none', () => {
    const { window } = second({
      serverEdits: [{ type: 'clear_thinking_20251015', keep: 'all' }],
      appliedEdits: [],
    });
    expect(window.baseline?.tokens).toBe(500);
  });

  it('is absent for an unknown step', () => {
    expect(windowSentAt(new WindowHistory([]), 1)).toBeUndefined();
  });

  it('stays the same object for every caller, so derived values stay valid', () => {
    const asked = [promptEvent('a'), reply('a', usage(400)), promptEvent('b')];
    const history = new WindowHistory(dated([...asked, reply('b', usage(500))]));
    const counted = windowSentAt(history, 2)!;
    expect(counted.baseline?.source).toBe('usage');
    expect(windowSentAt(history, 2)).toBe(counted);
  });
});
