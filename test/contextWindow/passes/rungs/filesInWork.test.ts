import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../../src/contextWindow/block';
import { withChoice } from '../../../../src/contextWindow/files/fileChoices';
import type { KnownFile } from '../../../../src/contextWindow/files/knownFile';
import { byWish, regionsOf } from '../../../../src/contextWindow/files/regions';
import { regionsInWork } from '../../../../src/contextWindow/passes/rungs/need';
import { EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import { PersistentMap } from '../../../../src/contextWindow/persistentMap';
import { draw } from '../../../support/drawing';
import { runs } from '../../../support/runs';

const NOW = 60;
/** The prompt names this file. */
const NAMED = 'src/file3.ts';
const age = fc.integer({ min: 0, max: NOW });

/** A file of which some lines are known; ages are as random as sizes. */
const someFile = fc.record({
  readAt: age,
  editedAt: age,
  lines: fc.array(fc.record({ seen: age, edited: age }), { maxLength: 60 }),
  choice: fc.constantFrom('auto', 'auto', 'auto', 'always', 'never'),
});

describe('regions of files in work', () => {
  it('are in the same order as if all files were cut and sorted', () => {
    fc.assert(
      fc.property(fc.array(someFile, { minLength: 1, maxLength: 50 }), (some) => {
        const known = some.map(({ readAt, editedAt, lines }, index): KnownFile => ({
          path: `src/file${index}.ts`,
          readAt,
          editedAt,
          runs:
            lines.length === 0
              ? []
              : [
                  {
                    first: 1,
                    lines: lines.map(({ seen, edited }, at) => ({
                      text: `line ${at}`,
                      seen: { step: seen, use: 'toolu_1' as ToolUseId, in: 'result' },
                      // No line was edited later than its file.
                      edited: Math.min(edited, editedAt),
                    })),
                  },
                ],
        }));
        const fileChoices = some.reduce(
          (choices, { choice }, index) =>
            choice === 'auto'
              ? choices
              : withChoice(choices, { path: `src/file${index}.ts`, choice }),
          EMPTY_WINDOW.fileChoices,
        );
        const window = { ...draw(`1 anchor ${NAMED} 1`), step: NOW, fileChoices };
        const files = PersistentMap.of(known.map((file) => [file.path, file]));
        const all = known
          .flatMap((file) => regionsOf(file, NOW, file.path === NAMED, fileChoices))
          .toSorted(byWish);
        expect([...regionsInWork(window, files)]).toEqual(all);
      }),
      { numRuns: runs(50, 2_000) },
    );
  });

  it('are best first even if you marked more files than are cut together', () => {
    const known = Array.from({ length: 40 }, (_, index): KnownFile => {
      const seen = { step: 1 + index, use: 'toolu_1' as ToolUseId, in: 'result' } as const;
      const lines = [{ text: 'line', seen, edited: 0 }];
      return {
        path: `src/file${index}.ts`,
        readAt: index,
        editedAt: 0,
        runs: [{ first: 1, lines }],
      };
    });
    const fileChoices = known.reduce(
      (choices, { path }) => withChoice(choices, { path, choice: 'always' }),
      EMPTY_WINDOW.fileChoices,
    );
    const window = { ...draw('1 anchor 1'), step: NOW, fileChoices };
    const files = PersistentMap.of(known.map((file) => [file.path, file]));
    const found = [...regionsInWork(window, files)].map(({ path }) => path);
    expect(found).toEqual(known.map(({ path }) => path).toReversed());
  });
});
