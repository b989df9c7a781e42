import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startStrictServer } from '../../src/offline/strictServer';
import { validateRequest } from '../../src/offline/validateRequest';
import type { ReplayReport } from '../../src/replay/report';
import { edit, filler, prompt, read, recorded, said, type Move } from '../replay/support/recording';
import { jsonl } from '../sessions/importers/support/drawnTranscript';
import { plimsoll as runPlimsoll } from './support/plimsoll';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-replay-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Twenty files of 600 tokens are read, the first is edited; an input budget of 5,000 holds a part. */
const LONG: readonly Move[] = [
  prompt('Mend the limit in f0.ts'),
  ...Array.from({ length: 20 }, (_, n) => read(`f${n}.ts`, filler(`const limit${n} = 1;`, 600))),
  edit('f0.ts', 'const limit0 = 1;', 'const limit0 = 2;'),
  prompt('Thanks. And now f1.ts'),
  edit('f1.ts', 'const limit1 = 1;', 'const limit1 = 2;'),
  said('Done.'),
];

const SMALL = ['--window', '5000', '--max-reply', '1000', '--safety', '0', '--tool-headroom', '0'];

const COMPACT = [...SMALL, '--policy', 'compact'];

function plimsoll(...args: readonly string[]) {
  return runPlimsoll(['replay', ...args], folder);
}

/** Writes a file and gives its path. */
function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function recording(name = 'long.json', moves = LONG): string {
  return file(name, { model: 'claude-sonnet-4-5', messages: recorded(...moves) });
}

async function reportsOf(...args: readonly string[]): Promise<readonly ReplayReport[]> {
  const ran = await plimsoll(...args, '--json');
  expect(ran.code).toBe(0);
  return JSON.parse(ran.stdout) as readonly ReplayReport[];
}

function linesOf<T>(path: string): readonly T[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}

const MEASURED = [
  'requests',
  'passes',
  'maxTokens',
  'overBudget',
  'invalid',
  'anchorMissing',
  'latestAskMissing',
  'groundedEdits',
  'groundedPaths',
  'refaults',
  'prefixReuse',
  'inputTokensTotal',
  'cost',
  'planMs',
];

describe('plimsoll replay --json', () => {
  it('reports one object for each file and policy, with these keys', async () => {
    const path = recording();
    const reports = await reportsOf(path, ...SMALL, '--compare', 'ladder,slidingWindow,none');
    expect(reports.map(({ policy }) => policy)).toEqual(['ladder', 'slidingWindow', 'none']);
    const [report] = reports;
    const about = ['file', 'format', 'messages', 'turns', 'steps', 'toolPairs', 'policy'];
    expect(Object.keys(report!).toSorted()).toEqual(
      [...about, 'inputBudget', 'notes', 'baseline', ...MEASURED].toSorted(),
    );
    expect(Object.keys(report!.baseline).toSorted()).toEqual(
      [...MEASURED, 'passes'].filter((key, at, all) => all.indexOf(key) === at).toSorted(),
    );
    expect(report).toMatchObject({
      file: path,
      format: 'messages',
      turns: 2,
      steps: 23,
      toolPairs: 22,
      inputBudget: 4_000,
      requests: 23,
      overBudget: 0,
      invalid: 0,
      anchorMissing: 0,
      latestAskMissing: 0,
      groundedEdits: { total: 2 },
      notes: [],
    });
  });

  it('gives the numbers of each pass and what it did', async () => {
    const [report] = await reportsOf(recording(), ...SMALL);
    const [pass] = report!.passes;
    expect(pass?.trigger).toBe('highWatermark');
    expect(pass?.target).toBe(2_000);
    expect(pass!.before).toBeGreaterThan(3_200);
    expect(pass!.after).toBeLessThanOrEqual(2_000);
    const { actions } = pass!;
    expect(Object.keys(actions)).toEqual(['truncate', 'trim', 'clear', 'compact', 'evict']);
    expect(actions.clear + actions.compact + actions.evict).toBeGreaterThan(0);
  });

  it('holds every policy against the same recording with nothing evicted', async () => {
    const [ladder, none] = await reportsOf(recording(), ...SMALL, '--compare', 'ladder,none');
    expect(ladder!.baseline).toEqual(none!.baseline);
    expect(none).toMatchObject({ ...none!.baseline, passes: [], refaults: 0 });
    expect(none!.groundedEdits).toEqual({ visible: 2, total: 2 });
    expect(none!.overBudget).toBeGreaterThan(0);
    expect(none!.messages).toBe(46);
  });

  it('keeps what only the clairvoyant policy can know', async () => {
    const [best, newest] = await reportsOf(
      recording(),
      ...SMALL,
      '--compare',
      'clairvoyant,tokenBudget',
    );
    expect(best!.groundedEdits).toEqual({ visible: 2, total: 2 });
    expect(newest!.groundedEdits.visible).toBe(0);
  });

  it('has no cost where a model has no list price', async () => {
    const [report] = await reportsOf(file('x.json', recorded(...LONG)), ...SMALL);
    expect(report!.cost).toBeNull();
    expect(report!.baseline.cost).toBeNull();
  });

  it('names what the importer left out', async () => {
    const path = file('system.json', [
      ...recorded(...LONG),
      { role: 'system', content: 'Be kind.' },
    ]);
    const [report] = await reportsOf(path);
    expect(report!.notes).toEqual(['1 system message behind the first prompt left out.']);
  });
});

describe('plimsoll replay', () => {
  it('draws a table, marks estimates, and adds several files up', async () => {
    const ran = await plimsoll(
      recording('a.json'),
      recording('b.json'),
      ...SMALL,
      '--compare',
      'ladder,none',
    );
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Window 5,000 tokens, input budget 4,000;');
    expect(ran.stdout).toContain('≈ marks estimates.');
    const rows = ran.stdout.split('\n').filter((line) => /^(file|…|\/|all)/.test(line));
    expect(rows).toHaveLength(7);
    expect(rows[0]).toMatch(/^file +policy +requests +passes +max tokens +over +invalid/);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    expect(rows[1]).toMatch(/a\.json +ladder +23 +\d+ +≈ [\d,]+ +0 +0 /);
    expect(rows[5]).toMatch(/^all 2 files +ladder +46 /);
    expect(rows[6]).toMatch(/none .*100\.0 % \(4\/4\)/);
    expect(ran.stderr).toContain('a.json: ladder');
  });

  it('writes each request as it would have been sent, one the API would take', async () => {
    const requests = join(folder, 'requests.jsonl');
    await reportsOf(recording(), ...SMALL, '--requests', requests);
    const bodies = linesOf<Record<string, unknown>>(requests);
    expect(bodies).toHaveLength(23);
    for (const body of bodies) {
      expect(body).toMatchObject({ model: 'claude-sonnet-4-5', max_tokens: 1_000 });
      expect(validateRequest({ ...body, model: 'claude-sonnet-5-5' })?.message).toBeUndefined();
    }
    expect(bodies[0]!['tools']).toMatchObject([{ name: 'Read' }, { name: 'Edit' }]);
    expect(JSON.stringify(bodies.at(-1)!['messages'])).toContain('task_anchor');
  });

  it('names a model of its own where the recording names none', async () => {
    const requests = join(folder, 'requests.jsonl');
    const path = file('bare.json', recorded(prompt('Go'), said('Gone.')));
    await reportsOf(path, '--compare', 'ladder,none', '--requests', requests);
    const bodies = linesOf<{ readonly model: string }>(requests);
    expect(bodies.map(({ model }) => model)).toEqual(['claude-sonnet-5-5', 'claude-sonnet-5-5']);
  });

  it('writes every decision of every pass, kept blocks included', async () => {
    const ledger = join(folder, 'ledger.jsonl');
    const [report] = await reportsOf(recording(), ...SMALL, '--ledger', ledger);
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
    const { clear, compact, evict } = report!.passes[0]!.actions;
    expect(actions.filter((action) => action !== 'keep')).toHaveLength(clear + compact + evict);
    for (const line of first) {
      expect(line['reason']).not.toBe('');
      expect(line['before']).toBeTypeOf('number');
      expect(line['after']).toBeTypeOf('number');
    }
  });

  it('does not pin the task anchor when told so', async () => {
    const requests = join(folder, 'requests.jsonl');
    const [report] = await reportsOf(recording(), ...SMALL, '--no-pin', '--requests', requests);
    expect(readFileSync(requests, 'utf8')).not.toContain('task_anchor');
    expect(report).toMatchObject({ anchorMissing: 0, invalid: 0 });
  });

  it('reports what is protected and does not fit', async () => {
    const path = file('big.json', {
      system: filler('system', 12_000),
      messages: recorded(prompt('Go'), read('a.ts', 'A'), said('Done.')),
    });
    const ran = await plimsoll(path, ...SMALL);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/WARNING .*big\.json, ladder: 2 requests are over the input budget/);
    expect(ran.stdout).toMatch(/first at step 1\. .*Heaviest: system prompt: ≈ /);
    expect(ran.stdout).not.toContain('plimsoll.context');
    const [report] = await reportsOf(path, ...SMALL);
    expect(report).toMatchObject({ overBudget: 2, firstOverBudget: { step: 1 } });
  });

  it('stops with 130', async () => {
    const stop = new AbortController();
    stop.abort();
    const ran = await runPlimsoll(['replay', recording()], folder, stop);
    expect(ran).toMatchObject({ code: 130, stdout: '' });
  });
});

describe('plimsoll replay of what cannot be read', () => {
  const user = { type: 'user', message: { role: 'user', content: 'Go' } };
  const reply = {
    type: 'assistant',
    message: { id: 'm1', model: 'claude-x', content: [{ type: 'text', text: 'Gone.' }] },
  };

  it.each([
    ['a malformed line', `${jsonl(user)}{"type": oops}\n${jsonl(reply)}`, 'line 2'],
    ['a line that is cut', jsonl(user, reply, reply).slice(0, -20), 'line 3'],
    ['JSON that is cut', JSON.stringify(recorded(...LONG), null, 1).slice(0, -30), 'line '],
  ])('ends with 1 and names the line: %s', async (_, text, line) => {
    const ran = await plimsoll(file('broken.jsonl', text));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('broken.jsonl cannot be read');
    expect(ran.stderr).toContain(line);
  });

  it('ends with 1 for a file that is not there, and reports the others all the same', async () => {
    const ran = await plimsoll(join(folder, 'none.json'), recording(), '--json');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('none.json cannot be read');
    expect(JSON.parse(ran.stdout)).toHaveLength(1);
  });

  it('ends with 1 where the file is in another format than the one named', async () => {
    const ran = await plimsoll(recording(), '--format', 'codex');
    expect(ran.code).toBe(1);
  });
});

describe('plimsoll replay with bad usage', () => {
  it.each([
    ['an unknown option', ['x.json', '--fast'], '--fast'],
    ['no file', [], 'FILE'],
    ['the policy server', ['x.json', '--policy', 'server'], 'the API itself edits'],
    ['a file that would be overwritten', ['x.json', '--ledger', __filename], 'not overwritten'],
    ['a file that cannot be written', ['x.json', '--requests', '/nowhere/at/all'], '--requests'],
  ])('ends with 2 and does nothing: %s', async (_, args, said) => {
    const ran = await plimsoll(...args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain('Nothing was done.');
    expect(existsSync(join(folder, 'x.json'))).toBe(false);
  });
});

describe('plimsoll replay --summariser URL', () => {
  async function server() {
    const strict = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'All files were read.' }] }),
    });
    onTestFinished(() => strict.close());
    return strict;
  }

  it('has the summaries written by the server that is named', async () => {
    const { url, requests: asked } = await server();
    const requests = join(folder, 'requests.jsonl');
    const [report] = await reportsOf(
      recording(),
      ...COMPACT,
      '--summariser',
      url,
      '--requests',
      requests,
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ path }) => path === '/v1/messages')).toBe(true);
    expect(readFileSync(requests, 'utf8')).toContain('All files were read.');
    expect(report).toMatchObject({ notes: [], invalid: 0, overBudget: 0 });
  });

  it('goes on with work notes where that fails, and says how often and why', async () => {
    const strict = await server();
    for (let fault = 0; fault < 50; fault += 1) {
      strict.addFault({
        path: '/v1/messages',
        effect: { kind: 'status', status: 401, message: 'invalid x-api-key' },
      });
    }
    const ledger = join(folder, 'ledger.jsonl');
    const [report] = await reportsOf(
      recording(),
      ...COMPACT,
      '--summariser',
      strict.url,
      '--ledger',
      ledger,
    );
    expect(report!.notes).toHaveLength(1);
    expect(report!.notes[0]).toMatch(/^compact: (\d+) of \1 summaries are work notes; the first: /);
    expect(report!.notes[0]).toContain('the model call failed');
    expect(readFileSync(ledger, 'utf8')).toContain('a work note (the model call failed');
    expect(readFileSync(ledger, 'utf8')).not.toContain('test-key');
  });
});
