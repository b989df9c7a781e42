import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestsFile } from '../../src/host/requestsFile';
import { ripgrepPath } from '../../src/host/ripgrepPath';
import { SessionShelf } from '../../src/host/sessionShelf';
import { promptEvent } from '../support/drawing';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-shelf-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const DAY = Date.UTC(2026, 10, 21, 12);

function shelf() {
  let ids = 0;
  return new SessionShelf({ folder, now: () => DAY, makeId: () => `id-${++ids}` });
}

describe('the shelf of sessions', () => {
  it('has nothing to go on with at first', () => {
    expect(shelf().openLatest()).toEqual({ session: undefined });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names a log after the day and the id, and goes on with the one used last', () => {
    const first = shelf();
    first.start(true).append(promptEvent('old'));
    const [old] = [first.file!];
    const session = first.start(true);
    session.append(promptEvent('new'));
    utimesSync(old, new Date(0), new Date(0));
    expect(basename(first.file!)).toBe('2026-11-21-id-2.jsonl');
    first.close();

    const second = shelf();
    const { session: reopened, warning } = second.openLatest();
    expect(warning).toBeUndefined();
    expect(reopened?.window).toEqual(session.window);
    expect(second.file).toBe(join(folder, '2026-11-21-id-2.jsonl'));
    second.close();
  });

  it('opens a log again that another window wrote to', () => {
    const [first, second] = [shelf(), shelf()];
    const ours = first.start(true);
    second.openLatest().session?.append(promptEvent('theirs'));
    expect(() => ours.append(promptEvent('ours'))).toThrow(/changed by somebody else/);
    const { session } = first.reopen();
    session?.append(promptEvent('ours'));
    expect(session?.window.blocks.map((block) => 'text' in block && block.text)).toEqual([
      'theirs',
      'ours',
    ]);
    first.close();
    second.close();
  });

  it('says which log cannot be read, leaves it as it is, and begins another', () => {
    const first = shelf();
    first.start(true).append(promptEvent('task'));
    const file = first.file!;
    first.close();
    appendFileSync(file, 'not an event\n');
    const bytes = readFileSync(file);
    const second = new SessionShelf({ folder, now: () => DAY, makeId: () => 'other' });
    expect(second.openLatest()).toEqual({
      session: undefined,
      warning: `The session log ${file} cannot be read: line 3: it is not JSON.`,
    });
    second.start(true).append(promptEvent('new'));
    expect([readFileSync(file), readdirSync(folder).length]).toEqual([bytes, 2]);
    second.close();
  });

  it('says when the end of a log was lost', () => {
    const first = shelf();
    first.start(true).append(promptEvent('task'));
    const file = first.file!;
    first.close();
    appendFileSync(file, '{"type":"promptSub');
    const { session, warning } = shelf().openLatest();
    expect(session?.window.turn).toBe(1);
    expect(warning).toMatch(/cut off/);
  });
});

describe('the file of requests', () => {
  it('holds the bodies one a line, and begins empty', () => {
    const file = join(folder, 'out', 'requests.jsonl');
    requestsFile(file)('of an earlier run');
    const record = requestsFile(file);
    record('{"n":1}');
    record('{"n":3}');
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":3}\n');
  });
});

describe('ripgrep', () => {
  const find = (...there: readonly string[]) =>
    ripgrepPath({
      appRoot: '/code',
      platform: 'linux',
      arch: 'x64',
      exists: (path) => there.includes(path),
    });
  const UNIVERSAL = '/code/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg';
  const PACKED = '/code/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg';

  it('is found where this editor or an older one keeps it', () => {
    expect(find(UNIVERSAL, PACKED)).toBe(UNIVERSAL);
    expect(find(PACKED)).toBe(PACKED);
    expect(find()).toBeUndefined();
  });
});
