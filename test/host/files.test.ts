import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestsFile } from '../../src/host/requestsFile';
import { ripgrepPath } from '../../src/host/ripgrepPath';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
