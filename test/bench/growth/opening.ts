import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { summarizeLog } from '../../../src/sessions/logSummary';
import { readSessionLog } from '../../../src/sessions/readSessionLog';
import { measure } from '../support/costs';
import { bytesOf, HostedSession } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// What stands between opening a session and the first state that is posted; nothing is warm then.

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-opening-'));
const file = join(folder, 'long.jsonl');
const lines = longLog().events.map((event, index) => ({ ...event, line: index + 1 }));
writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

function read(): readonly SessionEvent[] {
  const log = readSessionLog(file);
  if (!log.ok) throw new Error(log.message);
  return log.events;
}

measure((time) => {
  let events: readonly SessionEvent[] = [];
  let [agent, context]: HostedSession[] = [];
  time('open it, until the Agent view is told', () => {
    time('  of this, read the log', () => {
      events = read();
      return readFileSync(file).length;
    });
    time('  of this, fold it', () => {
      agent = new HostedSession('agent', events);
    });
    time('  of this, tell the Agent view', () => bytesOf(agent?.hydrate() ?? []));
  });
  context = new HostedSession('context', events);
  time('then tell the Context panel', () => bytesOf(context?.hydrate() ?? []));
  time('sum the log up for the list', () => void summarizeLog(file, readFileSync(file)));
});

rmSync(folder, { recursive: true });
