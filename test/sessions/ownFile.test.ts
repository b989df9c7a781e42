import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestsFile } from '../../src/editor/requestsFile';
import { openOwnFile, reopenOwnFile, writeOwnFile } from '../../src/sessions/ownFile';
import { SessionLog } from '../../src/sessions/sessionLog';
import { tempFolder } from '../tools/support/tempFolder';

const rightsOf = (file: string) => statSync(file).mode & 0o777;

const EVENT = { at: 1, type: 'stateSet', key: 'k', value: 1 } as const;

/** Each way in which Plimsoll writes a file of its own. */
const WAYS: Readonly<Record<string, (file: string) => void>> = {
  'a file that is replaced': (file) => writeOwnFile(file, 'new', 'replace'),
  'a file that is appended to': (file) => writeOwnFile(file, 'new', 'append'),
  'a session log': (file) => SessionLog.open(file, 0).append(EVENT),
  'the requests that were sent': (file) => requestsFile(file)('{}'),
};

describe.runIf(process.platform !== 'win32')('a file of Plimsoll’s own', () => {
  it.each(Object.entries(WAYS))('is readable by its owner only: %s', (_, write) => {
    const folder = tempFolder();
    const file = join(folder, 'new');
    write(file);
    expect(rightsOf(file)).toBe(0o600);
    const wide = join(folder, 'wide');
    writeFileSync(wide, '');
    chmodSync(wide, 0o666);
    write(wide);
    expect(rightsOf(wide)).toBe(0o600);
    expect(statSync(wide).size).toBeGreaterThan(0);
  });

  it.each(Object.entries(WAYS))('is never written through a link: %s', (_, write) => {
    const folder = tempFolder();
    const target = join(folder, 'target');
    writeFileSync(target, '');
    symlinkSync(target, join(folder, 'link'));
    expect(() => write(join(folder, 'link'))).toThrow(/ELOOP|link/);
    expect(readFileSync(target, 'utf8')).toBe('');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    expect(() => write(join(folder, 'dangling'))).toThrow(/ELOOP|link/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it.each(Object.entries(WAYS))('is not a folder, pipe or device: %s', (_, write) => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(() => write(join(folder, 'sub'))).toThrow();
    expect(() => write(join(folder, 'pipe'))).toThrow();
    expect(() => write('/dev/null')).toThrow(/not a plain file/);
  });

  it('is no longer written once a link replaces a log', () => {
    const folder = tempFolder();
    const file = join(folder, 'log');
    const log = SessionLog.open(file, 0);
    execFileSync('mv', [file, join(folder, 'moved')]);
    symlinkSync(join(folder, 'moved'), file);
    expect(() => log.append(EVENT)).toThrow(/could not be/);
    expect(readFileSync(join(folder, 'moved'), 'utf8')).toBe('');
    expect(() => reopenOwnFile(file)).toThrow();
  });

  it('keeps its content if appended to, and loses it if replaced', () => {
    const file = join(tempFolder(), 'file');
    writeOwnFile(file, 'one ', 'append');
    writeOwnFile(file, new TextEncoder().encode('two'), 'append');
    expect(readFileSync(file, 'utf8')).toBe('one two');
    closeSync(openOwnFile(file, 'append'));
    expect(readFileSync(file, 'utf8')).toBe('one two');
    writeOwnFile(file, 'three', 'replace');
    expect(readFileSync(file, 'utf8')).toBe('three');
  });
});
