import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { openSession } from '../../src/sessions/openSession';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { actions, play } from '../support/randomSession';
import { runs } from '../support/runs';
import { smallBudget } from '../support/smallBudget';
import { tempFolder } from '../tools/support/tempFolder';

/** Appends large events forever and writes the length of the log after each; bytes. */
const WRITER = `
  import { statSync } from 'node:fs';
  import { newSession } from './openSession';
  const file = process.argv[2];
  const { session } = newSession({ file, sessionId: 's-1', pinTaskAnchor: true, now: Date.now });
  session.append({ type: 'promptSubmitted', text: 'Fix it', admission: { form: 'whole' } });
  for (let n = 0; ; n++) {
    session.append({ type: 'countFailed', message: n + ' ' + 'x'.repeat(8_000_000) });
    process.stdout.write(statSync(file).size + '\\n');
  }
`;

/** Appends the events of a file as the agent does, and acknowledges each. */
const AGENT = `
  import { readFileSync } from 'node:fs';
  import { newSession } from './openSession';
  const [, , file, script] = process.argv;
  const [start, ...events] = JSON.parse(readFileSync(script, 'utf8'));
  const { sessionId, pinTaskAnchor } = start;
  let now = 0;
  const { session } = newSession({ file, sessionId, pinTaskAnchor, now: () => now++ });
  process.stdout.write('.');
  for (const { at, turn, step, ...event } of events) {
    session.append(event);
    process.stdout.write('.');
  }
  setInterval(() => {}, 1_000);
`;

/** How often the agent is killed; the soak does it 200 times. */
const KILLS = runs(5, 200);

async function built(source: string, folder: string): Promise<string> {
  const program = join(folder, 'writer.cjs');
  await build({
    stdin: { contents: source, resolveDir: join(__dirname, '../../src/sessions'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    outfile: program,
    logLevel: 'error',
  });
  return program;
}

/** Kills the agent some time after this many acknowledged events; returns how many there were. */
async function killAfter(
  args: readonly string[],
  events: number,
  delayMs: number,
): Promise<number> {
  const agent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(agent, 'close');
  let acted = 0;
  await new Promise<void>((resolve, reject) => {
    agent.stdout.on('data', (dots: Buffer) => {
      acted += dots.length;
      if (acted >= events) resolve();
    });
    agent.on('close', () => reject(new Error('The agent ended by itself.')));
  });
  const until = performance.now() + delayMs;
  while (performance.now() < until);
  agent.kill('SIGKILL');
  await closed;
  return acted;
}

/**
 * Kills the writer as soon as the log grows beyond the acknowledged length; returns the number of
 * acknowledged events.
 */
async function killWhileWriting(program: string, file: string): Promise<number> {
  const writer = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(writer, 'close');
  const [said] = (await once(writer.stdout, 'data')) as [Buffer];
  const sizes = said.toString().trim().split('\n').map(Number);
  const giveUp = performance.now() + 60_000;
  while (statSync(file).size <= sizes.at(-1)! && performance.now() < giveUp);
  writer.kill('SIGKILL');
  await closed;
  return sizes.length;
}

describe('kill -9 during an append', () => {
  it('leaves a log that opens with every acknowledged event', async () => {
    const folder = tempFolder();
    const program = await built(WRITER, folder);
    let torn = 0;
    // A cut write depends on the system: Linux cuts one if the kill is soon enough.
    const isDone = (round: number) => round > 5 && (torn > 0 || process.platform !== 'linux');
    for (let round = 1; !isDone(round); round++) {
      const file = join(folder, `${round}.jsonl`);
      const acknowledged = await killWhileWriting(program, file);
      const opened = openSession(file, () => 7);
      if (!opened.ok) throw new Error(opened.message);
      if (opened.warning !== undefined) torn++;
      const { session } = opened.stored;
      session.append({ type: 'turnEnded', outcome: { type: 'stopped' } });
      opened.stored.close();
      const numbers = session.events.flatMap((event) =>
        event.type === 'countFailed' ? [Number.parseInt(event.message, 10)] : [],
      );
      expect(numbers.length).toBeGreaterThanOrEqual(acknowledged);
      expect(numbers).toEqual(numbers.map((_, index) => index));
      const again = openSession(file, () => 8);
      if (!again.ok) throw new Error(again.message);
      again.stored.close();
      expect(again.warning).toBeUndefined();
      expect(again.stored.session.events).toEqual(session.events);
    }
  });

  it('leaves the next request of the written events, wherever it happened', async () => {
    const folder = tempFolder();
    const program = await built(AGENT, folder);
    const script = join(folder, 'script.json');
    const acts = fc.sample(actions, { numRuns: 12, seed: 20_261_122 }).flat();
    const { events } = play(acts, smallBudget({ contextWindowTokens: 20_000 }), POLICY_SETTINGS);
    expect(events.map(({ type }) => type)).toContain('passApplied');
    writeFileSync(script, JSON.stringify(events));
    let interrupted = 0;
    const after = fc.nat({ max: events.length });
    const delayMs = fc.double({ min: 0, max: 3, noNaN: true });
    for (const [round, kill] of fc.sample(fc.tuple(after, delayMs), KILLS).entries()) {
      const file = join(folder, `${round}.jsonl`);
      const acted = await killAfter([program, file, script], ...kill);
      const opened = openSession(file, () => 7);
      if (!opened.ok) {
        expect([acted, opened.cause]).toEqual([0, 'empty']);
        continue;
      }
      opened.stored.close();
      const { session } = opened.stored;
      interrupted += opened.interrupted.length;
      const kept = session.events.length - opened.interrupted.length;
      expect(kept).toBeGreaterThanOrEqual(acted);
      const timeless = session.events.map((event) => ({ ...event, at: 0 }));
      const written = events.slice(0, kept).map((event) => ({ ...event, at: 0 }));
      expect(timeless.slice(0, kept)).toEqual(written);
      const expected = fold([...events.slice(0, kept), ...session.events.slice(kept)]);
      expect(JSON.stringify(toRequest(session.window))).toBe(JSON.stringify(toRequest(expected)));
      expect(session.events.slice(kept).map((event) => 'origin' in event && event.origin)).toEqual(
        opened.interrupted.map(() => 'interrupted'),
      );
    }
    if (KILLS > 100) expect(interrupted).toBeGreaterThan(0);
  });
});
