import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/contextWindow/event';
import type { TimelineView } from '../../../src/editor/contextPanel/timeline/state';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { dated, promptEvent } from '../../support/drawing';
import { actions, playSmall } from '../../support/randomSession';
import { estimate } from '../../support/player';
import { scriptedAgent, steps } from '../../support/scriptedAgent';
import { inspecting, inspectionOf, lookedAt } from './support/inspecting';
import { panel, DRAWN } from './support/travelledPanel';
import { runs } from '../../support/runs';

describe('the inspection', () => {
  it('returns every decision of a pass, kept blocks included, from any moment', async () => {
    const { inspection } = panel(DRAWN);
    await inspection.travelTo(1);
    expect(inspection.decisions(1)?.map(({ blockId, action }) => [blockId, action])).toEqual([
      ['step-1', 'evict'],
    ]);
    expect(inspection.decisions(2)).toBeUndefined();
  });
});

describe('the timeline of a session', () => {
  const fresh = (events: readonly SessionEvent[]): TimelineView => inspectionOf(events).timeline();

  it(
    'is the same while the session grows and after it is replaced',
    { timeout: runs(120_000, 3_600_000) },
    () => {
      fc.assert(
        fc.property(
          actions,
          actions,
          fc.array(fc.nat(200), { maxLength: 4 }),
          (script, other, cuts) => {
            const { events } = playSmall(script, 'ladder', POLICY_SETTINGS);
            const next = playSmall(other, 'ladder', POLICY_SETTINGS).events;
            const { inspection, show } = panel([]);
            expect(inspection.timeline()).toEqual(fresh([]));
            for (const cut of [...cuts.toSorted((a, b) => a - b), events.length]) {
              const grown = events.slice(0, cut);
              show(grown);
              expect(inspection.timeline()).toEqual(fresh(grown));
            }
            // Another session that begins with the very same event.
            const forked = [events[0]!, ...next.slice(1)];
            for (const replaced of [forked, next, events, []]) {
              show(replaced);
              expect(inspection.timeline()).toEqual(fresh(replaced));
            }
          },
        ),
        { numRuns: runs(10, 200), seed: 20_261_122 },
      );
    },
  );

  it('is derived from a list that grows in place', () => {
    const events: SessionEvent[] = [...dated([promptEvent('a')])];
    const { inspection, show } = panel(events);
    inspection.timeline();
    events.push(...DRAWN.slice(1));
    show(events);
    expect(inspection.timeline()).toEqual(fresh(events));
  });
});

describe('the next pass', () => {
  it('is one plan in the card and in the preview, also once more texts are counted', async () => {
    const agent = scriptedAgent({ script: steps(6, 3_000) });
    await agent.run('Look at every file.');
    const inspected = lookedAt(agent.session);
    let counted = 0;
    // Placeholders and summaries are no texts of the window: they are guessed until counted.
    const { inspection } = inspecting(
      () => inspected,
      (text) => {
        const isOfPlan = text.startsWith('[Result cleared') || text.startsWith('<summary');
        return estimate(text) + (isOfPlan ? counted : 0);
      },
    );
    const cardOf = () => {
      const { next } = inspection.view();
      return next.type === 'planned' ? next.afterTokens : undefined;
    };
    const first = cardOf();
    counted = 30;
    const preview = await inspection.preview();
    expect(preview!.after.tokens).not.toBe(first);
    expect(cardOf()).toBe(preview!.after.tokens);
  });
});
