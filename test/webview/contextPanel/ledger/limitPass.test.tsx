import { PassPricing } from '../../../../src/contextWindow/account/passPrice';
import { timelineOf } from '../../../support/timelineOf';
import { costOfCharge } from '../../../../src/model/pricing';
import { describe, expect, it } from 'vitest';
import type { PassView } from '../../../../src/editor/contextPanel/ledger/state';
import { passViews } from '../../../../src/editor/contextPanel/ledger/derive';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { says, scriptedAgent } from '../../../support/scriptedAgent';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

describe('the card of a pass for a limit', () => {
  it('names the limit as the cause, with the fill of the window and the price', async () => {
    const agent = scriptedAgent({
      script: Array.from({ length: 5 }, () => says(`Done. ${'word '.repeat(60)}`)),
      settings: { policy: { ...POLICY_SETTINGS, maxHistoryTurns: 4, summaries: false } },
    });
    for (const number of [1, 2, 3, 4, 5]) await agent.run(`prompt ${number}`);
    const by = { offline: false, model: 'claude-haiku-4-5' } as const;
    const { events, window } = agent.session;
    const prices = new PassPricing({ costOf: costOfCharge }).of(timelineOf(events, window));
    const passes = passViews(agent.session.window, () => ({ by }), prices.of);
    expect(passes).toHaveLength(1);
    const [pass] = passes as [PassView];
    const card = drawPanel(sampleContext({ passes, neededAgain: [] })).one('pass-card');

    expect(pass.trigger).toBe('cap');
    // The window had room, as the sentence claims.
    expect(pass.before.tokens).toBeLessThan(pass.highTokens);
    const share = Math.round((pass.before.tokens / pass.inputBudget) * 100);
    expect(share).toBeLessThan(50);
    expect(card.querySelector('.why')?.textContent).toBe(
      `turn or message limit reached: ${share}\u00a0% of the input budget was in use · policy ladder`,
    );
    expect(card.querySelector('.price')?.textContent).toMatch(/^Cost: /);
  });
});
