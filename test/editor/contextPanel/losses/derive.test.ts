import { describe, expect, it } from 'vitest';
import { plannedComparison } from '../../../../src/editor/contextPanel/comparison/derive';
import { lostBlockViews } from '../../../../src/editor/contextPanel/losses/derive';
import { whatIfSettings } from '../../../../src/editor/contextPanel/whatIf/derive';
import { comparePolicies } from '../../../../src/replay/comparePolicies';
import { STAND_IN_ESTIMATOR } from '../../../support/standInEstimator';
import { GOING, recorded, recordingScene } from '../../recordings/support/recordingScene';
import { asked, call, fromTheStart, summed, usage } from '../../../replay/support/recordedLines';
import { jsonl } from '../../../recordings/support/drawnTranscript';

const read = ['Read', { file_path: '/app/src/parser.ts' }, 'return text.split(",");'] as const;

/** A compaction before step 2, and the file read again at step 2. */
const compacted = () => {
  fromTheStart();
  return jsonl(
    asked('Mend the parser.'),
    ...call('t1', read, { usage: usage(20_000) }),
    ...summed('The parser is half mended.'),
    asked('Go on.'),
    ...call('t2', read, { usage: usage(0, 5_000) }),
  );
};

async function opened(text: string) {
  const { recordings, inspection, file } = recordingScene(text);
  expect(await recordings.open(file, GOING)).toBeUndefined();
  return { recordings, inspection };
}

describe('the compactions of a recorded agent in the panel', () => {
  it('have their numbers and sentences at the present, and none before they ran', async () => {
    const { inspection } = await opened(compacted());
    expect(inspection.view().losses).toMatchObject({
      text: 'The recorded agent compacted once; 1 thing was needed again.',
      cards: [
        {
          number: 1,
          name: 'Compaction 1',
          beforeStep: 2,
          size: '20,000 → 5,000 tokens',
          blocks: 2,
          neededText: /^Needed again: 1 time, ≈ \d+ tokens\.$/,
          needed: [{ step: 2, text: /^Read again at step 2: \/app\/src\/parser\.ts \(≈ / }],
        },
      ].map(({ neededText, needed, ...rest }) => ({
        ...rest,
        neededText: expect.stringMatching(neededText) as string,
        needed: needed.map(({ step, text }) => ({
          step,
          text: expect.stringMatching(text) as string,
        })),
      })),
    });
    await inspection.travelTo(1);
    expect(inspection.view().losses).toBeUndefined();
  });

  it('name the removed blocks as the panel does, the largest first', async () => {
    const { recordings, inspection } = await opened(compacted());
    const blocks = lostBlockViews(recordings.inspected!, 1)!;
    expect(blocks.map(({ blockId }) => blockId)).toEqual(['prompt-1', 'step-1']);
    const rows = inspection.view().blocks;
    for (const { blockId, label } of blocks) {
      expect(rows.find(({ id }) => id === blockId)?.label).toBe(label);
    }
    expect(lostBlockViews(recordings.inspected!, 2)).toBeUndefined();
  });

  it('are compared with each policy: edits with their text, and what was still in the window', async () => {
    const { recordings } = await opened(compacted());
    const { inspected } = recordings;
    const wished = whatIfSettings(inspected!.inForce.settings.context, inspected!.policy);
    const result = plannedComparison(inspected!, wished);
    if (!result.ok) throw new Error(result.message);
    const { task, view } = result.planned;
    expect(task.needs).toEqual([expect.objectContaining({ step: 2, blockId: 'step-1' })]);
    const ports = { ...STAND_IN_ESTIMATOR, now: () => 0 };
    const compared = await comparePolicies(
      task,
      () => ports,
      () => undefined,
    );
    if (compared === 'stopped') throw new Error('No one stopped it.');
    const rows = view(compared).rows;
    const kept = (policy: string) => rows.find((row) => row.policy === policy);
    expect(kept('recorded')).toMatchObject({ keptOfLosses: { visible: 0, total: 1 } });
    expect(kept('ladder')).toMatchObject({
      keptOfLosses: { visible: 1, total: 1 },
      edits: { visible: 0, total: 0 },
    });
  });

  it('are absent for a recording without one', async () => {
    const { recordings, inspection } = await opened(recorded(3));
    expect(inspection.view().losses).toBeUndefined();
    expect(recordings.inspected?.losses).toEqual([]);
  });
});
