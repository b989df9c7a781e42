import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { openLog, SessionLog, SessionLogError } from '../../src/sessions/sessionLog';
import { actions, play } from '../support/randomSession';
import { tempFolder } from '../tools/support/tempFolder';
import { anyLog } from './support/anyEvent';
import { asLog, callsTools, dated, finished, prompt, started } from './support/sampleEvents';

const EVENTS = dated(started, prompt('Fix it'), callsTools('a'), finished('a'));
const posix = process.platform !== 'win32';

function read(file: string) {
  const result = readSessionLog(file);
  if (!result.ok) throw new Error(result.message);
  return result;
}

/** What is wrong with a log of this text; nothing on disk may change. */
function problemWith(text: string | Buffer): string {
  const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
  const before = readFileSync(file);
  const result = readSessionLog(file);
  expect(readFileSync(file)).toEqual(before);
  if (result.ok) throw new Error('the log was read');
  return result.message.replace(file, 'FILE');
}

describe('SessionLog', () => {
  it('stores one event a line, at once', () => {
    const file = join(tempFolder(), 'log.jsonl');
    const log = openLog(file);
    for (const [index, event] of EVENTS.entries()) {
      log.append(event);
      expect(readFileSync(file, 'utf8')).toBe(asLog(EVENTS.slice(0, index + 1)));
    }
    log.close();
    expect(read(file)).toEqual({
      ok: true,
      events: EVENTS,
      goodBytes: statSync(file).size,
      lineOpen: false,
    });
  });

  it.runIf(posix)('is readable by its owner only, the folders it makes too', () => {
    const folder = tempFolder();
    const log = openLog(join(folder, 'made', 'for it', 'log.jsonl'));
    log.close();
    expect(statSync(log.file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'made', 'for it')).mode & 0o777).toBe(0o700);
  });

  it('does not begin where a log stands, but takes an empty file', () => {
    const folder = tempFolder({ 'log.jsonl': 'x', 'empty.jsonl': '' });
    expect(() => openLog(join(folder, 'log.jsonl'))).toThrow('exists already');
    openLog(join(folder, 'empty.jsonl')).close();
    expect(readFileSync(join(folder, 'log.jsonl'), 'utf8')).toBe('x');
  });

  it('goes on behind the good part', () => {
    const good = asLog(EVENTS.slice(0, 2));
    const file = join(tempFolder({ 'log.jsonl': `${good}{"type":"prom` }), 'log.jsonl');
    const log = SessionLog.open(file, Buffer.byteLength(good));
    log.append(EVENTS[2]!);
    log.close();
    expect(readFileSync(file, 'utf8')).toBe(asLog(EVENTS.slice(0, 3)));
  });

  it('says which file could not be opened or written', () => {
    const folder = tempFolder({ file: '' });
    const inFile = join(folder, 'file', 'log.jsonl');
    expect(() => openLog(inFile)).toThrow(SessionLogError);
    expect(() => openLog(inFile)).toThrow(`The session log ${inFile} could not be opened: E`);
    const log = openLog(join(folder, 'log.jsonl'));
    log.close();
    log.close();
    expect(() => log.append(EVENTS[0]!)).toThrow('is closed');
  });

  it.runIf(existsSync('/dev/full'))('throws when the disk is full', () => {
    const log = SessionLog.open('/dev/full', 0);
    expect(() => log.append(EVENTS[0]!)).toThrow(/could not be written: ENOSPC/);
    log.close();
  });

  it('writes nothing more once somebody else wrote into it', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    appendFileSync(log.file, asLog([EVENTS[1]!]));
    expect(() => log.append(EVENTS[2]!)).toThrow('was changed by somebody else');
    log.close();
    expect(read(log.file).events).toEqual(EVENTS.slice(0, 2));
  });

  it('gives back any sequence of events, and the same window', () => {
    const folder = tempFolder();
    let logs = 0;
    fc.assert(
      fc.property(anyLog, (events) => {
        const file = join(folder, `${++logs}.jsonl`);
        const log = openLog(file);
        for (const event of events) log.append(event);
        log.close();
        const back = read(file).events;
        expect(back).toEqual(events);
        expect(JSON.stringify(back)).toBe(JSON.stringify(events));
        expect(fold(back)).toEqual(fold(events));
        expect(JSON.stringify(toRequest(fold(back)))).toBe(JSON.stringify(toRequest(fold(events))));
      }),
    );
  });

  it('gives the same request after a reload, passes included', () => {
    const folder = tempFolder();
    let logs = 0;
    let passes = 0;
    const budget = {
      contextWindowTokens: 10_000,
      maxReplyTokens: 500,
      safetyHeadroomTokens: 100,
      toolResultHeadroomTokens: 400,
      highWatermark: 0.8,
      lowWatermark: 0.5,
      inputBudget: 9_000,
      highTokens: 7_200,
      lowTokens: 4_500,
    };
    fc.assert(
      fc.property(actions, fc.boolean(), (script, compaction) => {
        const { events, window } = play(script, budget, compaction);
        const file = join(folder, `${++logs}.jsonl`);
        const log = openLog(file);
        for (const event of events) log.append(event);
        log.close();
        passes += events.filter(({ type }) => type === 'passApplied').length;
        const again = fold(read(file).events);
        expect(JSON.stringify(toRequest(again))).toBe(JSON.stringify(toRequest(window)));
        expect(again).toEqual(window);
      }),
      { numRuns: 40 },
    );
    expect(passes).toBeGreaterThan(10);
  });
});

describe('a torn last line', () => {
  it('is left out with a warning wherever it was torn', () => {
    const whole = Buffer.from(asLog([...EVENTS.slice(0, 2), ...dated(prompt('Ünïcödé 😀'))]));
    const good = Buffer.byteLength(asLog(EVENTS.slice(0, 2)));
    const folder = tempFolder();
    for (let cut = good + 1; cut < whole.length - 1; cut++) {
      const file = join(folder, `${cut}.jsonl`);
      writeFileSync(file, whole.subarray(0, cut));
      const result = read(file);
      expect(result).toMatchObject({ goodBytes: good, lineOpen: false });
      expect(result.events).toEqual(EVENTS.slice(0, 2));
      expect(result.warning).toBe(
        `The last line of ${file} was cut off while it was being written (${cut - good} bytes); it is left out.`,
      );
      expect(statSync(file).size).toBe(cut);
    }
  });

  it('is no torn line when only the line break is missing', () => {
    const text = asLog(EVENTS).trimEnd();
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    const result = read(file);
    expect(result).toMatchObject({ lineOpen: true, goodBytes: text.length });
    expect(result.events).toEqual(EVENTS);
    expect(result.warning).toBeUndefined();
  });

  it('may be what a power cut leaves: NUL bytes', () => {
    const file = join(tempFolder({ 'log.jsonl': `${asLog(EVENTS)}\0\0\0` }), 'log.jsonl');
    expect(read(file)).toMatchObject({
      events: EVENTS,
      warning: expect.stringContaining('3 bytes'),
    });
  });
});

describe('a log that cannot be read', () => {
  const line = (event: object) => `${JSON.stringify(event)}\n`;

  it('names the line that is wrong and what is wrong with it', () => {
    const [first, second, third] = EVENTS.map((event) => line(event));
    expect(problemWith(`${first}oops\n${second}`)).toBe(
      'The session log FILE cannot be read: line 2: it is not JSON.',
    );
    expect(problemWith(`${first}${second}\n${third}`)).toContain('line 3: it is not JSON');
    expect(problemWith(`${first}[]\n`)).toContain('line 2: ');
    expect(problemWith(`${first}null\n`)).toContain('line 2: it is not JSON');
    expect(problemWith(`${first}{"type":"promptSubmitted","at":1}\n${second}`)).toMatch(
      /line 2: text: .*string/,
    );
    expect(problemWith(`${first}{"type":"tea","at":1}\n`)).toContain('line 2: type: ');
    expect(problemWith(Buffer.concat([Buffer.from(first!), Buffer.from([0xff, 0x0a])]))).toContain(
      'line 2: it is not JSON',
    );
  });

  it('names a field deep inside', () => {
    const reply = { ...EVENTS[2], parts: [{ type: 'toolUse', use: { id: 'a', name: 'b' } }] };
    expect(problemWith(line(EVENTS[0]!) + line(reply))).toContain(
      'line 2: parts.0.use.input: expected an object',
    );
  });

  it('is wrong even in the last line when that line is whole', () => {
    expect(problemWith(`${line(EVENTS[0]!)}{"type":"tea","at":1}`)).toContain('line 2: type: ');
  });

  it('is of another version, is no log, or is empty', () => {
    expect(problemWith(line({ ...EVENTS[0], version: 2 }))).toBe(
      'The session log FILE cannot be read: line 1: it has version 2, and this Plimsoll reads ' +
        'version 1. Update Plimsoll to open it.',
    );
    expect(problemWith(line(EVENTS[1]!))).toContain('this is no session log');
    expect(problemWith('{"name":"package"}\n')).toContain('this is no session log');
    expect(problemWith('')).toContain('it is empty');
    expect(problemWith('{"type":"sessionSta')).toContain('line 1: it is not JSON');
    expect(readSessionLog(join(tempFolder(), 'gone.jsonl'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('gone.jsonl cannot be read: ENOENT'),
    });
  });

  it('holds two sessions', () => {
    expect(problemWith(asLog([...EVENTS, EVENTS[0]!]))).toContain(
      'line 5: a second session begins here',
    );
  });

  it('may hold fields this version does not know: they are kept', () => {
    const event = { ...EVENTS[1]!, mood: 'good' };
    const text = asLog([EVENTS[0]!, event]);
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    expect(asLog(read(file).events)).toBe(text);
  });
});
