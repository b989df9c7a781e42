import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Estimator } from '../../../../src/agent/model';
import type { Inspected } from '../../../../src/editor/session/inspected';
import { recordingHere } from '../../../support/recordingHere';
import { Recordings } from '../../../../src/editor/recordings/recordings';
import { DEFAULT_SETTINGS } from '../../../../src/settings/settings';
import { budgetFor } from '../../../support/budgetFor';

const MODEL = 'claude-sonnet-4-5';

const ESTIMATOR: Estimator = {
  estimate: (text) => Math.ceil(text.length / 4),
  warm: () => Promise.resolve(),
  media: () => 0,
  learn: () => undefined,
};

/** A replayed recording of this many steps, as the panel sees it. */
export async function longRecording(steps: number): Promise<Inspected> {
  const valid = budgetFor(DEFAULT_SETTINGS);
  if (!valid.ok) throw new Error('The default settings do not fit together.');
  const recordings = new Recordings(
    {
      access: {
        settings: { valid: valid.valid },
        estimator: ESTIMATOR,
      },
      report: {
        log: (error) => {
          throw error;
        },
      },
    },
    () => undefined,
    recordingHere(ESTIMATOR),
  );
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-recording-'));
  try {
    const file = join(folder, 'session.jsonl');
    writeFileSync(file, linesOf(steps).join(''));
    const refusal = await recordings.open(file, new AbortController().signal);
    if (refusal !== undefined || recordings.inspected === undefined) throw new Error(refusal);
    return recordings.inspected;
  } finally {
    recordings.dispose();
    rmSync(folder, { recursive: true });
  }
}

/** Reads of 6,000 characters each, with the other agent's own compaction half-way. */
function linesOf(steps: number): readonly string[] {
  const lines: object[] = [
    { type: 'user', message: { role: 'user', content: 'Mend the parser.' } },
  ];
  for (let step = 1; step <= steps; step += 1) {
    const id = `toolu_${step}`;
    // The other agent's API counts since its own compaction: one read per step.
    const since = step > Math.floor(steps / 2) ? Math.floor(steps / 2) : 0;
    const counted = 1_500 * (step - since);
    const input = { file_path: `src/part${step}.ts` };
    lines.push(
      {
        type: 'assistant',
        message: {
          id: `msg_${step}`,
          role: 'assistant',
          model: MODEL,
          content: [{ type: 'tool_use', id, name: 'Read', input }],
          usage: { input_tokens: 40, cache_read_input_tokens: counted, output_tokens: 30 },
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(6_000) }],
        },
      },
    );
    if (step === Math.floor(steps / 2)) {
      lines.push(
        { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
        {
          type: 'user',
          isCompactSummary: true,
          message: { role: 'user', content: 'The parser is half mended.' },
        },
      );
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}
