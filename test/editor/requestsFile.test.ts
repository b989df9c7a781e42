import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepSecret } from '../../src/agent/secrets/knownSecrets';
import { requestsFile } from '../../src/editor/requestsFile';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-requests-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the file of requests', () => {
  it('has one body a line, and begins empty', () => {
    const file = join(folder, 'out', 'requests.jsonl');
    requestsFile(file)('{"n":0}');
    const record = requestsFile(file);
    record('{"n":1}');
    record('{"n":3}');
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":3}\n');
  });

  it('masks the key in a body', () => {
    keepSecret('sk-ant-of-this-test');
    const file = join(folder, 'requests.jsonl');
    requestsFile(file)('{"text":"sk-ant-of-this-test"}');
    expect(readFileSync(file, 'utf8')).toBe('{"text":"[API key]"}\n');
  });
});
