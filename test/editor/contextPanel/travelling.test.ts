import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/contextWindow/fold';
import { labelOf } from '../../../src/contextWindow/label';
import { textsOf } from '../../../src/contextWindow/account/measure';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { countDots, dated, promptEvent, usage } from '../../support/drawing';
import { actions, playSmall } from '../../support/randomSession';
import { inspecting, inspectionOf } from './support/inspecting';
import { by, MILLION, SONNET } from './support/timelineScene';
import { panel, DRAWN, prefixBefore, inspectedFrom } from './support/travelledPanel';
import { runs } from '../../support/runs';

describe('travelling', () => {
  it('refuses an unknown step, and stays at the current one', async () => {
    const { inspection } = panel(DRAWN);
    await inspection.travelTo(2);
    expect(await inspection.travelTo(9)).toBe('There is no step 9 in this session.');
    expect(inspection.view().travel).toMatchObject({ at: 2, first: 1, last: 3 });
  });

  it('ends at the target of the newest wish, whichever is ready first', async () => {
    const { inspection } = panel(DRAWN);
    const there = inspection.travelTo(2);
    await Promise.all([there, inspection.travelTo('now')]);
    expect(inspection.view().travel.at).toBe('now');
  });

  it('redraws the rows only if they may have changed', async () => {
    const { inspection } = panel(DRAWN);
    const { blocks, revision } = inspection.view();
    expect(inspection.view().blocks).toBe(blocks);
    expect(inspection.view().revision).toBe(revision);
    await inspection.travelTo(2);
    expect(inspection.view().blocks).not.toBe(blocks);
    expect(inspection.view().revision).not.toBe(revision);
  });

  it('also shows at a past step that the session continued: the next request has changed', async () => {
    const { inspection, show } = panel(prefixBefore(DRAWN, 3));
    await inspection.travelTo(1);
    const { revision } = inspection.view();
    show(DRAWN);
    expect(inspection.view().travel.at).toBe(1);
    expect(inspection.view().revision).not.toBe(revision);
  });

  it('shows the blocks of the step, why nothing can be changed, and the next pass', async () => {
    const { inspection, warmed } = panel(DRAWN);
    expect(inspection.view().blocks.map(({ state }) => state)).toContain('evicted');
    expect(await inspection.travelTo(2)).toBeUndefined();
    expect(warmed).toEqual(textsOf(fold(prefixBefore(DRAWN, 2))));
    const view = inspection.view();
    expect(view.blocks.map(({ id, state }) => [id, state])).toEqual([
      ['prompt-1', 'whole'],
      ['step-1', 'whole'],
    ]);
    expect(view.whyReadOnly).toBe('Step 2 is past: go back to now to change the window.');
    expect(inspection.whyReadOnly).toBe(view.whyReadOnly);
    expect([view.passes, view.review]).toEqual([[], undefined]);
    expect(view.next).toMatchObject({ type: 'ran', passes: [1], blocks: 1 });
    expect(view.blocks.map(({ leavesNext, tookNext }) => [leavesNext, tookNext])).toEqual([
      [undefined, undefined],
      [undefined, 'evict'],
    ]);
    await inspection.travelTo('now');
    expect(inspection.whyReadOnly).toBeUndefined();
    expect(inspection.view().whyReadOnly).toBeUndefined();
  });

  it('shows the cost until a past step: that of the session if it had ended there', async () => {
    const paid = dated([
      promptEvent('a'),
      ...[MILLION, usage(200_000, { cacheReadTokens: 800_000 }), MILLION].map((used) =>
        by(SONNET, used),
      ),
    ]);
    const { inspection } = panel(paid);
    const whole = inspection.timeline().totals.cost;
    expect(inspection.view().billThen).toBeUndefined();
    for (const step of [1, 2, 3]) {
      await inspection.travelTo(step);
      const ended = panel(paid.slice(0, step + 1)).inspection.timeline().totals;
      const { cost, cacheReadShare } = inspection.view().billThen!;
      expect([cost, cacheReadShare]).toEqual([ended.cost, ended.cacheReadShare]);
      expect(cost === whole).toBe(step === 3);
    }
    expect(inspection.timeline().totals.cost).toBe(whole);
  });

  it('invents no plan if no pass followed the step, nor for a policy that only replays use', async () => {
    const { inspection } = panel(DRAWN);
    expect(inspection.view().next.type).toBe('planned');
    await inspection.travelTo(1);
    expect(inspection.view().next).toEqual({
      type: 'notWorkedOut',
      message: 'No pass ran right after this step, so it is unknown what one would have removed.',
    });
    const replayed = { ...inspectedFrom(DRAWN), policy: 'clairvoyant' as const };
    expect(inspecting(() => replayed, countDots).inspection.view().next).toEqual({
      type: 'notWorkedOut',
      message: 'The policy clairvoyant exists only in replays. It plans nothing ahead.',
    });
  });

  it('shows the fold of all earlier events at every step of a random session', async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.infiniteStream(fc.nat()), async (script, order) => {
        const { events } = playSmall(script, 'ladder', POLICY_SETTINGS);
        const inspection = inspectionOf(events);
        const numbers = events.flatMap((event) =>
          event.type === 'replyReceived' ? [event.step] : [],
        );
        for (let left = Math.min(numbers.length, 4); left > 0; left -= 1) {
          const step = numbers[Number(order.next().value) % numbers.length]!;
          expect(await inspection.travelTo(step)).toBeUndefined();
          const window = fold(prefixBefore(events, step));
          const { blocks, step: shown, passes, travel } = inspection.view();
          expect(blocks.map(({ id, label, pinned }) => [id, label, pinned])).toEqual(
            window.blocks.map((block) => [block.id, labelOf(block), block.pinned]),
          );
          expect([shown, passes.length, travel.at]).toEqual([
            window.step,
            window.ledger.length,
            step,
          ]);
        }
      }),
      { numRuns: runs(8, 200), seed: 20_261_122 },
    );
  });

  it('stays at its step while the session grows', async () => {
    const { inspection, show } = panel(DRAWN.slice(0, -4));
    await inspection.travelTo(2);
    show(DRAWN);
    expect(inspection.view().travel).toMatchObject({ at: 2, first: 1, last: 3 });
  });

  it('returns to the present when another session is shown, even if that has the step', async () => {
    const { inspection, show } = panel(DRAWN, 'one');
    await inspection.travelTo(2);
    show(DRAWN, 'other');
    expect(inspection.whyReadOnly).toBeUndefined();
    expect(inspection.window.step).toBe(3);
    expect(inspection.view().travel.at).toBe('now');
  });

  it('returns to the present if the step no longer exists', async () => {
    const { inspection, show } = panel(DRAWN);
    await inspection.travelTo(3);
    show(prefixBefore(DRAWN, 3));
    expect([inspection.view().travel.at, inspection.whyReadOnly]).toEqual(['now', undefined]);
  });

  it('returns to the present on request', async () => {
    const { inspection } = panel(DRAWN);
    await inspection.travelTo(2);
    inspection.leave();
    expect(inspection.view().travel.at).toBe('now');
  });

  it('is impossible before the first prompt', async () => {
    const { inspection } = panel([]);
    expect(inspection.view().travel).toEqual({ at: 'now', first: 0, last: 0 });
    expect(await inspection.travelTo(1)).toBe('There is no step 1 in this session.');
  });

  it('allows no change of a recording, at any moment', async () => {
    const session = inspectedFrom(DRAWN);
    const source = {
      type: 'recording',
      file: 'x.jsonl',
      format: 'claudeCode',
      following: false,
      notes: [],
    } as const;
    const { inspection } = inspecting(() => ({ ...session, source }), countDots);
    expect(inspection.whyReadOnly).toBe('A recording of another agent is read only.');
    await inspection.travelTo(2);
    expect(inspection.whyReadOnly).toBe('A recording of another agent is read only.');
    expect(inspection.requestAt(2)!.notes).toEqual([
      'The request Plimsoll would have sent, reconstructed: the recording does not hold the request itself.',
    ]);
  });
});
