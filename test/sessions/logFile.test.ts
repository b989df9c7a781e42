import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withLogFile } from '../../src/sessions/logFile';
import { logLines } from '../../src/sessions/readSessionLog';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-log-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'log.jsonl');

describe('a log on disk', () => {
  it.each([
    ['short lines', [3, 0, 5, 1]],
    ['a line break at the end of a piece', [999_999, 5, 999_993, 7]],
    ['lines across pieces', [700_000, 700_000, 700_000, 2]],
    ['lines longer than a piece', [2, 1_000_000, 3_500_000, 0, 4]],
  ])('is cut into the same lines as in memory: %s', (_, lengths) => {
    for (const end of ['', '\n']) {
      const lines = lengths.map((length, at) => String(at % 10).repeat(length));
      const text = lines.join('\n') + end;
      writeFileSync(file, text);
      const read = withLogFile(file, (bytes) =>
        Array.from(logLines(bytes), (line) => ({ ...line, bytes: line.bytes.toString() })),
      );
      const starts = lines.map((_, at) => lines.slice(0, at).join('\n').length + Math.min(at, 1));
      const last = lines.length - 1;
      expect(read).toEqual(
        lines.map((line, at) => ({
          number: at + 1,
          bytes: line,
          start: starts[at],
          isClosed: at < last || end !== '',
        })),
      );
    }
  });

  it('is not read when it becomes shorter meanwhile', () => {
    writeFileSync(file, 'x'.repeat(3_000));
    const shortened = () =>
      withLogFile(file, (bytes) => {
        truncateSync(file, 10);
        return [...logLines(bytes)];
      });
    expect(shortened).toThrow('became shorter');
  });
});
