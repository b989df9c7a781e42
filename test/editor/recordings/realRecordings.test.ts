import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordingHere } from '../../support/recordingHere';
import { Recordings } from '../../../src/editor/recordings/recordings';
import { inspecting, validWith } from '../contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';

const FOLDER = resolve(__dirname, '../../../../shared/transcripts');
const CODEX = join(FOLDER, 'codex/session-bridge/gpt54-294lines.jsonl');

if (!existsSync(CODEX)) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

describe.skipIf(!existsSync(CODEX))('a recording of a real session', () => {
  it("has its own window, and its first request has the API's count", async () => {
    const recordings = new Recordings(
      {
        access: {
          settings: { valid: validWith({ pinTaskAnchor: false }) },
          estimator: STAND_IN_ESTIMATOR,
        },
        report: { log: () => undefined },
      },
      () => undefined,
      recordingHere(STAND_IN_ESTIMATOR),
    );
    onTestFinished(() => recordings.dispose());
    expect(await recordings.open(CODEX, new AbortController().signal)).toBeUndefined();
    const { inspection } = inspecting(() => recordings.inspected!);
    await inspection.travelTo(1);
    const { balance, travel, windowSource } = inspection.view();
    expect([balance.contextWindowTokens, windowSource]).toEqual([258_400, 'from the recording']);
    expect(balance.categories.unrecorded).toBeGreaterThan(0);
    expect(balance.used.tokens).toBe(travel.recordedTokens);
  });
});
