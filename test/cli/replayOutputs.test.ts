import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import { prompt, read, recorded, said } from '../replay/support/recording';
import { linesOf, replayScene, SMALL } from './support/replayScene';

let scene: ReturnType<typeof replayScene>;

beforeEach(() => {
  scene = replayScene();
});

describe('plimsoll replay --requests, --ledger', () => {
  it('write each request as it would have been sent, valid for the API', async () => {
    const requests = join(scene.folder, 'requests.jsonl');
    await scene.reportsOf(scene.recording(), ...SMALL, '--requests', requests);
    const bodies = linesOf<Record<string, unknown>>(requests);
    expect(bodies).toHaveLength(23);
    for (const body of bodies) {
      expect(body).toMatchObject({ model: 'claude-sonnet-4-5', max_tokens: 1_000 });
      expect(validateRequest({ ...body, model: 'claude-sonnet-5-5' })?.message).toBeUndefined();
    }
    expect(bodies[0]!['tools']).toMatchObject([{ name: 'Read' }, { name: 'Edit' }]);
    expect(JSON.stringify(bodies.at(-1)!['messages'])).toContain('task_anchor');
  });

  it('name a default model if the recording names none', async () => {
    const requests = join(scene.folder, 'requests.jsonl');
    const path = scene.file('bare.json', recorded(prompt('Go'), said('Gone.')));
    await scene.reportsOf(path, '--compare', 'ladder,none', '--requests', requests);
    const bodies = linesOf<{ readonly model: string }>(requests);
    expect(bodies.map(({ model }) => model)).toEqual(['claude-sonnet-5-5', 'claude-sonnet-5-5']);
  });

  it('label each request if there are several files or policies', async () => {
    const one = scene.file('one.json', recorded(prompt('Go'), said('Gone.')));
    const two = scene.file('two.json', recorded(prompt('Go'), read('a.ts', 'A'), said('Gone.')));
    const requests = join(scene.folder, 'requests.jsonl');
    await scene.reportsOf(one, two, '--compare', 'ladder,none', '--requests', requests);
    const lines = linesOf<Readonly<Record<string, unknown>>>(requests);
    const of = (file: string, policy: string, ...steps: readonly number[]) =>
      steps.map((step) => ({ file, policy, step }));
    expect(lines.map(({ file, policy, step }) => ({ file, policy, step }))).toEqual([
      ...of(one, 'none', 1),
      ...of(one, 'ladder', 1),
      ...of(two, 'none', 1, 2),
      ...of(two, 'ladder', 1, 2),
    ]);
    for (const { file: _file, policy: _policy, step: _step, ...body } of lines) {
      expect(validateRequest({ ...body, model: 'claude-sonnet-5-5' })?.message).toBeUndefined();
    }
    const alone = join(scene.folder, 'alone.jsonl');
    await scene.reportsOf(one, '--requests', alone);
    expect(linesOf<object>(alone).every((line) => !('policy' in line))).toBe(true);
  });

  it('write every decision of every pass, kept blocks included', async () => {
    const ledger = join(scene.folder, 'ledger.jsonl');
    const [report] = await scene.reportsOf(scene.recording(), ...SMALL, '--ledger', ledger);
    const lines = linesOf<Record<string, unknown>>(ledger);
    expect(new Set(lines.map(({ pass }) => pass)).size).toBe(report!.passes.length);
    const first = lines.filter(({ pass }) => pass === 1);
    expect(first[0]).toMatchObject({
      file: report!.file,
      policy: 'ladder',
      pass: 1,
      trigger: 'highWatermark',
      blockId: 'prompt-1',
      label: 'Task: Mend the limit in f0.ts',
      action: 'keep',
      rule: 'keep:anchor',
    });
    const actions = first.map(({ action }) => action);
    const { clear, summarise, evict } = report!.passes[0]!.actions;
    expect(actions.filter((action) => action !== 'keep')).toHaveLength(clear + summarise + evict);
    for (const line of first) {
      expect(line['reason']).not.toBe('');
      expect(line['before']).toBeTypeOf('number');
      expect(line['after']).toBeTypeOf('number');
    }
  });

  it('follow --no-pin: the task anchor is not pinned', async () => {
    const requests = join(scene.folder, 'requests.jsonl');
    const [report] = await scene.reportsOf(
      scene.recording(),
      ...SMALL,
      '--no-pin',
      '--requests',
      requests,
    );
    expect(readFileSync(requests, 'utf8')).not.toContain('task_anchor');
    expect(report).toMatchObject({ anchorMissing: 0, invalid: 0 });
  });
});
