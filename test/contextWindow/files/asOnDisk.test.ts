import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterShown } from '../../../src/contextWindow/files/fileModel';
import { asOnDisk } from '../../../src/contextWindow/files/asOnDisk';
import {
  afterEdit,
  afterRead,
  unknownFile,
  type KnownFile,
  type Sighting,
} from '../../../src/contextWindow/files/knownFile';
import type { ToolUseId } from '../../../src/contextWindow/block';

const by = (step: number): Sighting => ({ step, use: `toolu_${step}` as ToolUseId, in: 'result' });

const numbered = (lines: readonly string[], first = 1): string =>
  lines.map((line, index) => `${first + index}\t${line}`).join('\n');

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Forty different lines, read in full. */
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const READ = afterRead(unknownFile('a.ts'), [numbered(LINES)], by(1));

const shownOf = ({ runs }: KnownFile) =>
  runs.map(({ first, lines }) => [first, lines.map(({ text }) => text)] as const);

const unseenOf = ({ runs }: KnownFile): readonly number[] =>
  runs.flatMap(({ first = 0, lines }) =>
    lines.flatMap(({ seen }, index) => (seen.in === 'unseen' ? [first + index] : [])),
  );

describe('asOnDisk', () => {
  it('keeps the known lines if the file is unchanged', () => {
    expect(asOnDisk(READ, textOf(LINES))).toEqual(READ);
    expect(asOnDisk(READ, `\uFEFF${textOf(LINES).replaceAll('\n', '\r\n')}`)).toEqual(READ);
  });

  it('gives lines their current numbers', () => {
    const part = afterRead(unknownFile('a.ts'), [numbered(LINES.slice(12, 24), 13)], by(1));
    const now = asOnDisk(part, textOf(['new', 'newer', ...LINES]));
    expect(shownOf(now)).toEqual([[15, LINES.slice(12, 24)]]);
    expect(now.onDisk).toBe(undefined);
  });

  it('puts the current lines in place of missing ones, marked as unseen', () => {
    const now = asOnDisk(READ, textOf(LINES.with(17, 'changed')));
    expect(shownOf(now)).toEqual([[1, LINES.with(17, 'changed')]]);
    expect(unseenOf(now)).toEqual([18]);
    expect(now.onDisk).toBe('changedOutside');
  });

  it('does not report a change if an edit replaced a part of an unread line', () => {
    const edit = { before: 'line 3', after: 'third' };
    const edited = afterEdit(unknownFile('a.ts'), [edit], by(1));
    const now = asOnDisk(edited, textOf(['line 1', 'the third of all']));
    expect(shownOf(now)).toEqual([]);
    expect(now.onDisk).toBe(undefined);
  });

  it('includes lines that were inserted', () => {
    const disk = LINES.toSpliced(17, 0, 'one', 'two');
    const now = asOnDisk(READ, textOf(disk));
    expect(shownOf(now)).toEqual([[1, disk]]);
    expect(unseenOf(now)).toEqual([18, 19]);
  });

  it('omits lines that were deleted', () => {
    const disk = LINES.toSpliced(13, 8);
    const now = asOnDisk(READ, textOf(disk));
    expect(shownOf(now)).toEqual([[1, disk]]);
    expect(now.onDisk).toBe('changedOutside');
  });

  it('gives the lines of an edit their number', () => {
    const edit = { before: 'something unread', after: 'line 7\nline 8' };
    const edited = afterEdit(unknownFile('a.ts'), [edit], by(2));
    expect(edited.runs[0]?.first).toBe(undefined);
    const now = asOnDisk(edited, textOf(LINES));
    expect(shownOf(now)).toEqual([[7, ['line 7', 'line 8']]]);
    expect(now.runs[0]?.lines[0]?.edited).toBe(2);
  });

  it('reports a deleted file, of which it knows nothing', () => {
    expect(asOnDisk(READ, undefined)).toEqual({ ...READ, runs: [], onDisk: 'deleted' });
  });

  it('does not report a change that was already shown', () => {
    const now = asOnDisk(READ, textOf(LINES.with(17, 'changed').toSpliced(0, 0, 'top')));
    const shown = now.runs.map(({ first, lines }) => ({
      path: 'a.ts',
      first: first!,
      text: lines.map(({ text }) => text).join('\n'),
    }));
    const after = afterShown(READ, shown, ({ seen }) => ({ ...seen, in: 'excerpts' }));
    expect(asOnDisk(after, textOf(LINES.with(17, 'changed').toSpliced(0, 0, 'top'))).onDisk).toBe(
      undefined,
    );
  });
});

/** Few words, so that many lines are equal, and lines without any. */
const line = fc.constantFrom('', '}', 'return;', 'one', 'two', 'three', 'four  ', '\tfive');
const lines = fc.array(line, { maxLength: 60 });
const read = fc.record({ from: fc.nat(50), count: fc.integer({ min: 1, max: 40 }) });
const change = fc.record({
  at: fc.nat(60),
  gone: fc.nat(8),
  put: fc.array(line, { maxLength: 6 }),
});

const known = fc
  .record({
    lines,
    reads: fc.array(read, { maxLength: 3 }),
    edits: fc.array(fc.tuple(line, line), { maxLength: 3 }),
    changes: fc.array(change, { maxLength: 3 }),
  })
  .map(({ lines: all, reads, edits, changes }) => {
    const seen = reads.reduce(
      (file, { from, count }, step) =>
        afterRead(file, [numbered(all.slice(from, from + count), from + 1)], by(step + 1)),
      unknownFile('a.ts'),
    );
    const file = edits.reduce(
      (before, [old, given], step) =>
        afterEdit(before, [{ before: old || 'nothing', after: given }], by(step + 10)),
      seen,
    );
    const disk = changes.reduce<readonly string[]>(
      (now, { at, gone, put }) => now.toSpliced(at, gone, ...put),
      all,
    );
    return { file, disk };
  });

describe('asOnDisk for any file', () => {
  it('gives exactly the lines at the numbers it says', () => {
    fc.assert(
      fc.property(known, ({ file, disk }) => {
        for (const { first, lines: of } of asOnDisk(file, textOf(disk)).runs) {
          expect(of.map(({ text }) => text)).toEqual(
            disk.slice(first! - 1, first! - 1 + of.length),
          );
        }
      }),
    );
  });

  it('has its runs in order and without overlaps', () => {
    fc.assert(
      fc.property(known, ({ file, disk }) => {
        let end = 0;
        for (const { first, lines: of } of asOnDisk(file, textOf(disk)).runs) {
          expect(first).toBeGreaterThan(end);
          end = first! + of.length;
        }
      }),
    );
  });

  it('is the state to which later calls are applied', () => {
    fc.assert(
      fc.property(known, ({ file, disk }) => {
        const shown = asOnDisk(file, textOf(disk)).runs.map(({ first, lines: of }) => ({
          path: 'a.ts',
          first: first!,
          text: of.map(({ text }) => text).join('\n'),
        }));
        const after = afterShown(file, shown, ({ seen }) => ({ ...seen, in: 'excerpts' }));
        for (const { first, text } of shown) {
          const run = after.runs.find(
            (each) =>
              each.first !== undefined &&
              each.first <= first &&
              first < each.first + each.lines.length,
          );
          const start = first - run!.first!;
          const of = run!.lines.slice(start, start + text.split('\n').length);
          expect(of.map((each) => each.text).join('\n')).toBe(text);
        }
        const numbers = after.runs.flatMap((run) => (run.first === undefined ? [] : [run.first]));
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }),
    );
  });
});
