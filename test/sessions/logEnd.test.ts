import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import { readLogEnd } from '../../src/sessions/logSummary';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog, callsTools, dated, finished, prompt, started } from './support/sampleEvents';

/** A turn whose one result has this many characters. */
const turn = (id: string, chars = 0): readonly NewEvent[] => [
  prompt(`Turn ${id}`),
  callsTools(id),
  { ...finished(id), text: 'x'.repeat(chars) } as NewEvent,
];

function logOf(...events: readonly NewEvent[]): string {
  const file = join(tempFolder(), '2026-11-22-s-1.jsonl');
  writeFileSync(file, asLog(dated(...events)));
  return file;
}

it('reads the last whole turns, the same as in the whole log', () => {
  const turns = Array.from({ length: 9 }, (_, index) => turn(`${index + 1}`, 100_000));
  const file = logOf(started, ...turns.flat());
  const end = readLogEnd(file);
  const all = readSessionLog(file);
  expect(end?.sessionId).toBe('s-1');
  expect(end?.title).toBe('Turn 1');
  expect(end?.events[0]).toMatchObject({ type: 'promptSubmitted', text: 'Turn 7', turn: 7 });
  expect(end?.events).toEqual(all.ok && all.events.slice(-9));
});

it('reads all turns of a short log', () => {
  const end = readLogEnd(logOf(started, ...turn('one'), ...turn('two')));
  expect(end?.events).toHaveLength(6);
});

it('omits an unreadable line and a torn one', () => {
  const file = logOf(started, ...turn('one'));
  appendFileSync(file, '{"at":9,"type":"nothing we know"}\n{"at":9,"type":"promptSubm');
  expect(readLogEnd(file)?.events).toHaveLength(3);
});

it('reads nothing if the last turn alone is too long, or the log has another version or no event', () => {
  const long = Array.from({ length: 9 }, (_, index) => turn(`${index}`, 100_000).slice(1));
  expect(readLogEnd(logOf(started, prompt('A long turn'), ...long.flat()))).toBeUndefined();
  const older = { ...started, version: 1 } as unknown as NewEvent;
  expect(readLogEnd(logOf(older, ...turn('one')))).toBeUndefined();
  expect(readLogEnd(logOf())).toBeUndefined();
});

it('throws if the file is missing', () => {
  expect(() => readLogEnd(join(tempFolder(), 'gone.jsonl'))).toThrow(/ENOENT/);
});
