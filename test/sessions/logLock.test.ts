import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLocked, lockFile, lockLog } from '../../src/sessions/logLock';
import { tempFolder } from '../tools/support/tempFolder';

const logIn = (folder = tempFolder()) => join(folder, 'log.jsonl');

function left(holder: object): string {
  const file = logIn();
  writeFileSync(lockFile(file), JSON.stringify(holder));
  return file;
}

/** The number of a process that has ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('the lock of a log', () => {
  it('has one holder at a time', () => {
    const file = logIn();
    const first = lockLog(file);
    expect([first.ok, isLocked(file)]).toEqual([true, true]);
    expect(lockLog(file)).toEqual({
      ok: false,
      message: 'This session is open in another window; only one window can write its log.',
    });
    if (first.ok) first.lock.release();
    expect([isLocked(file), existsSync(lockFile(file))]).toEqual([false, false]);
    expect(lockLog(file).ok).toBe(true);
  });

  it('is taken over from a process that has ended', () => {
    const file = left({ pid: endedPid(), host: hostname(), id: 'x' });
    expect(isLocked(file)).toBe(false);
    expect(lockLog(file).ok).toBe(true);
    expect(isLocked(file)).toBe(true);
    expect(readdirSync(join(file, '..'))).toEqual(['log.jsonl.lock']);
  });

  it('is not kept by an earlier process with the same number', () => {
    expect(lockLog(left({ pid: process.pid, host: hostname(), id: 'x' })).ok).toBe(true);
  });

  it('stays with a living process and with a process on another computer', async () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    onTestFinished(() => void other.kill('SIGKILL'));
    await once(other, 'spawn');
    expect(lockLog(left({ pid: other.pid, host: hostname(), id: 'x' })).ok).toBe(false);
    const file = left({ pid: 1, host: 'elsewhere', id: 'x' });
    expect(lockLog(file)).toMatchObject({
      message: expect.stringContaining(`on elsewhere (if that is not so, delete ${file}.lock)`),
    });
  });

  it.runIf(process.platform === 'linux')(
    'tells a reused process number from its former owner',
    () => {
      expect(lockLog(left({ pid: 1, host: hostname(), id: 'x', began: '1' })).ok).toBe(true);
    },
  );

  it('without a holder is being taken; an old one was abandoned', () => {
    const file = logIn();
    writeFileSync(lockFile(file), '');
    expect(lockLog(file).ok).toBe(false);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lockFile(file), longAgo, longAgo);
    expect(lockLog(file).ok).toBe(true);
  });

  it('of another holder is not released', () => {
    const file = logIn();
    const ours = lockLog(file);
    const theirs = JSON.stringify({ pid: 1, host: 'elsewhere', id: 'y' });
    writeFileSync(lockFile(file), theirs);
    if (ours.ok) ours.lock.release();
    expect(readFileSync(lockFile(file), 'utf8')).toBe(theirs);
  });
});
