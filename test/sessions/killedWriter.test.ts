import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../src/sessions/openSession';
import { tempFolder } from '../tools/support/tempFolder';

/** Appends events of 2 MB for ever and says a line after each; large ones are torn more often. */
const WRITER = `
  import { newSession } from './openSession';
  const { session } = newSession({
    file: process.argv[2], sessionId: 's-1', pinTaskAnchor: true, now: Date.now,
  });
  session.append({ type: 'promptSubmitted', text: 'Fix it', admission: { form: 'whole' } });
  for (let n = 0; ; n++) {
    session.append({ type: 'countFailed', message: n + ' ' + 'x'.repeat(2_000_000) });
    process.stdout.write('.');
  }
`;

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
    for (let round = 1; round <= 6; round++) {
      const file = join(folder, `${round}.jsonl`);
      const writer = spawn(process.execPath, [program, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let acknowledged = 0;
      writer.stdout.on('data', (dots: Buffer) => {
        acknowledged += dots.length;
        if (acknowledged >= round) writer.kill('SIGKILL');
      });
      await once(writer, 'close');
      const opened = openSession(file, () => 7);
      if (!opened.ok) throw new Error(opened.message);
      const { session } = opened.stored;
      session.append({ type: 'turnEnded', outcome: { type: 'stopped' } });
      opened.stored.close();
      const numbers = session.events.flatMap((event) =>
        event.type === 'countFailed' ? [Number.parseInt(event.message, 10)] : [],
      );
      expect(numbers).toEqual(numbers.map((_, index) => index));
      expect(numbers.length).toBeGreaterThanOrEqual(acknowledged);
      const again = openSession(file, () => 8);
      if (!again.ok) throw new Error(again.message);
      again.stored.close();
      expect(again.warning).toBeUndefined();
      expect(again.stored.session.events).toHaveLength(session.events.length);
    }
  }, 60_000);
});
