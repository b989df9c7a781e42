import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bench, describe } from 'vitest';
import { openingView } from '../../src/editor/contextPanel/opening/derive';
import type { OpeningView } from '../../src/editor/contextPanel/opening/state';
import { recordingIn } from '../../src/editor/recordings/recordingFile';
import { replayRecording } from '../../src/editor/recordings/recordingReplay';
import { recordingSettings, replaySettings } from '../../src/editor/recordings/recordingSettings';
import { validWith } from '../editor/contextPanel/support/inspecting';
import { builtWorkers, panelOnThread } from '../editor/recordings/support/panelOnThread';
import { oneMoreRead, recorded } from '../editor/recordings/support/recordingScene';
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

/** 4,000 steps in which the recorded agent never compacted: the most that one window can hold. */
const STEPS = 4_000;

async function open(text: string): Promise<void> {
  const found = recordingIn(text, 'bench.jsonl', true);
  if (!found.ok) throw new Error(found.message);
  const { transcript } = found.read;
  const settings = recordingSettings(validWith(), transcript);
  if (!settings.ok) throw new Error(settings.message);
  const task = {
    transcript,
    settings: replaySettings(settings.inForce, settings.policy),
  };
  await replayRecording(task, () => STAND_IN_ESTIMATOR, {
    progressed: () => undefined,
    replayed: () => undefined,
  });
  await sleep(0);
}

const [four, twenty] = existsSync(FOLDER) ? [assembled(4 * MB), assembled(20 * MB)] : ['', ''];
const many = recorded(STEPS);

describe.skipIf(!existsSync(FOLDER))('reading and replaying a recording, tokenizer apart', () => {
  bench('4 MB', () => open(four), FEW);
  bench('20 MB: at most about five times as long', () => open(twenty), FEW);
  bench(`${STEPS} steps`, () => open(many), FEW);
});

const built = await builtWorkers();
process.on('exit', () => built.remove());

/** Writes a recording and returns its path. */
function stored(text: string, name = 'bench.jsonl'): string {
  const file = join(built.folder, name);
  writeFileSync(file, text);
  return file;
}

/** Opens a recording only until the panel shows what its file says. */
async function showFile(text: string): Promise<void> {
  const [file, panel, stop] = [stored(text), panelOnThread(built), new AbortController()];
  let shown: OpeningView | undefined;
  await panel.recordings.open(file, stop.signal, undefined, (transcript) => {
    shown = { ...openingView(file, transcript, ''), share: 0 };
    stop.abort();
  });
  if (shown === undefined) throw new Error('The file was not shown.');
  await panel.dispose();
}

/** Opens a recording as the panel does, with a tokenizer that must be loaded first. */
async function openInPanel(text: string): Promise<void> {
  const [file, panel] = [stored(text), panelOnThread(built)];
  const refusal = await panel.recordings.open(file, new AbortController().signal);
  if (refusal !== undefined) throw new Error(refusal);
  panel.inspection.view();
  panel.inspection.timeline();
  await panel.dispose();
}

describe.skipIf(!existsSync(FOLDER))('opening a recording in the panel, tokenizer included', () => {
  const sizes: Readonly<Record<string, string>> = {
    '4 MB (goal on a quiet machine: 2 s)': four,
    '20 MB (goal: 8 s)': twenty,
    [`${STEPS} steps (goal: 3 s)`]: many,
  };
  for (const [title, text] of Object.entries(sizes)) {
    bench(`${title}: what its file says`, () => showFile(text), FEW);
    bench(`${title}: the whole panel`, () => openInPanel(text), FEW);
  }
});

/** Follows a recording of so many steps in the panel; each call lets it grow by one and waits for it. */
function following(steps: number): () => Promise<void> {
  const [file, panel] = [stored(recorded(steps), `${steps}.jsonl`), panelOnThread(built)];
  let shown = 0;
  return async () => {
    if (shown === 0) {
      const refusal = await panel.recordings.open(file, new AbortController().signal);
      if (refusal !== undefined) throw new Error(refusal);
      panel.recordings.follow(true);
      shown = steps;
      process.on('exit', () => void panel.dispose());
    }
    appendFileSync(file, oneMoreRead(shown));
    shown += 1;
    while (panel.inspection.view().travel.last < shown) await sleep(5);
  };
}

describe('from one more step in the file of a followed session to its view', () => {
  const one = { ...FEW, iterations: 5, warmupIterations: 1 };
  for (const steps of [40, 400, STEPS]) bench(`after ${steps} steps`, following(steps), one);
});
