import { describe, expect, it } from 'vitest';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { inspectionOf } from '../editor/contextPanel/support/inspecting';
import { calls, echo, says, scriptedAgent, steps, type Turn } from '../support/scriptedAgent';

const MINUTE = 60_000;
const STEPS = 15;

/** The same answer from a server that keeps a prompt cache. */
const cached =
  (turn: Turn): Turn =>
  (request) => {
    const result = turn(request);
    if (!result.ok) return result;
    const { usage } = result.reply;
    const written = { ...usage, inputTokens: 0, cacheCreationTokens: usage.inputTokens };
    return { ...result, reply: { ...result.reply, usage: written } };
  };

/** Two turns with a pause between them; the window is between the watermarks then. */
async function after(pauseMs: number, settings = {}, answeredBy = cached, deps = {}) {
  let pause = 0;
  const agent = scriptedAgent({
    script: [
      ...steps(STEPS, 1_400),
      calls([echo('toolu_9', { text: 'a', times: 9 })]),
      says('Done.'),
    ].map(answeredBy),
    settings,
    deps,
    pausedMs: () => pause,
  });
  await agent.run('look');
  pause = pauseMs;
  await agent.run('and now?');
  const { session, requests } = agent;
  return { triggers: session.window.ledger.map(({ pass }) => pass.trigger), session, requests };
}

describe('a turn after a pause', () => {
  it('runs a pass for the price of its summaries: work notes cost nothing', async () => {
    const triggersWith = async (writer: 'model' | 'workNote') => {
      const settings = {
        policy: { ...POLICY_SETTINGS, policy: 'summarise', summaryTokens: 1_200 },
        summary: { writer, model: '' },
      } as const;
      return (await after(6 * MINUTE, settings)).triggers;
    };
    expect(await triggersWith('workNote')).toEqual(['coldCache']);
    expect(await triggersWith('model')).toEqual([]);
  });

  it('runs a pass first if the cache has expired and the window is above the low watermark', async () => {
    const { triggers, session } = await after(6 * MINUTE);
    expect(triggers).toEqual(['coldCache']);
    const [{ pass } = expect.fail()] = [...session.window.ledger];
    expect(pass.beforeStep).toBe(STEPS + 2);
    expect(pass.before.tokens).toBeLessThan(pass.budget.highTokens);
    expect(pass.after.tokens).toBeLessThanOrEqual(pass.target);
  });

  it('runs none while the cache is warm', async () => {
    expect((await after(4 * MINUTE)).triggers).toEqual([]);
  });

  it('runs none if the server keeps no cache', async () => {
    expect((await after(6 * MINUTE, {}, (turn) => turn)).triggers).toEqual([]);
  });

  it('runs none if passes are off', async () => {
    expect((await after(6 * MINUTE, { compaction: 'off' })).triggers).toEqual([]);
  });

  it('caches for an hour what the pass left, and logs why', async () => {
    const { session, requests } = await after(6 * MINUTE);
    expect(session.events.filter(({ type }) => type === 'cacheLifeSet')).toMatchObject([
      { life: 'mixed', choice: 'auto', pauses: 1, longPauses: 0, requests: STEPS + 2 },
    ]);
    const lives = requests.map((request) => JSON.stringify(request).split('"ttl":"1h"').length - 1);
    expect(lives.slice(0, STEPS + 1).every((count) => count === 0)).toBe(true);
    expect(lives[STEPS + 1]).toBeGreaterThan(0);
  });

  it('caches for an hour from the first request on if earlier sessions had pauses', async () => {
    const earlierPauses = { sessions: 3, requests: 100, pauses: 10, longPauses: 0 };
    const { session, requests } = await after(MINUTE, {}, cached, { earlierPauses });
    expect(JSON.stringify(requests[0])).toContain('"ttl":"1h"');
    expect(inspectionOf(session.events).view().cacheLife).toMatchObject({
      life: 'mixed',
      since: 1,
      requests: 1,
      pauses: 0,
      earlier: earlierPauses,
    });
  });

  it('shows in the panel when the cache expires, if a pass may run then', async () => {
    const { session } = await after(MINUTE);
    const answered = session.events.findLast(({ type }) => type === 'replyReceived')?.at ?? 0;
    expect(inspectionOf(session.events).view().coldFrom).toBe(answered + 5 * MINUTE);
    const short = scriptedAgent({ script: [cached(says('Hello.'))] });
    await short.run('hi');
    expect(inspectionOf(short.session.events).view().coldFrom).toBeUndefined();
  });

  it('shows the choice and its reason in the panel', async () => {
    const { session } = await after(6 * MINUTE);
    expect(inspectionOf(session.events).view().cacheLife).toMatchObject({
      life: 'mixed',
      choice: 'auto',
      since: STEPS + 2,
      requests: STEPS + 2,
      pauses: 1,
    });
    const { session: warm } = await after(MINUTE);
    expect(inspectionOf(warm.events).view().cacheLife).toBeUndefined();
  });
});
