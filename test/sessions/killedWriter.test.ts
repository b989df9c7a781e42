import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../src/sessions/openSession';
import { tempFolder } from '../tools/support/tempFolder';

/** Appends large events for ever and says after each how long the log is; bytes. */
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

/** Kills the writer as soon as the log grows beyond what it acknowledged; answers how many events that was. */
async function killWhileWriting(program: string, file: string): Promise<number> {
  const writer = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(writer, 'close');
  const [said] = (await once(writer.stdout, 'data')) as [Buffer];
  const sizes = said.toString().trim().split('\n').map(Number);
  const giveUp = performance.now() + 5_000;
  while (statSync(file).size <= sizes.at(-1)! && performance.now() < giveUp);
  writer.kill('SIGKILL');
  await closed;
  return sizes.length;
}

describe('kill -9 in the middle of appending', () => {
  it('leaves a log that opens with everything that was acknowledged', async () => {
    const folder = tempFolder();
    const program = join(folder, 'writer.cjs');
    await build({
      stdin: { contents: WRITER, resolveDir: join(__dirname, '../../src/sessions'), loader: 'ts' },
      bundle: true,
      platform: 'node',
      outfile: program,
      logLevel: 'error',
    });
    let torn = 0;
    for (let round = 1; round <= 5; round++) {
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
    // Whether a write is cut in two is up to the system; Linux does it every time.
    if (process.platform === 'linux') expect(torn).toBeGreaterThan(0);
  }, 60_000);
});
