import { describe, expect, it } from 'vitest';
import { withInputBudget, type Budget } from '../../../../src/contextWindow/budget';
import type { EventOf, NewEvent, SessionEvent } from '../../../../src/contextWindow/event';
import { dated, evicting, promptEvent, reply, usage } from '../../../support/drawing';
import { fails, says, scriptedAgent, steps } from '../../../support/scriptedAgent';
import { smallBudget } from '../../../support/smallBudget';
import { inspectionOf } from '../support/inspecting';

describe('travelling shows the budget of the step', () => {
  const small = smallBudget({ contextWindowTokens: 8_000 });
  const asked = (budget?: Budget): NewEvent => ({
    ...(reply('b', usage(0)) as EventOf<'replyReceived'>),
    ...(budget === undefined ? {} : { budget }),
  });
  const log = (...told: readonly NewEvent[]) => dated([promptEvent('a'), ...told]);
  const shownAt = async (events: readonly SessionEvent[], step: number | 'now') => {
    const inspection = inspectionOf(events);
    await inspection.travelTo(step);
    const { balance, travel, model, windowSource } = inspection.view();
    return { ...balance, travel, model, windowSource };
  };

  it('for a model with a smaller window, by its name, and after an overflow', async () => {
    const down = { attempt: 1, contextWindowTokens: 12_000, inputBudget: 7_000, message: 'long' };
    const events = log(
      { type: 'modelSet', model: 'small' },
      asked(small),
      { type: 'modelSet', model: 'large' },
      { type: 'budgetSteppedDown', ...down },
      asked(withInputBudget(smallBudget(), 7_000)),
      { type: 'modelSet', model: 'larger' },
    );
    expect(await shownAt(events, 1)).toMatchObject({
      inputBudget: 6_000,
      highTokens: 4_800,
      contextWindowTokens: 8_000,
      reserved: { reply: 1_000, safety: 500, toolResults: 500, steppedDown: 0 },
      model: 'small',
      windowSource: 'at this step',
    });
    expect(await shownAt(events, 2)).toMatchObject({
      inputBudget: 7_000,
      highTokens: 5_600,
      reserved: { steppedDown: 3_000 },
      model: 'large',
    });
    expect(await shownAt(events, 'now')).toMatchObject({
      inputBudget: 10_000,
      reserved: { steppedDown: 0 },
      windowSource: 'from a setting',
      travel: { at: 'now', first: 1, last: 2 },
    });
  });

  it('and the timeline shows the same at every step', async () => {
    const agent = scriptedAgent({
      script: [
        ...steps(3, 1_400).slice(0, -1),
        fails({ type: 'overflow', message: 'too long', limitTokens: 9_000 }),
        says('Done.'),
      ],
    });
    await agent.run('look');
    const { events } = agent.session;
    const { points } = inspectionOf(events).timeline();
    expect(points.map(({ budget }) => budget.inputBudget)).toEqual([10_000, 10_000, 10_000, 7_000]);
    for (const { step, budget } of points) {
      expect(await shownAt(events, step)).toMatchObject(budget);
    }
  });

  it('for an older log from the newest earlier pass, else the current budget, and says so', async () => {
    const pass = evicting('step-1') as Extract<NewEvent, { readonly type: 'passApplied' }>;
    const ran = { ...pass, pass: { ...pass.pass, budget: small } };
    const events = log(asked(), ran, asked());
    expect(await shownAt(events, 1)).toMatchObject({
      inputBudget: 10_000,
      travel: { at: 1, first: 1, last: 2, budgetOfToday: true },
      windowSource: 'from a setting',
    });
    const second = await shownAt(events, 2);
    expect(second).toMatchObject({ inputBudget: 6_000, contextWindowTokens: 8_000 });
    expect(second.travel).not.toHaveProperty('budgetOfToday');
  });
});
