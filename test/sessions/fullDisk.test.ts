import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../tools/support/tempFolder';
import { EVENTS } from './support/storedLog';

const disk = { isFull: false };
let sessionLog: typeof import('../../src/sessions/sessionLog');

beforeAll(async () => {
  // Other tests may have loaded it with a disk that is never full.
  vi.resetModules();
  vi.doMock('node:fs', async (original) => {
    const fs = await original<typeof import('node:fs')>();
    const writeSync = (fd: number, bytes: Uint8Array, offset: number) => {
      if (!disk.isFull) return fs.writeSync(fd, bytes, offset);
      // A part still fits, as on a real disk.
      fs.writeSync(fd, bytes, offset, 3);
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    return { ...fs, writeSync };
  });
  sessionLog = await import('../../src/sessions/sessionLog');
  vi.doUnmock('node:fs');
  vi.resetModules();
});

describe('a session log on a full disk', () => {
  it('reports the failure and stays unchanged', () => {
    onTestFinished(() => void (disk.isFull = false));
    const log = sessionLog.openLog(join(tempFolder(), 'log.jsonl'));
    log.append(EVENTS[0]!);
    const before = readFileSync(log.file, 'utf8');
    disk.isFull = true;
    expect(() => log.append(EVENTS[1]!)).toThrow(/could not be written: ENOSPC/);
    disk.isFull = false;
    expect(readFileSync(log.file, 'utf8')).toBe(before);
    log.append(EVENTS[1]!);
    expect(readFileSync(log.file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
    log.close();
  });
});
