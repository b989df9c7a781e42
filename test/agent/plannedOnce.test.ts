import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AgentSettings } from '../../src/agent/agentDeps';
import { POLICY_SETTINGS } from '../support/agentSettings';

/** Arguments and results of the wrapped functions since the last request. */
const seen = {
  measured: [] as { readonly window: unknown; readonly result: unknown }[],
  plans: [] as unknown[],
  redacted: [] as string[],
};

/** The agent, with three of its functions wrapped. Workers share modules, so it is loaded again. */
async function wrappedAgent() {
  vi.resetModules();
  vi.doMock('../../src/contextWindow/account/measure', async (original) => {
    const real = await original<typeof import('../../src/contextWindow/account/measure')>();
    const measure: typeof real.measure = (window, ...more) => {
      const result = real.measure(window, ...more);
      seen.measured.push({ window, result });
      return result;
    };
    return { ...real, measure };
  });
  vi.doMock('../../src/contextWindow/passes/policies/policies', async (original) => {
    const real =
      await original<typeof import('../../src/contextWindow/passes/policies/policies')>();
    const planPass: typeof real.planPass = (input) => {
      const plan = real.planPass(input);
      seen.plans.push(plan);
      return plan;
    };
    return { ...real, planPass };
  });
  vi.doMock('../../src/agent/secrets/secrets', async (original) => {
    const real = await original<typeof import('../../src/agent/secrets/secrets')>();
    const maskedIn = <T>(value: T): T => {
      seen.redacted.push(JSON.stringify(value));
      return real.maskedIn(value);
    };
    const maskedText = (text: string): string => {
      seen.redacted.push(text);
      return real.maskedText(text);
    };
    return { ...real, maskedText, maskedIn };
  });
  const { scratchpadTool } = await import('../../src/tools/scratchpadTool');
  return { scratchpadTool, ...(await import('../support/scriptedAgent')) };
}

let wrapped: Awaited<ReturnType<typeof wrappedAgent>>;
beforeAll(async () => {
  wrapped = await wrappedAgent();
});

afterAll(() => {
  vi.doUnmock('../../src/contextWindow/account/measure');
  vi.doUnmock('../../src/contextWindow/passes/policies/policies');
  vi.doUnmock('../../src/agent/secrets/secrets');
  vi.resetModules();
});

interface Step {
  readonly measurements: number;
  readonly windows: number;
  readonly plans: number;
}

/** Runs a session of several passes; returns one entry for each request after the first. */
async function stepsOf(settings: Partial<AgentSettings>): Promise<readonly Step[]> {
  const { scriptedAgent, steps, says, scratchpadTool, ECHO } = wrapped;
  const counted: Step[] = [];
  const agent = scriptedAgent({
    script: steps(34, 1_400),
    summariser: says('What was done.'),
    settings: { remindAfterSteps: 2, prepareTokens: 3_000, ...settings },
    deps: { tools: [ECHO, scratchpadTool([])] },
    onEvent: ({ type }) => {
      if (type !== 'askStarted') return;
      const measured = seen.measured.splice(0);
      counted.push({
        measurements: new Set(measured.map(({ result }) => result)).size,
        windows: new Set(measured.map(({ window }) => window)).size,
        plans: new Set(seen.plans.splice(0)).size,
      });
    },
  });
  await agent.run('look');
  expect(agent.session.window.ledger.length).toBeGreaterThan(1);
  return counted.slice(1);
}

const POLICIES = ['ladder', 'salience', 'slidingWindow', 'summarise'] as const;

describe('a step', () => {
  it.each(POLICIES)('measures each window once and plans at most once under %s', async (policy) => {
    const counted = await stepsOf({ policy: { ...POLICY_SETTINGS, policy, maxMessages: 12 } });
    for (const step of counted) {
      expect(step.measurements).toBe(step.windows);
      expect(step.plans).toBeLessThanOrEqual(1);
    }
    const measurements = counted.map((step) => step.measurements);
    // After the reply and after the results; a reminder, a count and a pass add one each.
    expect(Math.min(...measurements)).toBe(2);
    expect(Math.max(...measurements)).toBeLessThanOrEqual(5);
  });

  it('looks for secrets in a tool result once', async () => {
    const { scriptedAgent, calls, echo, says } = wrapped;
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { text: 'ab', times: 3 })]), says('There.')],
    });
    seen.redacted.length = 0;
    await agent.run('look');
    expect(seen.redacted.filter((text) => text.includes('ababab'))).toHaveLength(1);
  });
});
