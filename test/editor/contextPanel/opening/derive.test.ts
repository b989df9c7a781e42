import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openingView } from '../../../../src/editor/contextPanel/opening/derive';
import type { OpeningView } from '../../../../src/editor/contextPanel/opening/state';
import { Recordings } from '../../../../src/editor/recordings/recordings';
import { recordingHere } from '../../../support/recordingHere';
import { STAND_IN_ESTIMATOR } from '../../../support/standInEstimator';
import { GOING, recorded, recordingScene } from '../../recordings/support/recordingScene';
import { inspecting, validWith } from '../support/inspecting';

const FOLDER = resolve(__dirname, '../../../../../shared/transcripts');

/** The shortest recordings of each agent, since each is replayed. */
const REAL = existsSync(FOLDER)
  ? ['claude-code', 'claude-code-2', 'codex', 'pi', 'opencode', 'gemini-cli'].flatMap((agent) =>
      readdirSync(join(FOLDER, agent), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.jsonl?$/.test(name))
        .toSorted()
        .slice(0, 1)
        .map((name) => join(agent, name)),
    )
  : [];

if (REAL.length === 0) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

type Opened = Omit<OpeningView, 'share'>;

/** What is shown before the replay, and the same by the panel at its end. */
async function beforeAndAfter(recordings: Recordings, file: string) {
  let before: Opened | undefined;
  const read = (transcript: Parameters<typeof openingView>[1]): void => {
    before = openingView(file, transcript, 'demo');
  };
  const refusal = await recordings.open(file, GOING, () => undefined, read);
  expect(refusal).toBeUndefined();
  const inspected = recordings.inspected!;
  const { inspection } = inspecting(() => inspected);
  const { blocks, step, source, model } = inspection.view();
  const { totals, points } = inspection.timeline();
  const blockOf = (id: string) => blocks.find((block) => block.id === id)!;
  if (source.type !== 'recording' || before === undefined) throw new Error('It is not replayed.');
  const tokens = points.at(-1)?.recordedTokens;
  const after: Opened = {
    file: source.file,
    format: source.format,
    model: model!,
    steps: step,
    compactions: inspected.compactions?.length ?? 0,
    ...(tokens === undefined ? {} : { recordedTokens: tokens }),
    cost: totals.recordedBill?.cost ?? before.cost,
    task: blockOf('prompt-1').label,
    newest: before.newest.map(({ step: at }) => {
      const { label, tools, callKinds, callStates } = blockOf(`step-${at}`);
      return { step: at, label, tools, callKinds, ...(callStates && { callStates }) };
    }),
  };
  return { before, after };
}

describe('a recording that is still replayed', () => {
  it('is described as it is at the end of the replay', async () => {
    const { recordings, file } = recordingScene(recorded(20));
    const { before, after } = await beforeAndAfter(recordings, file);
    expect(before).toEqual(after);
    expect(before).toMatchObject({ steps: 20, compactions: 0, task: 'Task: Mend the parser.' });
    expect(before.newest.map(({ step }) => step)).toEqual([20, 19, 18, 17, 16, 15, 14, 13]);
    expect(before.newest[0]?.label).toContain('f19.ts');
  });

  it('is described before any of it is replayed', async () => {
    const { recordings, file, gate } = recordingScene(recorded(3));
    gate.close();
    const described = new Promise<number>((resolve) => {
      void recordings.open(file, GOING, undefined, ({ entries }) => resolve(entries.length));
    });
    expect(await described).toBeGreaterThan(3);
    expect(recordings.inspected).toBeUndefined();
    gate.open();
  });

  it.skipIf(REAL.length === 0).each(REAL)('is described as at the end: %s', async (name) => {
    const recordings = new Recordings(
      {
        access: { settings: { valid: validWith() }, estimator: STAND_IN_ESTIMATOR },
        report: { log: () => undefined },
      },
      () => undefined,
      recordingHere(STAND_IN_ESTIMATOR),
    );
    onTestFinished(() => recordings.dispose());
    const { before, after } = await beforeAndAfter(recordings, join(FOLDER, name));
    expect(before).toEqual(after);
  });
});
