import { describe, expect, it } from 'vitest';
import { measuredOf } from '../../src/replay/replayReport';
import { inspecting, lookedAt, validWith } from '../editor/contextPanel/support/inspecting';
import { estimate } from '../support/player';
import { edit, filler, prompt, read, recorded, said, type Move } from '../replay/support/recording';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { replayedTranscript, settingsOf } from '../replay/support/replayed';

/** A session whose files are read again after a pass has removed them. */
const MOVES: readonly Move[] = [
  prompt('Mend the limits'),
  ...Array.from({ length: 20 }, (_, n) => read(`f${n}.ts`, filler(`const limit${n} = 1;`, 600))),
  ...Array.from({ length: 4 }, (_, n) => read(`f${n}.ts`, filler(`const limit${n} = 1;`, 600))),
  prompt('And now f1.ts'),
  edit('f1.ts', 'const limit1 = 1;', 'const limit1 = 2;'),
  said('Done.'),
];

describe('the numbers of a recording', () => {
  it.each([
    ['with the usual cap on results', 8_000],
    ['with a cap of 300 tokens', 300],
  ])(
    'are the same in panel, timeline and on the command line, %s',
    async (_, toolResultCapTokens) => {
      const transcript = transcriptOf(recorded(...MOVES));
      const replayed = await replayedTranscript(transcript, {
        ...settingsOf('tokenBudget', 5_000),
        toolResultCapTokens,
      });
      const report = measuredOf(replayed);
      const { simulatedUsage, recordedUsage, recordedCharges } = replayed;
      const { inspection } = inspecting(
        () => ({
          ...lookedAt(replayed, validWith()),
          simulatedUsage,
          recordedUsage,
          recordedCharges,
        }),
        estimate,
      );
      const view = inspection.view();
      const { totals, points } = inspection.timeline();
      expect(points.length).toBe(report.requests);
      expect([view.passes.length, totals.passes]).toEqual([
        report.passes.length,
        report.passes.length,
      ]);
      expect([
        view.refaults.recalls + view.refaults.reads,
        view.neededAgain.length,
        totals.refaults,
      ]).toEqual([0, 0, 0].map(() => report.refaults));
      const ofPanel = view.passes.toReversed().map(({ before, after, price }) => ({
        before: before.tokens,
        after: after.tokens,
        cost: price?.cost.usd === undefined ? null : Number(price.cost.usd.toFixed(4)),
        saved: price?.saved.usd === undefined ? null : Number(price.saved.usd.toFixed(4)),
        cacheTokens: price?.cache.tokens,
        repaidSince: price?.repaidSince ?? null,
      }));
      expect(ofPanel).toEqual(
        report.passes.map(({ before, after, price }) => ({ before, after, ...price })),
      );
      expect(view.passes.every(({ price }) => price?.isSimulated === true)).toBe(true);
      expect(totals.cost).toBe(
        report.cost === null ? 'price unknown' : `≈ $${report.cost.toFixed(2)}`,
      );
      if (toolResultCapTokens === 8_000) expect(report.passes.length).toBeGreaterThan(1);
      if (toolResultCapTokens === 8_000) expect(report.refaults).toBeGreaterThan(0);
    },
  );
});
