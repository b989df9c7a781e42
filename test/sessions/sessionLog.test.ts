import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request';
import { readLogBytes, readSessionLog } from '../../src/sessions/readSessionLog';
import { openLog, SessionLog, SessionLogError } from '../../src/sessions/sessionLog';
import { POLICY_SETTINGS } from '../support/agentSettings';
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
      lines: EVENTS.length,
      damaged: [],
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
    const log = SessionLog.open(file, Buffer.byteLength(good), 2);
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

  it('writes nothing to where nobody finds it once the log was deleted', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    rmSync(log.file);
    expect(() => log.append(EVENTS[1]!)).toThrow(/could not be written: ENOENT/);
    expect(existsSync(log.file)).toBe(false);
  });

  it('goes on after it was closed, unless somebody wrote to it', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    log.close();
    log.goOn();
    log.append(EVENTS[1]!);
    log.close();
    appendFileSync(log.file, 'x');
    expect(() => log.goOn()).toThrow('was changed by somebody else');
    expect(() => log.append(EVENTS[2]!)).toThrow('is closed');
  });

  it('writes nothing more once somebody else wrote into it', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    appendFileSync(log.file, `${JSON.stringify(EVENTS[1]!)}\n`);
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
        const { events, window } = play(script, budget, {
          ...POLICY_SETTINGS,
          summaries: compaction,
        });
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

const line = (event: object) => `${JSON.stringify(event)}\n`;

describe('a damaged line', () => {
  /** What a log of this text says is lost; nothing on disk may change. */
  function left(text: string | Buffer) {
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    const before = readFileSync(file);
    const result = read(file);
    expect(readFileSync(file)).toEqual(before);
    expect(result.goodBytes).toBe(before.length);
    return { ...result, warning: result.warning?.replaceAll(file, 'FILE') };
  }
  const [first, second, third, fourth] = EVENTS.map((event) => line(event)) as [
    string,
    string,
    string,
    string,
  ];

  it('is left out alone, and its number and what it was are said', () => {
    const { warning, events, damaged } = left(first + second + third.slice(0, -30) + '\n' + fourth);
    expect(warning).toBe(
      `Line 3 of FILE is damaged and was left out (a reply of the model, ${third.length - 30} bytes: ` +
        'it is not JSON). Everything else is kept.',
    );
    expect(damaged.map(({ number }) => number)).toEqual([3]);
    expect(events.map(({ type }) => type)).toEqual([
      'sessionStarted',
      'promptSubmitted',
      'toolFinished',
    ]);
  });

  it('names a field deep inside, and a type nobody knows', () => {
    const reply = { ...EVENTS[2], parts: [{ type: 'toolUse', use: { id: 'a', name: 'b' } }] };
    expect(left(first + line(reply)).warning).toContain('parts.0.use.input: expected an object');
    expect(left(`${first}{"type":"tea","at":1}\n${second}`).warning).toContain('an event "tea"');
    expect(left(`${first}\n${second}`).warning).toContain('can no longer be told');
    expect(left(`${first}[]\nnull\n${second}`).damaged).toHaveLength(2);
    const notUtf8 = Buffer.concat([Buffer.from(first), Buffer.from([0xff, 0x0a])]);
    expect(left(notUtf8).warning).toContain('it is not JSON');
  });

  it('is no torn one when it is whole: it stays, and what follows begins a new line', () => {
    const { damaged, lineOpen } = left(`${first}{"type":"tea","at":1}`);
    expect([damaged.length, lineOpen]).toEqual([1, true]);
  });

  it('says the first few of many', () => {
    expect(left(first + 'x\n'.repeat(9)).warning).toMatch(
      /Line 4 of FILE .* So were 6 more, up to line 10\. Everything else is kept\.$/,
    );
  });

  it('is missed even where it was taken out without a trace', () => {
    const lines = asLog(EVENTS).split('\n');
    const { warning, damaged } = left(lines.toSpliced(1, 2).join('\n'));
    expect(damaged.map(({ number }) => number)).toEqual([2, 3]);
    expect(warning).toBe(
      'A line is missing before line 2 of FILE. A line is missing before line 2 of FILE. ' +
        'Everything else is kept.',
    );
  });

  it('costs nothing where only a line break was hit', () => {
    for (const broken of [' ', '', '\x80', '"']) {
      const text = Buffer.from(asLog(EVENTS).replace('}\n{"at":3', `}${broken}{"at":3`), 'latin1');
      const { events, damaged } = left(text);
      expect(events).toEqual(EVENTS);
      expect(damaged).toEqual([]);
    }
  });

  it('as the first one is made up for by the name of the file', () => {
    const name = '2026-11-22-1f-2e.jsonl';
    const file = join(tempFolder({ [name]: `oops\n${second}${third}` }), name);
    const { events, warning } = read(file);
    expect(events[0]).toEqual({
      at: 2,
      type: 'sessionStarted',
      version: 2,
      sessionId: '1f-2e',
      pinTaskAnchor: true,
    });
    expect(events.slice(1).map(({ type }) => type)).toEqual(['promptSubmitted', 'replyReceived']);
    expect(warning).toContain('Line 1 of');
    const lost = join(tempFolder({ [name]: second + third }), name);
    expect(read(lost).events[0]).toMatchObject({ sessionId: '1f-2e' });
  });

  it('in front of the first one changes nothing', () => {
    expect(left(`oops\n${asLog(EVENTS)}`).events).toEqual(EVENTS);
  });

  it('takes the thinking of later replies along, whose requests nobody can build again', () => {
    const edited = (text: string) =>
      left(text).events.flatMap((event) =>
        event.type === 'replyReceived' ? [event.editedMeanwhile] : [],
      );
    const note = line({ at: 9, type: 'stateSet', key: 'plimsoll.damagedLines', value: [3] });
    expect(edited(`${first}${third}oops\n${third}${third}`)).toEqual([undefined, true, true]);
    expect(edited(`${first}${third}oops\n${third}${note}${third}`)).toEqual([
      undefined,
      true,
      undefined,
    ]);
  });

  it('is at most one where one byte was hit, wherever', () => {
    const text = Buffer.from(asLog(EVENTS));
    for (let at = 0; at < text.length - 1; at++) {
      for (const byte of [0x00, 0x0a, 0x7b, text[at]! ^ 0x80]) {
        const hit = Buffer.from(text);
        hit[at] = byte;
        const result = readLogBytes('log.jsonl', hit);
        expect(result.ok && result.events.length).toBeGreaterThanOrEqual(EVENTS.length - 1);
      }
    }
  });
});

describe('a log that cannot be read', () => {
  it('is of a newer version, is no log, or is empty', () => {
    expect(problemWith(line({ ...EVENTS[0], version: 3 }))).toBe(
      'The session log FILE cannot be read: it has version 3, and this Plimsoll reads ' +
        'versions 1 to 2. Update Plimsoll to open it.',
    );
    expect(problemWith('{"name":"package"}\n')).toContain('this is no session log');
    for (const text of ['', '{"type":"sessionSta', '\0\0']) {
      expect(problemWith(text)).toContain('it is empty: nothing had happened yet');
    }
    expect(readSessionLog(join(tempFolder(), 'gone.jsonl'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('gone.jsonl cannot be read: ENOENT'),
    });
  });

  it('holds two sessions', () => {
    const other = { ...EVENTS[0]!, sessionId: 's-2' } as (typeof EVENTS)[0];
    expect(problemWith(asLog([...EVENTS, other]))).toContain('in line 5 a second session begins');
  });

  it('may hold fields this version does not know: they are kept', () => {
    const event = { ...EVENTS[1]!, mood: 'good' };
    const text = asLog([EVENTS[0]!, event]);
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    expect(asLog(read(file).events)).toBe(text);
  });
});
