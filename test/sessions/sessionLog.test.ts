import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { openLog, SessionLog, SessionLogError } from '../../src/sessions/sessionLog';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { actions, play } from '../support/randomSession';
import { tempFolder } from '../tools/support/tempFolder';
import { anyLog } from './support/anyEvent';
import { asLog } from './support/sampleEvents';
import { EVENTS, readWhole } from './support/storedLog';
import { runs } from '../support/runs';

const posix = process.platform !== 'win32';

describe('SessionLog', () => {
  it('stores each event on a line, immediately', () => {
    const file = join(tempFolder(), 'log.jsonl');
    const log = openLog(file);
    for (const [index, event] of EVENTS.entries()) {
      log.append(event);
      expect(readFileSync(file, 'utf8')).toBe(asLog(EVENTS.slice(0, index + 1)));
    }
    log.close();
    expect(readWhole(file)).toEqual({
      ok: true,
      events: EVENTS,
      goodBytes: statSync(file).size,
      lineOpen: false,
      lines: EVENTS.length,
      damaged: [],
    });
  });

  it('refuses an event that could not be read back, and continues unchanged', () => {
    const file = join(tempFolder(), 'log.jsonl');
    const log = openLog(file);
    log.append(EVENTS[0]!);
    const broken = { at: 1, type: 'windowCounted', tokens: NaN, source: 'countTokens' } as const;
    let deep: unknown[] = [];
    for (let levels = 0; levels < 100_000; levels++) deep = [deep];
    const tooDeep = { at: 1, type: 'stateSet', key: 'k', value: deep as never } as const;
    expect(() => log.append(broken)).toThrow(/\(windowCounted\) was not written .*tokens/);
    expect(() => log.appendAll([EVENTS[1]!, broken])).toThrow(SessionLogError);
    expect(() => log.append(tooDeep)).toThrow(/\(stateSet\) was not written/);
    log.append(EVENTS[1]!);
    log.close();
    expect(readFileSync(file, 'utf8')).toBe(asLog(EVENTS.slice(0, 2)));
  });

  it.runIf(posix)('is readable by its owner only, and so are its folders', () => {
    const folder = tempFolder();
    const log = openLog(join(folder, 'made', 'for it', 'log.jsonl'));
    log.close();
    expect(statSync(log.file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'made', 'for it')).mode & 0o777).toBe(0o700);
  });

  it('does not overwrite a log, but uses an empty file', () => {
    const folder = tempFolder({ 'log.jsonl': 'x', 'empty.jsonl': '' });
    expect(() => openLog(join(folder, 'log.jsonl'))).toThrow('exists already');
    openLog(join(folder, 'empty.jsonl')).close();
    expect(readFileSync(join(folder, 'log.jsonl'), 'utf8')).toBe('x');
  });

  it('continues after the valid part', () => {
    const good = asLog(EVENTS.slice(0, 2));
    const file = join(tempFolder({ 'log.jsonl': `${good}{"type":"prom` }), 'log.jsonl');
    const log = SessionLog.open(file, Buffer.byteLength(good), 2);
    log.append(EVENTS[2]!);
    log.close();
    expect(readFileSync(file, 'utf8')).toBe(asLog(EVENTS.slice(0, 3)));
  });

  it('names the file that could not be opened or written', () => {
    const folder = tempFolder({ file: '' });
    const inFile = join(folder, 'file', 'log.jsonl');
    expect(() => openLog(inFile)).toThrow(SessionLogError);
    expect(() => openLog(inFile)).toThrow(`The session log ${inFile} could not be opened: E`);
    const log = openLog(join(folder, 'log.jsonl'));
    log.close();
    log.close();
    expect(() => log.append(EVENTS[0]!)).toThrow('is closed');
  });

  it('writes nothing once the log was deleted', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    rmSync(log.file);
    expect(() => log.append(EVENTS[1]!)).toThrow(/could not be written: ENOENT/);
    expect(existsSync(log.file)).toBe(false);
  });

  it('continues after it was closed, unless another program wrote to it', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    log.close();
    log.reopen();
    log.append(EVENTS[1]!);
    log.close();
    appendFileSync(log.file, 'x');
    expect(() => log.reopen()).toThrow('was changed by something else');
    expect(() => log.append(EVENTS[2]!)).toThrow('is closed');
  });

  it('stops writing once another program wrote to it', () => {
    const log = openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    appendFileSync(log.file, `${JSON.stringify(EVENTS[1]!)}\n`);
    expect(() => log.append(EVENTS[2]!)).toThrow('was changed by something else');
    log.close();
    expect(readWhole(log.file).events).toEqual(EVENTS.slice(0, 2));
  });

  it('reproduces any sequence of events, and the same window', () => {
    const folder = tempFolder();
    let logs = 0;
    fc.assert(
      fc.property(anyLog, (events) => {
        const file = join(folder, `${++logs}.jsonl`);
        const log = openLog(file);
        for (const event of events) log.append(event);
        log.close();
        const back = readWhole(file).events;
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
        const again = fold(readWhole(file).events);
        expect(JSON.stringify(toRequest(again))).toBe(JSON.stringify(toRequest(window)));
        expect(again).toEqual(window);
      }),
      { numRuns: runs(15, 300) },
    );
    expect(passes).toBeGreaterThan(10);
  });
});
