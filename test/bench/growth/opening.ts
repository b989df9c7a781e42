import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { readLogEnd, summarizeLog } from '../../../src/sessions/logSummary';
import { readSessionLog } from '../../../src/sessions/readSessionLog';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import { openingView } from '../../../src/editor/conversation/derive';
import { measure } from '../support/costs';
import { bytesOf, HostedSession, type PageName } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// The work between opening a session and its first posted state, with nothing cached.

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
  let hosted: HostedSession | undefined;
  const told = (page: PageName): number => bytesOf(hosted?.hydrate(page) ?? []);
  time('tell the Agent view its last turns', () => {
    const end = readLogEnd(file);
    const settings = DEFAULT_SETTINGS;
    const told = end && openingView(end, { settings, demoAuthor: '' });
    return JSON.stringify(told).length;
  });
  time('open it, until the Agent view has it', () => {
    time('  of this, read the log', () => {
      events = read();
      return statSync(file).size;
    });
    time('  of this, fold it', () => {
      hosted = new HostedSession('agent', events);
    });
    time('  of this, tell the Agent view', () => told('agent'));
  });
  time('then tell the Context panel', () => told('context'));
  time('sum the log up for the list', () => void summarizeLog(file, readFileSync(file)));
});

rmSync(folder, { recursive: true });
