import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelResult } from '../../src/agent/model';
import { measure } from '../../src/contextWindow/account/measure';
import { promptTokens } from '../../src/contextWindow/account/spending';
import { WindowHistory } from '../../src/contextWindow/history';
import { windowSentAt } from '../../src/editor/contextPanel/request/requestAt';
import { UNDERREPORTED } from '../../src/agent/fitWindow';
import { timelineOf } from '../support/timelineOf';
import { runs } from '../support/runs';
import { scriptedAgent, sizeOf, steps } from '../support/scriptedAgent';
import { smallBudget } from '../support/smallBudget';

const BUDGET = smallBudget();

/** What a server says of a request of so many tokens. */
type Report = (tokens: number) => number;

/** An agent whose server reports other numbers than it counts, in replies and in counts. */
function agentTold(report: Report, { steps: count, chars }: { steps: number; chars: number }) {
  const agent = scriptedAgent({
    script: steps(count, chars),
    count: (request) => ({ ok: true, tokens: report(sizeOf(request)) }),
  });
  const { model } = agent.deps;
  const lying: typeof model = {
    async *ask(...asked) {
      const asking = model.ask(...asked);
      for (let next = await asking.next(); ; next = await asking.next()) {
        if (next.done === true) return withReport(next.value, report);
        yield next.value;
      }
    },
  };
  Object.assign(agent.deps, { model: lying });
  return agent;
}

function withReport(result: ModelResult, report: Report): ModelResult {
  if (!result.ok) return result;
  const { usage } = result.reply;
  const reply = { ...result.reply, usage: { ...usage, inputTokens: report(usage.inputTokens) } };
  return { ...result, reply };
}

const warnings = ({ heard }: ReturnType<typeof agentTold>) =>
  heard.flatMap((event) =>
    (event.type === 'warning' || event.type === 'notice') && event.message.includes('estimate')
      ? [event.message]
      : [],
  );

it('marks every size as an estimate if the server has no count that agrees with its usage', async () => {
  const agent = scriptedAgent({
    script: steps(3, 300),
    count: () => ({ ok: false, message: 'It does not count.', isKnown: true }),
  });
  const { model } = agent.deps;
  const uncounted: typeof model = {
    async *ask(...asked) {
      const result = yield* model.ask(...asked);
      return result.ok ? { ...result, reply: { ...result.reply, isUncounted: true } } : result;
    },
  };
  Object.assign(agent.deps, { model: uncounted });
  await agent.run('look');
  const { events, window } = agent.session;
  // Nothing went wrong that the user would have to hear of.
  expect(events.filter(({ type }) => type === 'countFailed')).toEqual([]);
  const { points } = timelineOf(events, window);
  expect(points.map(({ input }) => input?.exact)).toEqual(points.map(() => false));
  const sent = windowSentAt(new WindowHistory(events), 1);
  expect(sent && measure(sent, agent.deps.estimator.estimate).used.exact).toBe(false);
  // The usage is the better estimate, so it is used.
  expect(window.baseline).toMatchObject({ source: 'usage', uncounted: true });
});

describe('a server that reports too few tokens', () => {
  it('does not let requests grow beyond the window, and the user hears of it once', async () => {
    const agent = agentTold(() => 10, { steps: 25, chars: 3_000 });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(Math.max(...agent.requests.map(sizeOf))).toBeLessThanOrEqual(BUDGET.inputBudget);
    expect(agent.session.window.ledger.length).toBeGreaterThan(0);
    expect(warnings(agent)).toEqual([UNDERREPORTED]);
    const { points } = timelineOf(agent.session.events, agent.session.window);
    expect(points.at(-1)?.input).toMatchObject({ exact: false });
    // The cost follows the report.
    expect(points.at(-1)?.usage.inputTokens).toBe(10);
  });

  it('never gets a request much larger than the window, whatever it reports', async () => {
    const report = fc.oneof(
      fc.integer({ min: 1, max: 3_000 }).map(
        (constant): Report =>
          () =>
            constant,
      ),
      fc.double({ min: 0.01, max: 1, noNaN: true }).map(
        (share): Report =>
          (tokens) =>
            Math.ceil(tokens * share),
      ),
      fc.integer({ min: 1, max: 9 }).map((honest): Report => {
        let asked = 0;
        return (tokens) => ((asked += 1) <= honest ? tokens : 10);
      }),
    );
    await fc.assert(
      fc.asyncProperty(report, fc.integer({ min: 1_500, max: 5_000 }), async (told, chars) => {
        const agent = agentTold(told, { steps: 25, chars });
        await agent.run('look');
        // A report of more than half is believed: then requests are at most twice as large.
        for (const request of agent.requests) {
          expect(sizeOf(request)).toBeLessThanOrEqual(2 * BUDGET.inputBudget);
        }
        expect(warnings(agent).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(3, 100) },
    );
  });

  it('does not get around the spending limits of a turn', async () => {
    const honest = agentTold((tokens) => tokens, { steps: 25, chars: 1_000 });
    const lying = agentTold(() => 10, { steps: 25, chars: 1_000 });
    for (const { deps } of [honest, lying]) {
      const settings = deps.settings();
      const costOf: typeof settings.costOf = ({ usage }) => promptTokens(usage) / 1_000_000;
      Object.assign(deps, { settings: () => ({ ...settings, caps: { usd: 0.02 }, costOf }) });
    }
    const [one, other] = [await honest.run('look'), await lying.run('look')];
    expect([one.type, other.type]).toEqual(['capReached', 'capReached']);
    const sent = (agent: typeof lying) =>
      agent.requests.reduce((sum, each) => sum + sizeOf(each), 0);
    expect(sent(lying)).toBeLessThanOrEqual(2 * sent(honest));
  });

  it('is not suspected if its numbers are true, or higher', async () => {
    for (const factor of [1, 1.8]) {
      const agent = agentTold((tokens) => Math.ceil(tokens * factor), { steps: 20, chars: 1_400 });
      expect(await agent.run('look')).toEqual({ type: 'finished' });
      expect(warnings(agent)).toEqual([]);
      expect(agent.session.events.some((event) => 'underreported' in event)).toBe(false);
    }
  });
});
