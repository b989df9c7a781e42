import { describe, expect, it } from 'vitest';
import { capNotice } from '../../../../src/editor/contextPanel/bar/derive';
import { drawnEvents, dated } from '../../../support/drawing';
import { fold } from '../../../../src/contextWindow/fold';
import { inspecting, lookedAt, validWith } from '../support/inspecting';

const NOTICE =
  'This model has a large window: a pass begins above 200,000 tokens and stops at 120,000 tokens, ' +
  'not at 80\u00a0% and 50\u00a0% of the input budget.';

describe('the notice of a capped watermark', () => {
  it.each([
    [{}, NOTICE],
    [{ highWatermark: 0.8, lowWatermark: 0.5 }, undefined],
    [{ windowTokens: 200_000 }, undefined],
    [
      { highWatermark: 0.8 },
      'This model has a large window: a pass stops at 120,000 tokens, not at 50\u00a0% of the ' +
        'input budget.',
    ],
    [
      { lowWatermark: 0.1 },
      'This model has a large window: a pass begins above 200,000 tokens, not at 80\u00a0% of the ' +
        'input budget.',
    ],
  ])('names the watermarks that the cap lowers: %j', (context, notice) => {
    expect(capNotice(validWith(context))).toBe(notice);
  });

  it('is shown for the present, and for no past step', async () => {
    const events = dated(drawnEvents(['1 anchor task 30', '1 step a.ts 40'].join('\n')));
    const window = fold(events);
    const { inspection } = inspecting(() => lookedAt({ events, window }, validWith()));
    expect(inspection.view().capNotice).toBe(NOTICE);
    await inspection.travelTo(1);
    expect(inspection.view().travel.at).toBe(1);
    expect(inspection.view().capNotice).toBeUndefined();
  });
});
