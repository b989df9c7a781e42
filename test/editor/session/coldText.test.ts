import { describe, expect, it, vi } from 'vitest';
import type { AgentDeps } from '../../../src/agent/agentDeps';
import { coldText, costAtReturn } from '../../../src/editor/session/coldText';
import { compactNow } from '../../../src/editor/session/compactNow';
import type { ContextSettings } from '../../../src/settings/settings';
import { agentSettings, SMALL, validWith } from '../contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';
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

  it('charges the summaries at the price of the model that writes them', () => {
    // Per million tokens: input $1, output $5.
    const by = {
      offline: false,
      model: 'claude-sonnet-5-5',
      summaryModel: 'claude-haiku-4-5',
    } as const;
    expect(coldText(before, costs, by)).toContain('compacted first ≈ $0.216.');
    const unknown = { ...by, summaryModel: 'unknown' };
    expect(coldText(before, costs, unknown)).toContain('tokens are written to it');
    const without = { ...costs, compacted: { ...costs.compacted, asked: 0, answered: 0 } };
    expect(coldText(before, without, unknown)).toContain('compacted first ≈ $0.171.');
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
      /^The prompt cache is cold: sending ≈ [567],\d+ tokens costs ≈ \$0\.\d+, from a summary ≈ \$0\.\d+\.$/,
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

  it('gives the price of the pass that the button runs', async () => {
    const { session } = await comeBack('ask');
    const noted = { summariser: 'workNote', summaryTokens: 400 } as const;
    const valid = validWith({ ...SMALL, compaction: 'ask', ...noted }, { provider: 'offline' });
    const { estimate } = STAND_IN_ESTIMATOR;
    const { text } = costAtReturn(session.window, valid, estimate, 2 * DAY)!;
    const deps = {
      session,
      estimator: STAND_IN_ESTIMATOR,
      settings: () => agentSettings(valid),
      now: () => 2 * DAY,
    } as unknown as AgentDeps;
    const pass = compactNow(deps, new AbortController().signal, '', 'earlierTurns');
    while ((await pass.next()).done !== true);
    const { after, overhead, summaries } = session.window.ledger.at(-1)!.pass;
    expect(summaries).toHaveLength(1);
    // The text of the summary is not known before, so the price assumes the longest one.
    const expected = after.tokens - overhead!.summaries + 400;
    expect(text).toContain(`from a summary ≈ ${expected.toLocaleString('en-US')}.`);
  });

  it('charges no model for a summary that none writes', async () => {
    const costs = await Promise.all(
      (['model', 'workNote', 'off'] as const).map(async (summariser) => {
        const { returning } = await comeBack('ask', 18_000, { summariser });
        return Number(/from a summary ≈ \$([\d.]+\d)/.exec(returning.question?.cost ?? '')?.[1]);
      }),
    );
    const [byModel = 0, note = 0, off] = costs;
    expect(note).toBeGreaterThan(0);
    expect(byModel).toBeGreaterThan(note);
    expect(off).toBe(note);
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
