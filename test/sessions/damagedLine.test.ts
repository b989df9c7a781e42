import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLogBytes } from '../../src/sessions/readSessionLog';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog } from './support/sampleEvents';
import { EVENTS, line, readWhole } from './support/storedLog';

describe('a damaged line', () => {
  /** The lost lines that are reported for a log of this text; the file must stay unchanged. */
  function left(text: string | Buffer) {
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    const before = readFileSync(file);
    const result = readWhole(file);
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

  it('is the only line left out, and is reported with its number and type', () => {
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

  it('is reported with a field deep inside, or an unknown type', () => {
    const reply = { ...EVENTS[2], parts: [{ type: 'toolUse', use: { id: 'a', name: 'b' } }] };
    expect(left(first + line(reply)).warning).toContain('parts.0.use.input: expected an object');
    expect(left(`${first}{"type":"tea","at":1}\n${second}`).warning).toContain('an event "tea"');
    expect(left(`${first}\n${second}`).warning).toContain('its type is unreadable');
    expect(left(`${first}[]\nnull\n${second}`).damaged).toHaveLength(2);
    const notUtf8 = Buffer.concat([Buffer.from(first), Buffer.from([0xff, 0x0a])]);
    expect(left(notUtf8).warning).toContain('it is not JSON');
  });

  it('stays in the file if it is complete, and the next event begins a new line', () => {
    const { damaged, lineOpen } = left(`${first}{"type":"tea","at":1}`);
    expect([damaged.length, lineOpen]).toEqual([1, true]);
  });

  it('is listed with the first few of many', () => {
    expect(left(first + 'x\n'.repeat(9)).warning).toMatch(
      /Line 4 of FILE .* 6 more were left out, up to line 10\. Everything else is kept\.$/,
    );
  });

  it('is noticed even if it was removed from the file', () => {
    const lines = asLog(EVENTS).split('\n');
    const { warning, damaged } = left(lines.toSpliced(1, 2).join('\n'));
    expect(damaged).toMatchObject([{ number: 2, until: 3 }]);
    expect(warning).toBe('2 lines are missing before line 2 of FILE. Everything else is kept.');
  });

  it('takes no memory for a line number that the file cannot have', () => {
    const [begun = '', prompt = '', reply = ''] = asLog(EVENTS).split('\n');
    const log = (number: number): string =>
      [begun, prompt.replace('"line":2}', `"line":${number}}`), reply, ''].join('\n');
    expect(log(7)).toContain('"line":7}');
    for (const number of [1_000_000_000, 20_000_000, -5, 1.5]) {
      const { events, damaged, lines } = left(log(number));
      expect(events).toHaveLength(3);
      expect(damaged).toEqual([]);
      expect(lines).toBe(3);
    }
    // A run of missing lines that the file could have had is one entry.
    expect(left(log(100)).damaged).toMatchObject([{ number: 2, until: 99 }]);
  });

  it('costs nothing if only a line break was damaged', () => {
    for (const broken of [' ', '', '\x80', '"']) {
      const text = Buffer.from(asLog(EVENTS).replace('}\n{"at":3', `}${broken}{"at":3`), 'latin1');
      const { events, damaged } = left(text);
      expect(events).toEqual(EVENTS);
      expect(damaged).toEqual([]);
    }
  });

  it('is replaced by the name of the file if it was the first one', () => {
    const name = '2026-11-22-1f-2e.jsonl';
    const file = join(tempFolder({ [name]: `oops\n${second}${third}` }), name);
    const { events, warning } = readWhole(file);
    expect(events[0]).toEqual({
      at: 2,
      type: 'sessionStarted',
      version: 3,
      sessionId: '1f-2e',
      pinTaskAnchor: true,
    });
    expect(events.slice(1).map(({ type }) => type)).toEqual(['promptSubmitted', 'replyReceived']);
    expect(warning).toContain('Line 1 of');
    const lost = join(tempFolder({ [name]: second + third }), name);
    expect(readWhole(lost).events[0]).toMatchObject({ sessionId: '1f-2e' });
  });

  it('before the first one changes nothing', () => {
    expect(left(`oops\n${asLog(EVENTS)}`).events).toEqual(EVENTS);
  });

  it('invalidates the thinking of later replies, whose requests cannot be rebuilt', () => {
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

  it('is at most one if any single byte is damaged', () => {
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
