import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../src/agent/agentDeps';
import type { ModelResult } from '../../src/agent/model';
import { runManualPass } from '../../src/agent/runPass';
import { dropSummaryAhead } from '../../src/agent/summaryAhead';
import type { BlockId } from '../../src/contextWindow/block';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { rewriteSummary } from '../support/rewriteSummary';
import { fails, says, scriptedAgent, steps, type Options } from '../support/scriptedAgent';

const COMPACTING = { ...POLICY_SETTINGS, policy: 'summarise' } as const;
const AHEAD: Partial<AgentSettings> = { policy: COMPACTING, prepareTokens: 6_000 };
const WRITTEN = 'What was done, written ahead.';
/** Steps of about 500 tokens: 12 exceed the prepare watermark, 16 the high one. */
const TO_PREPARE = 14;
const TO_PASS = 20;

function agentWith(count: number, more: Partial<Options> = {}) {
  const { settings, ...rest } = more;
  return scriptedAgent({
    script: steps(count, 1_400),
    summariser: says(WRITTEN),
    settings: { ...AHEAD, ...settings },
    ...rest,
  });
}

type Agent = ReturnType<typeof agentWith>;

const summariesOf = (agent: Agent) =>
  agent.session.window.ledger.flatMap(({ pass }) => pass.summaries);

const isAbort = (signal: AbortSignal) =>
  new Promise<ModelResult>((resolve) => {
    const failure = { type: 'aborted', message: 'Stopped.' } as const;
    signal.addEventListener('abort', () => resolve({ ok: false, failure }), { once: true });
  });

async function passByHand(agent: Agent) {
  const pass = runManualPass(agent.deps, agent.deps.settings(), agent.stop.signal);
  for (;;) {
    const next = await pass.next();
    if (next.done === true) return next.value;
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a summary written ahead', () => {
  it('begins above the prepare watermark, once, and no pass runs for it', async () => {
    const below = agentWith(6);
    await below.run('look');
    expect(below.summaryRequests).toEqual([]);
    const agent = agentWith(TO_PREPARE);
    await agent.run('look');
    expect(agent.summaryRequests).toHaveLength(1);
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it('is used by the next pass, without another request', async () => {
    const agent = agentWith(TO_PASS);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger).toHaveLength(1);
    expect(agent.summaryRequests).toHaveLength(1);
    expect(summariesOf(agent).map(({ text }) => text)).toEqual([WRITTEN]);
  });

  it('runs in parallel with the steps: only the pass waits for it', async () => {
    let answer: (() => void) | undefined;
    const asked: number[] = [];
    const agent = agentWith(TO_PASS, {
      summariser: (request) =>
        new Promise((resolve) => {
          asked.push(agent.requests.length);
          answer = () => resolve(says(WRITTEN)(request));
        }),
      onEvent: ({ type }) => {
        if (type === 'passStarted') setTimeout(() => answer?.(), 5);
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(asked).toHaveLength(1);
    const { pass } = agent.session.window.ledger.at(0)!;
    expect(pass.beforeStep - asked[0]!).toBeGreaterThan(2);
    expect(summariesOf(agent).map(({ text }) => text)).toEqual([WRITTEN]);
  });

  it('is written by the pass itself after a failure that is not shown to the user', async () => {
    let asked = 0;
    const askedByPass: number[] = [];
    const agent = agentWith(TO_PASS, {
      summariser: (request) =>
        ++asked === 1
          ? fails({ type: 'overloaded', message: 'Overloaded.' })(request)
          : says(WRITTEN)(request),
      onEvent: ({ type }) => {
        if (type === 'passFinished') askedByPass.push(asked);
      },
    });
    await agent.run('look');
    expect(askedByPass).toEqual([2]);
    expect(summariesOf(agent).map(({ writtenBy }) => writtenBy.by)).toEqual(['model']);
    expect(agent.heard.filter(({ type }) => type === 'notice')).toEqual([]);
  });

  it('does not cover a block pinned since', async () => {
    const pinned = 'step-2' as BlockId;
    const agent = agentWith(TO_PASS, {
      onEvent: (event) => {
        if (event.type !== 'askStarted' || event.step !== TO_PREPARE + 1) return;
        expect(agent.summaryRequests).toHaveLength(1);
        agent.session.append({ type: 'blockPinned', blockId: pinned });
      },
    });
    await agent.run('look');
    expect(agent.session.window.ledger.length).toBeGreaterThan(0);
    expect(summariesOf(agent).flatMap(({ covers }) => covers)).not.toContain(pinned);
    const block = agent.session.window.blocks.find(({ id }) => id === pinned);
    expect(block).toMatchObject({ state: 'whole', pinned: true });
  });

  it('is replaced if the user rewrote a summary that it covers', async () => {
    const texts = (requests: Agent['summaryRequests']) =>
      requests.map((one) => JSON.stringify(one));
    const agent = agentWith(TO_PASS + 3);
    await agent.run('look');
    const first = agent.session.window.blocks.find(({ kind }) => kind === 'summary')!;
    // The second is written ahead from blocks that include the first.
    expect(agent.session.window.ledger).toHaveLength(1);
    expect(agent.summaryRequests).toHaveLength(2);
    expect(texts(agent.summaryRequests).at(-1)).toContain(WRITTEN);
    rewriteSummary(agent, first.id, 'Never touch legacy.ts.');
    expect(await passByHand(agent)).toBeDefined();
    expect(agent.summaryRequests).toHaveLength(3);
    expect(texts(agent.summaryRequests).at(-1)).toContain('Never touch legacy.ts.');
  });

  it('is aborted and dropped if a pass by hand removed what it covers', async () => {
    const signals: AbortSignal[] = [];
    const agent = agentWith(TO_PREPARE, {
      summariser: (request, signal) => {
        signals.push(signal);
        return signals.length === 1 ? isAbort(signal) : says('Later.')(request);
      },
    });
    await agent.run('look');
    const evicted = agent.session.window.blocks.slice(1, 4).map(({ id }) => id);
    for (const blockId of evicted) agent.session.append({ type: 'blockPinned', blockId });
    expect(await passByHand(agent)).toBeDefined();
    expect(signals[0]!.aborted).toBe(true);
    expect(summariesOf(agent).map(({ text }) => text)).toEqual(['Later.']);
  });

  it('is available again after an undo of the pass that used it', async () => {
    const agent = agentWith(TO_PREPARE);
    await agent.run('look');
    const pass = await passByHand(agent);
    agent.session.append({ type: 'passUndone', number: pass!.number });
    await passByHand(agent);
    expect(agent.summaryRequests).toHaveLength(1);
    expect(summariesOf(agent).map(({ text }) => text)).toEqual([WRITTEN, WRITTEN]);
  });

  it('is aborted by Stop while it is being written, and kept if finished', async () => {
    const signals: AbortSignal[] = [];
    const hanging = agentWith(TO_PREPARE, {
      summariser: (_, signal) => {
        signals.push(signal);
        return isAbort(signal);
      },
      onEvent: (event) => {
        if (event.type === 'askStarted' && event.step === TO_PREPARE) hanging.stop.abort();
      },
    });
    expect(await hanging.run('look')).toEqual({ type: 'stopped' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);

    const done = agentWith(TO_PREPARE, {
      onEvent: (event) => {
        if (event.type === 'askStarted' && event.step === TO_PREPARE) done.stop.abort();
      },
    });
    expect(await done.run('look')).toEqual({ type: 'stopped' });
    const pass = runManualPass(done.deps, done.deps.settings(), new AbortController().signal);
    while ((await pass.next()).done !== true);
    expect(done.summaryRequests).toHaveLength(1);
  });

  it('is aborted when the session is left, and outlives a turn that ended well', async () => {
    const signals: AbortSignal[] = [];
    const agent = agentWith(TO_PREPARE, {
      summariser: (_, signal) => {
        signals.push(signal);
        return isAbort(signal);
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    dropSummaryAhead(agent.session);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('does not delay Stop if it is never answered', async () => {
    const agent = agentWith(TO_PASS, {
      summariser: () => new Promise<ModelResult>(() => undefined),
      onEvent: ({ type }) => {
        if (type === 'passStarted') setTimeout(() => agent.stop.abort(), 5);
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it.each<[string, Partial<AgentSettings>]>([
    ['compaction is off', { compaction: 'off' }],
    ['a work note replaces the model', { summary: { writer: 'workNote', model: 'x' } }],
    ['summaries are off', { summary: { writer: 'off', model: 'x' } }],
    ['the policy writes none', { policy: { ...COMPACTING, policy: 'headTail' } }],
    ['the policy setting excludes them', { policy: { ...COMPACTING, summaries: false } }],
  ])('is never requested if %s', async (_, settings) => {
    const agent = agentWith(TO_PREPARE, { settings });
    await agent.run('look');
    expect(agent.summaryRequests).toEqual([]);
  });

  it('is aborted and not used if the settings meanwhile exclude models', async () => {
    const settings: { -readonly [K in keyof AgentSettings]?: AgentSettings[K] } = { ...AHEAD };
    const signals: AbortSignal[] = [];
    const agent = scriptedAgent({
      script: steps(TO_PASS, 1_400),
      settings,
      summariser: (_, signal) => {
        signals.push(signal);
        return isAbort(signal);
      },
      onEvent: (event) => {
        if (event.type === 'askStarted' && event.step === TO_PREPARE + 1) {
          settings.summary = { writer: 'workNote', model: 'x' };
        }
      },
    });
    await agent.run('look');
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(summariesOf(agent).map(({ writtenBy }) => writtenBy.by)).toEqual(['workNote']);
  });
});
