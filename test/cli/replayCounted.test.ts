import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filler } from '../replay/support/recording';
import { replayScene } from './support/replayScene';

/** The API's count for each reply, including system prompt, tools and thinking. */
const COUNTS = [20_000, 20_900, 21_800, 22_700];

/** A session of Claude Code whose requests were read from the cache except for the newest step. */
function session(minutes?: readonly number[]): string {
  const lines = COUNTS.flatMap((tokens, index) => {
    const before = COUNTS[index - 1] ?? 0;
    const id = `toolu_${index}`;
    const usage = {
      input_tokens: 0,
      cache_creation_input_tokens: tokens - before,
      cache_read_input_tokens: before,
      output_tokens: 100,
    };
    const content = [{ type: 'tool_use', id, name: 'Read', input: { file_path: `f${index}.ts` } }];
    const result = { type: 'tool_result', tool_use_id: id, content: filler(`text${index}`, 200) };
    return [
      {
        type: 'assistant',
        timestamp: timeOf(minutes?.[index]),
        message: { id: `m${index}`, role: 'assistant', model: 'claude-sonnet-4-5', content, usage },
      },
      { type: 'user', message: { role: 'user', content: [result] } },
    ];
  });
  const prompt = { type: 'user', message: { role: 'user', content: 'Mend the parser.' } };
  return [prompt, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const timeOf = (minute: number | undefined) =>
  minute === undefined ? undefined : new Date(Date.UTC(2026, 10, 24, 9, minute)).toISOString();

/** At list price: 22,700 tokens written, 62,700 read, 400 of output. */
const PAID = (22_700 * 3.75 + 62_700 * 0.3 + 400 * 15) / 1_000_000;

describe('plimsoll replay of a recording with the counts of its API', () => {
  it('measures the counted tokens at every step, as the Context panel does', async () => {
    const scene = replayScene();
    const file = scene.file('session.jsonl', session());
    const [ladder, recorded] = await scene.reportsOf(file, '--compare', 'ladder,recorded');
    for (const report of [ladder!, recorded!, ladder!.baseline]) {
      const sums = report.tiersOfSteps.map(
        ({ system, working, archive }) => system + working + archive,
      );
      expect(sums).toEqual(COUNTS);
    }
    expect(ladder).toMatchObject({ fileOnly: false, maxTokens: 22_700 });
  });

  it('measures the text of the file alone with --file-only', async () => {
    const scene = replayScene();
    const file = scene.file('session.jsonl', session());
    const [report] = await scene.reportsOf(file, '--file-only');
    expect(report).toMatchObject({ fileOnly: true });
    expect(report!.maxTokens).toBeLessThan(2_000);
  });

  it('prints two bills and names the payer of each', async () => {
    const scene = replayScene();
    const file = scene.file('session.jsonl', session());
    const [report] = await scene.reportsOf(file, '--policy', 'none');
    expect(report!.recordedBill).toEqual({
      replies: 4,
      withoutUsage: 0,
      inputTokens: 85_400,
      cacheReadShare: 0.7342,
      cost: Number(PAID.toFixed(4)),
    });
    // Nothing is evicted and the prefix stays the same: Plimsoll would have paid about as much.
    expect(report!.cost).toBeGreaterThan(PAID * 0.8);
    expect(report!.cost).toBeLessThan(PAID * 1.2);
    const { stdout } = await scene.run(file);
    expect(stdout.replace(/\s+/g, ' ')).toContain('cost: US dollars that Plimsoll would have paid');
    expect(stdout).toContain('Paid by the recorded agents, by the usage in the files:\n');
    expect(stdout).toContain(`${file}: $0.11, 73.4 % of the input read from the cache`);
  });

  it('prints no bill of an agent whose file has no usage', async () => {
    const scene = replayScene();
    const [report] = await scene.reportsOf(scene.recording());
    expect(report!.recordedBill).toBeNull();
    expect((await scene.run(scene.recording())).stdout).not.toContain('Paid by the recorded');
  });
});

describe('plimsoll replay of several sessions with times', () => {
  it('takes those of one folder for sessions of one project, whose pauses decide how long later ones are cached', async () => {
    const scene = replayScene();
    for (const name of ['here', 'there']) mkdirSync(join(scene.folder, name));
    const [paused, alsoPaused, last] = [
      [0, 10, 20, 30],
      [60, 70, 80, 90],
      [200, 201, 202, 203],
    ].map((minutes) => session(minutes));
    const before = [
      scene.file('here/1.jsonl', paused),
      scene.file('here/2.jsonl', alsoPaused),
    ] as const;
    const after = scene.file('here/3.jsonl', last);
    const elsewhere = scene.file('there/3.jsonl', last);
    const reports = await scene.reportsOf(...before, after, elsewhere, '--policy', 'ladder');
    const cost = (of: string) => reports.find(({ file }) => file === of)!.cost!;
    const [alone] = await scene.reportsOf(after, '--policy', 'ladder');
    expect(cost(elsewhere)).toBe(alone!.cost);
    // Written for an hour, at 2 instead of 1.25 times the price.
    expect(cost(after)).toBeGreaterThan(alone!.cost! * 1.2);
    const ignored = await scene.reportsOf(
      ...before,
      after,
      '--policy',
      'ladder',
      '--ignore-pauses',
    );
    expect(ignored.at(-1)!.cost).toBe(alone!.cost);
  });
});
