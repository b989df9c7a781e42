import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bench, describe } from 'vitest';
import { recordingIn } from '../../src/editor/recordings/recordingFile';
import { replayRecording } from '../../src/editor/recordings/recordingReplay';
import { recordingSettings } from '../../src/editor/recordings/recordingSettings';
import { validWith } from '../editor/contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../support/standInEstimator';

const FOLDER = resolve(__dirname, '../../../shared/transcripts/claude-code-2');
const MB = 1_000_000;

/** Each measurement takes seconds. */
const FEW = { time: 0, iterations: 2, warmupIterations: 0, warmupTime: 0 };

/** Lines of real recordings up to a size; each repetition has ids of its own. */
function assembled(size: number): string {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted();
  const lines: string[] = [];
  let length = 0;
  for (let round = 0; length < size; round += 1) {
    for (const file of files) {
      const text = readFileSync(join(FOLDER, file), 'utf8')
        .replace(/(msg|toolu)_/g, `$1_${round}_`)
        .replace(/("(?:uuid|parentUuid)":")/g, `$1${round}-`);
      for (const line of text.split('\n')) {
        if (length >= size) break;
        lines.push(line);
        length += line.length + 1;
      }
    }
  }
  return lines.join('\n');
}

async function open(text: string): Promise<void> {
  const found = recordingIn(text, 'bench.jsonl', true);
  if (!found.ok) throw new Error(found.message);
  const { transcript } = found.read;
  const settings = recordingSettings(validWith(), transcript);
  if (!settings.ok) throw new Error(settings.message);
  const { signal } = new AbortController();
  await replayRecording(transcript, 'bench', settings, STAND_IN_ESTIMATOR, signal);
  await sleep(0);
}

describe.skipIf(!existsSync(FOLDER))('reading and replaying a recording, tokenizer apart', () => {
  const [four, twenty] = existsSync(FOLDER) ? [assembled(4 * MB), assembled(20 * MB)] : ['', ''];
  bench('4 MB', () => open(four), FEW);
  bench('20 MB: at most about five times as long', () => open(twenty), FEW);
});
