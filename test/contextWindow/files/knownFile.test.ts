import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterEdit,
  afterRead,
  afterWrite,
  knownLines,
  linesWithin,
  unknownFile,
  type KnownFile,
  type KnownRun,
  type Sighting,
} from '../../../src/contextWindow/files/knownFile';
import { afterShown } from '../../../src/contextWindow/files/fileModel';
import { runs } from '../../support/runs';
import { numbered, seenAt, textsOf } from './support/files';

const A = unknownFile('a.ts');

describe('the known lines of a file', () => {
  it('are those that were read, with their numbers', () => {
    const file = afterRead(A, [numbered(['x', 'y'], 5)], seenAt(1));
    expect(file).toMatchObject({ readAt: 1, editedAt: 0 });
    expect(textsOf(file)).toEqual([{ first: 5, lines: ['x', 'y'] }]);
  });

  it('grow with every further read', () => {
    const one = afterRead(A, [numbered(['a', 'b', 'c'], 1)], seenAt(1));
    const two = afterRead(one, [numbered(['C', 'd'], 3)], seenAt(2));
    const three = afterRead(two, [numbered(['z'], 9)], seenAt(3));
    expect(textsOf(three)).toEqual([
      { first: 1, lines: ['a', 'b', 'C', 'd'] },
      { first: 9, lines: ['z'] },
    ]);
    expect(three.runs[0]?.lines.map(({ seen }) => seen.step)).toEqual([1, 1, 2, 2]);
  });

  it('follow an edit, which moves later lines', () => {
    const read = afterRead(A, [numbered(['a', 'b', 'c'], 1), numbered(['z'], 9)], seenAt(1));
    const file = afterEdit(read, [{ before: 'b\nc', after: 'b\nnew\nc' }], seenAt(2));
    expect(textsOf(file)).toEqual([
      { first: 1, lines: ['a', 'b', 'new', 'c'] },
      { first: 10, lines: ['z'] },
    ]);
    expect(file.runs[0]?.lines.map(({ edited }) => edited)).toEqual([0, 0, 2, 0]);
  });

  it('change at every occurrence if an edit replaces all, else at one', () => {
    const read = afterRead(A, [numbered(['x = 1', 'y', 'x = 1'], 1)], seenAt(1));
    const all = afterEdit(read, [{ before: 'x', after: 'xx', all: true }], seenAt(2));
    expect(textsOf(all)).toEqual([{ first: 1, lines: ['xx = 1', 'y', 'xx = 1'] }]);
    const one = afterEdit(read, [{ before: 'x', after: 'xx' }], seenAt(2));
    expect(textsOf(one)).toEqual([{ first: 1, lines: ['xx = 1', 'y', 'x = 1'] }]);
  });

  it('include text written into unread lines, without numbers until it is read', () => {
    const edited = afterEdit(A, [{ before: 'old', after: 'one\ntwo' }], seenAt(1));
    expect(textsOf(edited)).toEqual([{ lines: ['one', 'two'] }]);
    const read = afterRead(edited, [numbered(['zero', 'one', 'two'], 1)], seenAt(2));
    expect(textsOf(read)).toEqual([{ first: 1, lines: ['zero', 'one', 'two'] }]);
  });

  it('lose numbers that an edit of unread lines may have moved', () => {
    const parts = [numbered(['a', 'b'], 1), numbered(['x', 'y'], 5), numbered(['z'], 9)];
    const read = afterRead(A, parts, seenAt(1));
    const grown = afterEdit(read, [{ before: 'old', after: 'one\ntwo' }], seenAt(2));
    const unplaced = [{ lines: ['x', 'y'] }, { lines: ['z'] }, { lines: ['one', 'two'] }];
    expect(textsOf(grown)).toEqual([{ first: 1, lines: ['a', 'b'] }, ...unplaced]);
    const same = afterEdit(read, [{ before: 'old', after: 'new' }], seenAt(2));
    expect(textsOf(same).slice(0, 3)).toEqual(textsOf(read));
    // An edit of unnumbered lines says nothing new about their place.
    const again = afterEdit(same, [{ before: 'new', after: '' }], seenAt(3));
    expect(textsOf(again)[0]).toEqual({ first: 1, lines: ['a', 'b'] });
    // A read restores the numbers, and no line is there twice.
    const after = afterRead(grown, [numbered(['x', 'y', 'w'], 6)], seenAt(3));
    expect(textsOf(after)).toEqual([
      { first: 1, lines: ['a', 'b'] },
      { first: 6, lines: ['x', 'y', 'w'] },
      { lines: ['z'] },
      { lines: ['one', 'two'] },
    ]);
  });

  it('lose lines that an edit across them replaced', () => {
    const parts = [numbered(['a', 'b'], 1), numbered(['d', 'e'], 4)];
    const read = afterRead(A, parts, seenAt(1));
    const file = afterEdit(read, [{ before: 'b\nc\nd', after: 'new' }], seenAt(2));
    expect(textsOf(file)).toEqual([
      { first: 1, lines: ['a'] },
      { lines: ['e'] },
      { lines: ['new'] },
    ]);
  });

  it('lose them also if the edit names the line breaks around them', () => {
    const parts = [numbered(['a', 'b'], 1), numbered(['d', 'e'], 4)];
    const read = afterRead(A, parts, seenAt(1));
    const file = afterEdit(read, [{ before: '\nb\nc\nd\n', after: '\nnew\n' }], seenAt(2));
    expect(textsOf(file).slice(0, 2)).toEqual([{ first: 1, lines: ['a'] }, { lines: ['e'] }]);
    const blank = afterRead(A, [numbered(['a', ''], 1)], seenAt(1));
    const kept = afterEdit(blank, [{ before: '\n\nold', after: 'new' }], seenAt(2));
    expect(textsOf(kept)[0]).toEqual({ first: 1, lines: ['a', ''] });
  });

  it('keep only those unnumbered lines that a read did not show', () => {
    const written = afterEdit(A, [{ before: 'old', after: 'a\nb\nc\nd\ne\nf\ng' }], seenAt(1));
    const file = afterRead(written, [numbered(['c', 'd', 'e'], 13)], seenAt(2));
    expect(textsOf(file)).toEqual([
      { first: 13, lines: ['c', 'd', 'e'] },
      { lines: ['a', 'b'] },
      { lines: ['f', 'g'] },
    ]);
  });

  it('move to where a read finds them, together with later lines', () => {
    const read = afterRead(A, [numbered(['one', 'three', 'four', 'five'], 1)], seenAt(1));
    // Something else inserted three lines before it: no line is known twice.
    const file = afterRead(read, [numbered(['x', 'y', 'z', 'one', 'three'], 1)], seenAt(2));
    expect(textsOf(file)).toEqual([
      { first: 1, lines: ['x', 'y', 'z', 'one', 'three', 'four', 'five'] },
    ]);
  });

  it('move from where new lines are shown between them, and stay before that', () => {
    const lines = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
    const read = afterRead(A, [numbered(lines, 1)], seenAt(1));
    const after = (first: number, texts: readonly string[]) =>
      textsOf(afterShown(read, [{ path: 'a.ts', first, text: texts.join('\n') }], () => seenAt(2)));
    expect(after(3, ['third', 'new', 'newer', 'fourth', 'fifth'])).toEqual([
      { first: 1, lines: lines.toSpliced(3, 0, 'new', 'newer') },
    ]);
    expect(after(2, ['second', 'fifth', 'sixth'])).toEqual([
      { first: 1, lines: lines.toSpliced(2, 2) },
    ]);
  });

  it('are not moved by lines that do not identify a place', () => {
    const read = afterRead(A, [numbered(['', '}', 'unique'], 1)], seenAt(1));
    const file = afterRead(read, [numbered(['other', '}', ''], 40)], seenAt(2));
    expect(textsOf(file)).toEqual([
      { first: 1, lines: ['', '}', 'unique'] },
      { first: 40, lines: ['other', '}', ''] },
    ]);
    const shown = afterShown(read, [{ path: 'a.ts', first: 9, text: 'nothing of it' }], () =>
      seenAt(2),
    );
    expect(textsOf(shown)[0]).toEqual({ first: 1, lines: ['', '}', 'unique'] });
  });

  it('are all lines after the file was written', () => {
    const file = afterWrite(A, 'a\nb\n', seenAt(3));
    expect(textsOf(file)).toEqual([{ first: 1, lines: ['a', 'b'] }]);
    expect(file.editedAt).toBe(3);
    expect(textsOf(afterWrite(file, '', seenAt(4)))).toEqual([]);
  });

  it('are replaced by the lines that are shown, whatever was known before', () => {
    const file = afterWrite(A, 'a\nb', seenAt(1));
    const shown = [{ path: 'a.ts', first: 2, text: 'other' }];
    const [run] = afterShown(file, shown, () => seenAt(2)).runs;
    expect(run?.lines.map(({ text }) => text)).toEqual(['a', 'other']);
  });

  it('can be listed within a range', () => {
    const file = afterRead(A, [numbered(['a', 'b', 'c'], 4)], seenAt(1));
    expect(linesWithin(file, { first: 5, last: 6 }).map(({ text }) => text)).toEqual(['b', 'c']);
    expect(linesWithin(file, undefined)).toHaveLength(3);
    expect(knownLines(file)).toBe(3);
  });
});

type Act =
  | { readonly kind: 'read'; readonly first: number; readonly count: number }
  | { readonly kind: 'edit'; readonly at: number; readonly count: number; readonly to: string[] }
  | { readonly kind: 'write'; readonly to: string[] };

/** All lines differ, so that an exact replacement finds the intended place. */
const line = fc.uuid();
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('read' as const),
    first: fc.nat(30),
    count: fc.integer({ min: 1, max: 15 }),
  }),
  fc.record({
    kind: fc.constant('edit' as const),
    at: fc.nat(30),
    count: fc.integer({ min: 1, max: 4 }),
    to: fc.array(line, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant('write' as const),
    to: fc.array(line, { minLength: 1, maxLength: 20 }),
  }),
);

/** Applies a call to a file and to its known lines. */
function done(
  lines: readonly string[],
  file: KnownFile,
  act: Act,
  by: Sighting,
): readonly [readonly string[], KnownFile] {
  switch (act.kind) {
    case 'read': {
      const first = act.first % lines.length;
      const read = lines.slice(first, first + act.count);
      return [lines, afterRead(file, [numbered(read, first + 1)], by)];
    }
    case 'edit': {
      const at = act.at % lines.length;
      const before = lines.slice(at, at + act.count);
      const next = [...lines.slice(0, at), ...act.to, ...lines.slice(at + before.length)];
      const replacement = { before: before.join('\n'), after: act.to.join('\n') };
      return [next, afterEdit(file, [replacement], by)];
    }
    case 'write':
      return [act.to, afterWrite(file, `${act.to.join('\n')}\n`, by)];
  }
}

/** Expects lines at their numbers; unnumbered ones in order anywhere. */
function expectHeld({ first, lines: known }: KnownRun, lines: readonly string[]): void {
  const texts = known.map(({ text }) => text);
  const start = first === undefined ? lines.indexOf(texts[0] ?? '') : first - 1;
  expect(lines.slice(start, start + texts.length)).toEqual(texts);
}

describe('the known lines of any file', () => {
  it('are the file’s lines as long as edits touched known lines only', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.array(act, { maxLength: 20 }),
        (content, acts) => {
          let lines: readonly string[] = content;
          // A first read of everything, so that nothing changes out of sight.
          let file = afterRead(A, [numbered(content, 1)], seenAt(1));
          for (const [index, each] of acts.entries()) {
            [lines, file] = done(lines, file, each, seenAt(index + 2));
            for (const run of file.runs) {
              expect(run.first).toBeDefined();
              expectHeld(run, lines);
            }
          }
        },
      ),
    );
  });

  it('are the file’s lines wherever they have numbers, whatever was edited', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.array(act, { maxLength: 20 }),
        (content, acts) => {
          let lines: readonly string[] = content;
          let file = A;
          for (const [index, each] of acts.entries()) {
            [lines, file] = done(lines, file, each, seenAt(index + 1));
            // An edit names a text that the file contains once.
            if (new Set(lines).size < lines.length) return;
            for (const run of file.runs) expectHeld(run, lines);
            const numbers = file.runs.flatMap(({ first, lines: known }) =>
              first === undefined ? [] : known.map((_, at) => first + at),
            );
            expect(new Set(numbers).size).toBe(numbers.length);
          }
        },
      ),
      { numRuns: runs(300, 20_000) },
    );
  });
});
