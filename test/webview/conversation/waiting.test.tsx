// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conversation, turn, waiting } from './conversations';
import { drawAgent } from './drawAgent';

const NOW = new Date(2026, 10, 23, 14, 30).getTime();
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(NOW);
});
afterEach(() => vi.useRealTimers());

describe('a request that waits for its next try', () => {
  const drawn = (ms: number) =>
    drawAgent(conversation({ turns: [turn()], activity: waiting(ms, NOW) }));

  it('says what happened and counts down', () => {
    const agent = drawn(12_000);
    const words = () => plain(agent.text('wait-notice'));
    expect(words()).toContain('The API is overloaded (529). Try 2 of 10 in 12 s.');
    act(() => void vi.advanceTimersByTime(9_000));
    expect(words()).toContain('Try 2 of 10 in 3 s.');
    act(() => void vi.advanceTimersByTime(60_000));
    expect(words()).toContain('in 0 s.');
    expect(agent.text('activity')).toContain('Waiting to try again');
  });

  it('shows the time of day for a long wait', () => {
    const agent = drawn(65 * 60_000);
    const time = new Date(NOW + 65 * 60_000).toLocaleTimeString([], {
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(plain(agent.text('countdown'))).toBe(`at ${plain(time)}, in 1 h 05 min`);
  });

  it('can be tried now, or stopped', () => {
    const agent = drawn(12_000);
    agent.click('try-now');
    agent.click('stop');
    expect(agent.wishes).toEqual([{ type: 'tryNow' }, { type: 'stopTurn' }]);
    agent.show(conversation({ turns: [turn()], activity: { state: 'asking', since: NOW } }));
    expect(agent.all('wait-notice')).toEqual([]);
  });
});

describe('a silent server', () => {
  const drawn = (silence: { since: number; until?: number }) =>
    drawAgent(
      conversation({
        turns: [turn()],
        activity: { state: 'asking', since: NOW - 50_000, silence },
      }),
    );

  it('is reported with the length of the silence, and what Plimsoll will do', () => {
    const agent = drawn({ since: NOW - 25_000, until: NOW + 65_000 });
    expect(plain(agent.text('silence-notice'))).toBe(
      'The server has sent nothing for 25 s. After 1 min 30 s Plimsoll sends the request again.',
    );
    act(() => void vi.advanceTimersByTime(5_000));
    expect(plain(agent.text('silence-notice'))).toContain('for 30 s.');
    agent.show(conversation({ turns: [turn()], activity: { state: 'asking', since: NOW } }));
    expect(agent.all('silence-notice')).toEqual([]);
  });

  it('is waited for if there is no limit', () => {
    expect(plain(drawn({ since: NOW - 25_000 }).text('silence-notice'))).toBe(
      'The server has sent nothing for 25 s.',
    );
  });
});
