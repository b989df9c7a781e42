import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeLabels, type LabelWish } from '../../../../webview/contextPanel/bar/windowBar';

const lefts = (labels: readonly LabelWish[], length = 1_000, gap = 10) =>
  placeLabels(labels, length, gap).map(({ left }) => left);

describe('labels under the bar', () => {
  it('are centred on their lines if there is room', () => {
    const far = [200, 500, 800].map((centre) => ({ centre, width: 60 }));
    expect(lefts(far)).toEqual([170, 470, 770]);
  });

  it('move apart evenly if two lines are close', () => {
    const close = [500, 510].map((centre) => ({ centre, width: 60 }));
    expect(lefts(close)).toEqual([440, 510]);
  });

  it('do not move at exactly the gap', () => {
    const touching = [500, 570].map((centre) => ({ centre, width: 60 }));
    expect(lefts(touching)).toEqual([470, 540]);
  });

  it('stay on the bar at its ends', () => {
    const ends = [0, 1_000].map((centre) => ({ centre, width: 60 }));
    expect(lefts(ends)).toEqual([0, 940]);
  });

  it('push others away from the end', () => {
    const crowded = [980, 990, 1_000].map((centre) => ({ centre, width: 60 }));
    expect(lefts(crowded)).toEqual([800, 870, 940]);
  });

  it('get a row each if one row is too short', () => {
    const wide = [20, 50, 80].map((centre) => ({ centre, width: 60 }));
    expect(placeLabels(wide, 100, 10)).toEqual([
      { left: 0, row: 0 },
      { left: 20, row: 1 },
      { left: 40, row: 2 },
    ]);
  });

  it('never overlap, never leave the bar, never change their order', () => {
    const label = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), width: fc.nat(120) });
    const property = fc.property(
      fc.array(label, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 150, max: 2_000 }),
      (labels, length) => {
        const wishes = labels
          .map(({ at, width }) => ({ centre: at * length, width }))
          .toSorted((a, b) => a.centre - b.centre);
        const placed = placeLabels(wishes, length, 8);
        for (const [index, { left, row }] of placed.entries()) {
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left + wishes[index]!.width).toBeLessThanOrEqual(length + 1e-6);
          const next = placed[index + 1];
          if (next === undefined || next.row !== row) continue;
          expect(left + wishes[index]!.width + 8).toBeLessThanOrEqual(next.left + 1e-6);
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});
