import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog, dated, prompt } from './support/sampleEvents';
import { EVENTS, line, readWhole } from './support/storedLog';

/** The problem with a log of this text; the file must stay unchanged. */
function problemWith(text: string | Buffer): string {
  const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
  const before = readFileSync(file);
  const result = readSessionLog(file);
  expect(readFileSync(file)).toEqual(before);
  if (result.ok) throw new Error('the log was read');
  return result.message.replace(file, 'FILE');
}

describe('a torn last line', () => {
  it('is left out with a warning, wherever it was torn', () => {
    const whole = Buffer.from(asLog([...EVENTS.slice(0, 2), ...dated(prompt('Ünïcödé 😀'))]));
    const good = Buffer.byteLength(asLog(EVENTS.slice(0, 2)));
    const folder = tempFolder();
    for (let cut = good + 1; cut < whole.length - 1; cut++) {
      const file = join(folder, `${cut}.jsonl`);
      writeFileSync(file, whole.subarray(0, cut));
      const result = readWhole(file);
      expect(result).toMatchObject({ goodBytes: good, lineOpen: false });
      expect(result.events).toEqual(EVENTS.slice(0, 2));
      expect(result.warning).toBe(
        `The last line of ${file} was cut off while it was written (${cut - good} bytes) and was left out.`,
      );
      expect(statSync(file).size).toBe(cut);
    }
  });

  it('is complete if only the line break is missing', () => {
    const text = asLog(EVENTS).trimEnd();
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    const result = readWhole(file);
    expect(result).toMatchObject({ lineOpen: true, goodBytes: text.length });
    expect(result.events).toEqual(EVENTS);
    expect(result.warning).toBeUndefined();
  });

  it('may consist of the NUL bytes of a power cut', () => {
    const file = join(tempFolder({ 'log.jsonl': `${asLog(EVENTS)}\0\0\0` }), 'log.jsonl');
    expect(readWhole(file)).toMatchObject({
      events: EVENTS,
      warning: expect.stringContaining('3 bytes'),
    });
  });
});

describe('a log that another program changed', () => {
  it('may repeat lines: they are read once and reported', () => {
    const lines = asLog(EVENTS).trimEnd().split('\n');
    const twice = [...lines, lines[2], lines[3]].map((each) => `${each}\n`).join('');
    const file = join(tempFolder({ 'log.jsonl': twice }), 'log.jsonl');
    expect(readWhole(file)).toMatchObject({
      events: EVENTS,
      damaged: [],
      warning: `Lines 5, 6 of ${file} repeat earlier lines and were left out; nothing is lost.`,
    });
    const once = join(
      tempFolder({ 'log.jsonl': twice.slice(0, -lines[3]!.length - 1) }),
      'log.jsonl',
    );
    expect(readWhole(once).warning).toBe(
      `Line 5 of ${once} repeats an earlier line and was left out; nothing is lost.`,
    );
  });

  it('may begin with a byte order mark, which does not harm its first line', () => {
    const file = join(tempFolder({ 'log.jsonl': `\ufeff${asLog(EVENTS)}` }), 'log.jsonl');
    const result = readWhole(file);
    expect(result).toMatchObject({ events: EVENTS, damaged: [] });
    expect(result.warning).toBeUndefined();
  });
});

describe('a log that cannot be read', () => {
  it('has another version, is not a log, or is empty', () => {
    expect(problemWith(line({ ...EVENTS[0], version: 4 }))).toBe(
      'The session log FILE cannot be read: it has version 4, and this Plimsoll reads ' +
        'version 3 only. The file was not changed. Update Plimsoll to open it.',
    );
    expect(problemWith(line({ ...EVENTS[0], version: 2 }))).toBe(
      'The session log FILE cannot be read: it has version 2, and this Plimsoll reads ' +
        'version 3 only. The file was not changed. ' +
        'Start a new session, or open this one with the Plimsoll that wrote it.',
    );
    expect(problemWith('{"name":"package"}\n')).toContain('it is not a session log');
    for (const text of ['', '{"type":"sessionSta', '\0\0']) {
      expect(problemWith(text)).toContain('it is empty: the session has no events yet');
    }
    expect(readSessionLog(join(tempFolder(), 'gone.jsonl'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('gone.jsonl cannot be read: ENOENT'),
    });
  });

  it('holds two sessions', () => {
    const other = { ...EVENTS[0]!, sessionId: 's-2' } as (typeof EVENTS)[0];
    expect(problemWith(asLog([...EVENTS, other]))).toContain('a second session begins in line 5');
  });

  it('may hold unknown fields, which are kept', () => {
    const event = { ...EVENTS[1]!, mood: 'good' };
    const text = asLog([EVENTS[0]!, event]);
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    expect(asLog(readWhole(file).events)).toBe(text);
  });
});
