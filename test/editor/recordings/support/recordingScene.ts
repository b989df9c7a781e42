import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { recordingHere } from '../../../support/recordingHere';
import type { ReadTask } from '../../../../src/editor/recordings/recordingThread';
import { Recordings } from '../../../../src/editor/recordings/recordings';
import type { ValidSettings } from '../../../../src/settings/windowBudget';
import { inspecting, validWith } from '../../contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../../../support/standInEstimator';

export const MODEL = 'claude-sonnet-4-5';

export const GOING = new AbortController().signal;

/** A recording of Claude Code: a prompt, and this many reads of `chars` characters. */
export function recorded(steps: number, chars = 400, more: ReadMore = {}): string {
  const prompt = { type: 'user', message: { role: 'user', content: 'Mend the parser.' } };
  return asLines([
    prompt,
    ...Array.from({ length: steps }, (_, index) => readStep(index, chars, more)).flat(),
  ]);
}

/** One more read at the end of a recording; its first read is 0. */
export function oneMoreRead(index: number): string {
  return asLines(readStep(index, 400));
}

function asLines(records: readonly object[]): string {
  return records.map((one) => `${JSON.stringify(one)}\n`).join('');
}

interface ReadMore {
  /** The model of every reply; '' for none. */
  readonly model?: string;
  /** Input tokens that the API counted in the first request; each later one has a step more. */
  readonly counted?: number;
}

/** A call and its result, with a little thinking that the file does not contain. */
function stepTokens(chars: number): number {
  return Math.ceil(chars / 3) + 40;
}

/** A call that reads a file, and its result. */
function readStep(
  index: number,
  chars: number,
  { model = MODEL, counted = 100 }: ReadMore = {},
): readonly object[] {
  const id = `toolu_${index}`;
  return [
    {
      type: 'assistant',
      message: {
        id: `msg_${index}`,
        role: 'assistant',
        model,
        content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `f${index}.ts` } }],
        usage: { input_tokens: counted + index * stepTokens(chars), output_tokens: 5 },
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(chars) }],
      },
    },
  ];
}

/** Recordings of a file with that text, and their messages. */
export function recordingScene(text: string, inForce: ValidSettings = validWith()) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-recording-'));
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, text);
  const seen = { changed: 0, problems: [] as string[], tasks: [] as ReadTask[] };
  /** What the page showed, by policy and last step. */
  const shown: string[] = [];
  let passage = Promise.resolve();
  let open = (): void => undefined;
  /** Delays replays while it is closed. */
  const gate = {
    close: () => {
      passage = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
  const estimator = { ...STAND_IN_ESTIMATOR, warm: () => passage };
  const work = recordingHere(estimator);
  const recordings: Recordings = new Recordings(
    {
      access: { settings: { valid: inForce }, estimator },
      report: { log: (error) => seen.problems.push(String(error)) },
    },
    () => {
      seen.changed += 1;
      const { inspected } = recordings;
      if (inspected !== undefined) shown.push(`${inspected.policy} ${inspected.window.step}`);
    },
    {
      ...work,
      read: (task, signal) => {
        seen.tasks.push(task);
        return work.read(task, signal);
      },
    },
  );
  onTestFinished(() => {
    recordings.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const { inspection } = inspecting(() => recordings.inspected!);
  return { recordings, inspection, file, seen, gate, shown };
}
