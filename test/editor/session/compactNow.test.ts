import { describe, expect, it } from 'vitest';
import type { AgentDeps } from '../../../src/agent/agentDeps';
import { Session } from '../../../src/agent/session';
import { compactNow, type RoomOf } from '../../../src/editor/session/compactNow';
import { AGENT_SETTINGS, POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, drawnEvents } from '../../support/drawing';

async function roomIn(drawing: string, stopped = false, of: RoomOf = 'policy') {
  const session = new Session({ append: () => undefined }, () => 0);
  for (const event of drawnEvents(drawing)) session.append(event);
  const deps = {
    session,
    estimator: { warm: () => Promise.resolve(), estimate: countDots },
    settings: () => ({
      ...AGENT_SETTINGS,
      model: 'test',
      budget: budgetOf(1_000),
      policy: { ...POLICY_SETTINGS, policy: 'tokenBudget', summaries: false },
      compaction: 'off',
      summary: { writer: 'off', model: 'test' },
    }),
    now: () => 0,
  } as unknown as AgentDeps;
  const stop = new AbortController();
  if (stopped) stop.abort();
  const room = compactNow(deps, stop.signal, '', of);
  for (let next = await room.next(); ; next = await room.next()) {
    if (next.done === true) return { made: next.value, ledger: session.window.ledger };
  }
}

const FULL = `
  1 anchor task 30
${Array.from({ length: 14 }, (_, index) => `  1 step f${index}.ts 60`).join('\n')}
`;

describe('Compact Now', () => {
  it('brings the window down to the low watermark, even from below the high one', async () => {
    const { made, ledger } = await roomIn(FULL);
    expect(made).toEqual({
      ok: true,
      message: expect.stringMatching(/^Pass 1 took the window from ≈ 870 to ≈ \d+ tokens\.$/),
    });
    expect(ledger.map(({ pass }) => [pass.trigger, pass.after.tokens <= 500])).toEqual([
      ['manual', true],
    ]);
  });

  it('says that the window holds too little', async () => {
    const { made, ledger } = await roomIn('1 anchor task 30\n1 step a.ts 40');
    expect(made).toEqual({
      ok: false,
      message:
        'There was nothing to free: the remaining blocks must stay, or removing them would free nothing.',
    });
    expect(ledger).toHaveLength(0);
  });

  it('says that the remaining blocks must stay', async () => {
    const { made } = await roomIn('1 anchor task 30\n1 step a.ts 600 !\n2 prompt next 10');
    expect(made.message).toBe(
      'There was nothing to free: the remaining blocks must stay, or removing them would free nothing.',
    );
  });

  it('changes nothing once it is stopped', async () => {
    const { made, ledger } = await roomIn(FULL, true);
    expect([made, ledger.toArray()]).toEqual([
      { ok: false, message: 'Stopped: nothing was removed from the window.' },
      [],
    ]);
  });
});

describe('compacting everything older than the newest turns', () => {
  const OLD = `
    1 anchor task 30
    1 reply  one 900
    2 prompt next 10
    2 reply  two 40
    3 prompt more 10
    3 reply  three 40
  `;

  it('writes a work note if summaries are off, whatever the policy', async () => {
    const { made, ledger } = await roomIn(OLD, false, 'earlierTurns');
    expect(made.message).toMatch(/^Pass 1 took the window from ≈ 1,030 to/);
    expect(ledger.map(({ pass }) => [pass.policy, pass.trigger, pass.summaries.length])).toEqual([
      ['summarise', 'manual', 1],
    ]);
    expect(ledger.at(0)!.pass.summaries[0]).toMatchObject({
      covers: ['step-1'],
      writtenBy: { by: 'workNote', because: 'summaries by a model are off' },
    });
  });

  it('does not fail if a summary would save nothing', async () => {
    const { made, ledger } = await roomIn(
      '1 anchor task 30\n1 step a.ts 40',
      false,
      'earlierTurns',
    );
    expect([made, ledger.toArray()]).toEqual([
      {
        ok: true,
        message: 'There was nothing that a summary would shorten: nothing was removed.',
      },
      [],
    ]);
  });

  it('fails if it was stopped', async () => {
    const { made } = await roomIn(OLD, true, 'earlierTurns');
    expect(made).toEqual({ ok: false, message: 'Stopped: nothing was removed from the window.' });
  });
});
