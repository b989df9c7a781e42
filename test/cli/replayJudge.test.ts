import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Judgement } from '../../src/replay/judge/judgement';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { startStrictServer } from '../../src/offline/strictServer';
import { edit, filler, prompt, read, run, said, type Move } from '../replay/support/recording';
import { plimsoll } from './support/plimsoll';
import { replayScene, SMALL } from './support/replayScene';

/** Each file has a distinct line, changed long after its read and after a decision about it. */
const FILES = Array.from({ length: 6 }, (_, n) => n);
const lineOf = (n: number) => `export const timeout${n}OfService = ${n + 1}500; // in ms`;
const LONG: readonly Move[] = [
  prompt('Mend the services'),
  ...FILES.map((n) => read(`src/service${n}.ts`, `${lineOf(n)}\n${filler('x', 500)}`)),
  said('I will not rename timeout3OfService anywhere.'),
  prompt('Go on'),
  ...FILES.flatMap((n) => [
    run(`npm test -- ${n}`, filler('ran', 400)),
    run('git status', filler('clean', 400)),
    edit(`src/service${n}.ts`, lineOf(n), `${lineOf(n)} // checked`),
  ]),
  said('Done.'),
];

let scene: ReturnType<typeof replayScene>;

beforeEach(() => {
  scene = replayScene();
});

/** The question at the end of a request. */
function questionOf({ messages }: MessagesRequest): string {
  const content = messages.at(-1)?.content;
  const last = typeof content === 'string' ? undefined : content?.at(-1);
  return last?.type === 'text' ? last.text : '';
}

const GRADES = `faithful: 5 - Nothing is invented.
complete: 3 - It leaves out the port.
current: 4 - One line is old.
actionable: 2/5 - The next file is missing.`;

/** Asks for the grades of a summary. */
function isGrading({ system }: MessagesRequest): boolean {
  return JSON.stringify(system ?? '').includes('Plimsoll judge of summaries');
}

/** Knows the whole recording. */
function knows(request: MessagesRequest): string {
  if (isGrading(request)) return GRADES;
  const question = questionOf(request);
  if (question.includes('tidemark_')) return 'Not known.';
  const service = /____ = (\d)500/.exec(question)?.[1];
  if (service !== undefined) return `timeout${Number(service) - 1}OfService`;
  const [, number] = /timeout(\d)OfService/.exec(question) ?? [];
  if (question.includes('Which file is it')) return `It is \`src/service${number}.ts\`.`;
  if (question.includes('You said this earlier')) return '**timeout3OfService**';
  return 'src/service0.ts, or npm test and git status, for service1.ts service2.ts service3.ts service4.ts service5.ts';
}

async function server(answer: (request: MessagesRequest) => string) {
  const strict = await startStrictServer({
    respond: (request) => ({ content: [{ type: 'text', text: answer(request) }] }),
  });
  onTestFinished(() => strict.close());
  return strict;
}

type Strict = Awaited<ReturnType<typeof server>>;

function faulty(strict: Strict, status: number, message: string): void {
  for (let fault = 0; fault < 60; fault += 1)
    strict.addFault({
      path: '/v1/messages',
      effect: { kind: 'status', status, message, shouldRetry: false },
    });
}

describe('plimsoll replay --judge URL', () => {
  it('reports how much the model knew, by kind, with every question and its answer', async () => {
    const strict = await server(knows);
    const [report] = await scene.reportsOf(
      scene.recording('long.json', LONG),
      ...SMALL,
      '--judge',
      strict.url,
    );
    const { judged } = report!;
    expect(judged).toMatchObject({ model: 'claude-sonnet-5-5', unmeasured: null });
    for (const kind of ['file', 'value', 'decision', 'next'] as const) {
      const { asked, right } = judged!.recall[kind];
      expect([kind, asked > 0]).toEqual([kind, true]);
      expect([kind, right]).toEqual([kind, asked]);
    }
    const grading = strict.requests.filter(({ body }) => isGrading(body as MessagesRequest));
    const { probes, whole } = judged!;
    expect(probes.length + whole.length).toBe(strict.requests.length - grading.length);
    expect(judged!.probes.every(({ isRight }) => isRight)).toBe(true);
    const { windows, usage, cost } = judged!;
    expect(windows.all).toBe(report!.passes.length);
    expect(windows.asked).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
    expect(usage.cacheReadTokens).toBeGreaterThan(usage.cacheCreationTokens);
    expect(cost).toBeGreaterThan(0);
  });

  it('asks the same about the window with nothing evicted, with the depth of the evidence, and prints both', async () => {
    // Answers only what the request shows, as a model without other knowledge would.
    const strict = await server((request) => {
      const answer = knows(request);
      if (isGrading(request) || answer.startsWith('Not known')) return answer;
      const shown = JSON.stringify(request.messages.slice(0, -1));
      const [name = ''] = /timeout\dOfService|service\d/.exec(answer) ?? [];
      const line = /timeout\dOfService/.exec(questionOf(request))?.[0] ?? name;
      return shown.includes(`${line} =`) || !answer.includes('OfService') ? answer : 'not known';
    });
    const asking = [scene.recording('long.json', LONG), ...SMALL, '--judge', strict.url];
    const ran = await scene.run(...asking, '--json');
    const [{ judged }] = JSON.parse(ran.stdout) as [{ judged: Judgement }];
    const { probes, whole } = judged;
    const asked = (some: Judgement['probes']) => some.map(({ step, question }) => [step, question]);
    expect(asked(whole)).toEqual(asked(probes));
    const right = (some: Judgement['probes']) => some.filter(({ isRight }) => isRight).length;
    expect(right(whole)).toBeGreaterThan(right(probes));
    for (const { kind, step, evidenceStep, depth } of probes) {
      if (kind === 'control') expect(depth).toBeNull();
      else if (evidenceStep !== undefined) expect(depth!.steps).toBe(step - 1 - evidenceStep);
    }
    expect(probes.some(({ depth }) => (depth?.tokens ?? 0) > 0)).toBe(true);
    const controls = probes.filter(({ kind }) => kind === 'control');
    expect(controls).toHaveLength(judged.windows.asked);
    expect(ran.stderr).toMatch(
      /\d+ questions for claude-sonnet-5-5 at http:\S+, ≈ [\d,]+ tokens, ≈ \$\d+\.\d{2,4}\n/,
    );
    const { stdout } = await scene.run(...asking);
    expect(stdout).toMatch(
      /policy, window +all +below 4,000 +4,000 to 16,000 +16,000 to 64,000 +64,000 and more +in a prompt +control\n/,
    );
    expect(stdout).toMatch(/\nladder, trimmed +\d+\.\d % \d+\/\d+ .* 100\.0 % (\d)\/\1\n/);
    expect(stdout).toMatch(/\nladder, whole +\d+\.\d % \d+\/\d+ .* 100\.0 % (\d)\/\1\n/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(160);
  });

  it('counts wrong answers, and asks the same questions for the same recording', async () => {
    const strict = await server((request) => (isGrading(request) ? GRADES : 'not known'));
    const file = scene.recording('long.json', LONG);
    const asking = [file, ...SMALL, '--judge', strict.url, '--judge-model', 'claude-haiku-4-5'];
    const [one] = await scene.reportsOf(...asking);
    const [other] = await scene.reportsOf(...asking);
    expect(one!.judged!.model).toBe('claude-haiku-4-5');
    expect(Object.values(one!.judged!.recall).every(({ right }) => right === 0)).toBe(true);
    expect(one!.judged!.probes.map(({ question }) => question)).toEqual(
      other!.judged!.probes.map(({ question }) => question),
    );
  });

  it('sends the window as the agent would, with tool calls turned off', async () => {
    const strict = await server(knows);
    await scene.reportsOf(scene.recording('long.json', LONG), ...SMALL, '--judge', strict.url);
    for (const { path, body } of strict.requests) {
      const request = body as MessagesRequest;
      if (isGrading(request)) continue;
      expect(path).toBe('/v1/messages');
      expect(request.tool_choice).toEqual({ type: 'none' });
      expect(JSON.stringify(request.messages)).toContain('Mend the services');
      expect(questionOf(request)).toMatch(/^The work stops here/);
    }
  });

  it('grades each summary with the reasons of the model, and prints the averages', async () => {
    const strict = await server(knows);
    const asking = [scene.recording('long.json', LONG), ...SMALL, '--judge', strict.url];
    const [report] = await scene.reportsOf(...asking);
    const { all, graded } = report!.judged!.summaries;
    expect(all).toBeGreaterThan(0);
    expect(graded).toHaveLength(Math.min(all, 8));
    expect(graded[0]).toMatchObject({
      by: 'workNote',
      grades: {
        faithful: { grade: 5, reason: 'Nothing is invented.' },
        actionable: { grade: 2, reason: 'The next file is missing.' },
      },
    });
    expect(report!.judged!.ungraded).toBeNull();
    const asked = strict.requests.map(({ body }) => body as MessagesRequest).find(isGrading)!;
    expect(JSON.stringify(asked.messages)).toContain('Work note, written from the log');
    const { stdout } = await scene.run(...asking);
    expect(stdout).toMatch(/policy +faithful +complete +current +actionable +graded\n/);
    expect(stdout).toMatch(/ladder +5\.0 +3\.0 +4\.0 +2\.0 +(\d+)\/\1\n/);
  });

  it('says which summaries have no grades, and why', async () => {
    const strict = await server((request) => (isGrading(request) ? 'It is fine.' : knows(request)));
    const file = scene.recording('long.json', LONG);
    const ran = await scene.run(file, ...SMALL, '--judge', strict.url);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /NOT GRADED .*long\.json, ladder: \d+ summar(?:y|ies)\. An answer had no grade for each criterion\./,
    );
    expect(ran.stderr).toMatch(/(\d+) of \1 summaries were not graded by --judge/);
  });

  it('prints a table for each policy, and asks nothing if nothing was removed', async () => {
    const strict = await server(knows);
    const ran = await scene.run(
      scene.recording('a.json', LONG),
      scene.recording('b.json', LONG),
      ...SMALL,
      '--compare',
      'ladder,none',
      '--judge',
      strict.url,
    );
    expect(ran.code).toBe(0);
    const [, table = ''] = ran.stdout.split('Judged by claude-sonnet-5-5:');
    expect(table).toMatch(
      /policy +which file +which value +which decision +what next +all +windows +tokens +cost\n/,
    );
    expect(table).toMatch(/\nladder( +100\.0 % \d+\/\d+){5} +\d\/\d +[\d,]+ +\d\.\d{2,4}\n/);
    expect(table).toMatch(/\nnone( +-){5} +0\/0 +0 +0\.00\n/);
    expect(table).toContain('\nall 2 files\nladder');
    expect(table).not.toContain('NOT MEASURED');
    expect(ran.stderr).toMatch(/a\.json, ladder: \d+ questions for claude-sonnet-5-5 at http:/);
  });

  it('is off by default, and no other report contains its answers', async () => {
    const file = scene.recording('long.json', LONG);
    const [plain] = await scene.reportsOf(file, ...SMALL);
    const strict = await server(knows);
    const [judged] = await scene.reportsOf(file, ...SMALL, '--judge', strict.url);
    expect(plain).not.toHaveProperty('judged');
    const { judged: _, planMs: _ms, baseline: _baseline, ...rest } = judged!;
    expect(plain).toMatchObject(rest);
  });

  it.each([
    [401, 'invalid x-api-key', 'The API key was refused.'],
    [429, 'slow down', 'The API limits the rate of requests.'],
    [529, 'busy', 'The API is overloaded.'],
    [404, 'no such model', 'Check --judge-model and --judge.'],
  ])(
    'stops asking a server that answers %i, and lists the questions that were not measured',
    async (...of) => {
      const [status, message, said] = of;
      const strict = await server(knows);
      faulty(strict, status, message);
      const files = [scene.recording('a.json', LONG), scene.recording('b.json', LONG)];
      const ran = await scene.run(...files, ...SMALL, '--judge', strict.url);
      expect(ran.code).toBe(1);
      expect(strict.requests).toHaveLength(1);
      for (const file of files) {
        expect(ran.stderr).toContain(`plimsoll: ${file}, ladder: `);
        expect(ran.stdout).toMatch(new RegExp(`NOT MEASURED ${file}, ladder: \\d+ questions\\. `));
      }
      expect(ran.stderr).toMatch(/(\d+) of \1 questions of --judge were not answered/);
      expect(ran.stderr).toContain(said);
      expect(ran.stdout).toContain('edits visible');
      expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/test-key|plimsoll\.baseUrl/);
    },
  );

  it('skips a rejected window and asks the next ones', async () => {
    const strict = await server(knows);
    strict.addFault({
      path: '/v1/messages',
      effect: { kind: 'status', status: 400, message: 'prompt is too long: 9 tokens > 8 maximum' },
    });
    const ran = await scene.run(
      scene.recording('long.json', LONG),
      ...SMALL,
      '--judge',
      strict.url,
      '--json',
    );
    expect(ran.code).toBe(1);
    const [report] = JSON.parse(ran.stdout) as Awaited<ReturnType<typeof scene.reportsOf>>;
    const { unmeasured, probes } = report!.judged!;
    expect(probes.length).toBeGreaterThan(0);
    expect(unmeasured!.probes).toBeGreaterThan(0);
    expect(unmeasured!.probes).toBeLessThanOrEqual(7);
    expect(new Set(probes.map(({ step }) => step)).size).toBe(report!.judged!.windows.asked - 1);
  });

  it("counts the model's refusals as no answer, and gives up if there are only refusals", async () => {
    const strict = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'No.' }], stopReason: 'refusal' }),
    });
    onTestFinished(() => strict.close());
    const ran = await scene.run(
      scene.recording('long.json', LONG),
      ...SMALL,
      '--judge',
      strict.url,
      '--json',
    );
    expect(ran.code).toBe(1);
    const [report] = JSON.parse(ran.stdout) as Awaited<ReturnType<typeof scene.reportsOf>>;
    expect(report!.judged!.probes).toEqual([]);
    expect(report!.judged!.cost).toBeGreaterThan(0);
    expect(ran.stderr).toContain('The model refused to answer.');
    expect(strict.requests.length).toBeLessThanOrEqual(3);
  });

  it('follows no redirect', async () => {
    const elsewhere = await server(knows);
    const strict = await server(knows);
    strict.addFault({
      path: '/v1/messages',
      effect: { kind: 'redirect', status: 307, location: `${elsewhere.url}/v1/messages` },
    });
    const ran = await scene.run(
      scene.recording('long.json', LONG),
      ...SMALL,
      '--judge',
      strict.url,
    );
    expect(ran.code).toBe(1);
    expect(elsewhere.requests).toEqual([]);
    expect(strict.requests).toHaveLength(1);
    expect(ran.stderr).toContain(`points to ${elsewhere.url}/v1/messages (307)`);
    expect(ran.stderr).toContain('set its address in --judge.');
  });

  it('names a server that cannot be reached, after three tries', async () => {
    // No server listens there, and no other test gets this port.
    const url = 'http://127.0.0.1:2';
    const ran = await scene.run(scene.recording('long.json', LONG), ...SMALL, '--judge', url);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`Could not reach ${url}: ECONNREFUSED`);
    expect(ran.stderr).toContain('Retry 3 of 3 follows.');
    expect(ran.stderr).toContain('Plimsoll tried 3 times.');
  });

  it('stops during a question', async () => {
    const stop = new AbortController();
    const strict = await server((request) => {
      stop.abort();
      return knows(request);
    });
    const file = scene.recording('long.json', LONG);
    const ran = await plimsoll(
      ['replay', file, ...SMALL, '--judge', strict.url],
      scene.folder,
      stop,
    );
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain('plimsoll: stopped.');
    expect(ran.stdout).toBe('');
    expect(strict.requests).toHaveLength(1);
  });

  it('needs a server for a model', async () => {
    const ran = await scene.run(scene.recording('long.json', LONG), '--judge-model', 'claude-x');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('--judge-model needs --judge.');
  });
});
