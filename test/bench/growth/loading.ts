import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadLog } from '../../../src/sessions/loadLog';
import { runOf, tellCost } from '../support/costs';
import { longLog } from '../support/longLog';

// A log that is read in a thread of its own, as for a session of more than 4 MB: how soon its last
// turns show, and how soon the whole session can be continued. 60,000 steps are about 200 MB.

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-loading-'));
const file = join(folder, 'long.jsonl');
const worker = fileURLToPath(new URL('logWorker.mjs', import.meta.url));

async function writeLog(): Promise<number> {
  const out = createWriteStream(file);
  for (const [index, event] of longLog().events.entries()) {
    const isRoom = out.write(`${JSON.stringify({ ...event, line: index + 1 })}\n`);
    if (!isRoom) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return out.bytesWritten;
}

try {
  const bytes = await writeLog();
  const ended = runOf();
  let toEnd: ReturnType<typeof ended> | undefined;
  const { signal } = new AbortController();
  const read = await loadLog(worker, file, { seen: () => (toEnd = ended()), signal });
  const whole = ended();
  if (!read.ok) throw new Error(read.message);
  if (toEnd === undefined) throw new Error('The end of the log was not shown.');
  tellCost('show its last turns', toEnd);
  tellCost('load it whole', { ...whole, bytes });
} finally {
  rmSync(folder, { recursive: true });
}
