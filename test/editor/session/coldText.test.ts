import { describe, expect, it, vi } from 'vitest';
import { coldText } from '../../../src/editor/session/coldText';
import type { ContextSettings } from '../../../src/settings/settings';
import { SMALL } from '../contextPanel/support/inspecting';
import { stepEvents } from '../../support/drawing';
import { settled } from '../support/controllerScene';
import { DAY, returnScene } from '../support/returnScene';

vi.mock('vscode', () => ({}));

describe('the sentence about a cold cache', () => {
  const before = { tokens: 252_000, exact: true };
  const costs = {
    whole: { read: 12_000, written: 240_000, asked: 0, answered: 0 },
    compacted: { read: 12_000, written: 68_000, asked: 40_000, answered: 1_000 },
  };

  it('compares the next request with the compacted one and its summaries', () => {
    // Per million tokens: input $2, output $10, writing the cache $2.50, reading it $0.10.
    expect(coldText(before, costs, { offline: false, model: 'claude-sonnet-5-5' })).toBe(
      'The prompt cache is cold: sending 252,000 tokens costs ≈ $0.601, compacted first ≈ $0.261.',
    );
  });

  it('gives the tokens to write without a known price', () => {
    const tokens =
      'The prompt cache is cold: ≈ 240,000 tokens are written to it, compacted first ≈ 68,000.';
    expect(coldText(before, costs, { offline: true })).toBe(tokens);
    expect(coldText(before, costs, { offline: false, model: 'unknown' })).toBe(tokens);
  });
});

/** A session of about 6,000 tokens that was idle for days, in a window with an input budget of 10,000. */
async function comeBack(
  compaction: ContextSettings['compaction'],
  dots = 18_000,
  context: Partial<ContextSettings> = {},
) {
  const made = returnScene({}, { ...SMALL, compaction, ...context });
  // A log without times says nothing about the cache.
  made.clock.now = 1;
  const session = made.make();
  for (let step = 1; step <= 6; step += 1) {
    const call = { id: `toolu_${step}0`, name: `${step}.ts`, tokens: dots / 6 };
    for (const event of stepEvents([call])) session.append(event);
  }
  made.clock.now = 2 * DAY;
  made.show(session);
  await settled();
  const postponed = () => session.window.postponed?.tokens;
  return { ...made, session, postponed };
}

describe('the question how to continue an idle session', () => {
  it('says what the next request costs as it is and from a summary, where passes ask', async () => {
    const { returning } = await comeBack('ask');
    expect(returning.question?.cost).toMatch(
      /^The prompt cache is cold: sending ≈ [567],\d+ tokens costs ≈ \$0\.\d+, compacted first ≈ \$0\.\d+\.$/,
    );
  });

  it('says nothing about it where passes just run or are off, or in a small window', async () => {
    const costs = [await comeBack('auto'), await comeBack('off'), await comeBack('ask', 6_000)].map(
      ({ returning }) => returning.question,
    );
    expect(costs.map((question) => [question?.usedAt, question?.cost])).toEqual(
      costs.map(() => [1, undefined]),
    );
  });

  it('says nothing and postpones nothing where a limit on messages is due, whatever the price', async () => {
    const limited = await comeBack('ask', 18_000, { policy: 'slidingWindow', maxMessages: 4 });
    expect(limited.returning.question).toMatchObject({ usedAt: 1 });
    expect(limited.returning.question?.cost).toBeUndefined();
    await limited.returning.answer('continue', false);
    expect(limited.postponed()).toBeUndefined();
  });

  it('is the only question about it: after Continue the pass is not asked about again', async () => {
    const asked = await comeBack('ask');
    await asked.returning.answer('continue', false);
    expect(asked.postponed()).toBeGreaterThan(5_000);
    const compacted = await comeBack('ask');
    await compacted.returning.answer('summary', false);
    const automatic = await comeBack('auto');
    await automatic.returning.answer('continue', false);
    expect([compacted.postponed(), automatic.postponed()]).toEqual([undefined, undefined]);
  });
});
