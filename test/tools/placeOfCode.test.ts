import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOfCode } from '../../src/tools/files/placeOfCode';
import { runs } from '../support/runs';

const FILE = `import { read } from './read';

export function load(cargo) {
  if (cargo.full) {
    return 0;
  }
  return read(cargo);
}

class Ship {
  load(cargo) {
    return load(cargo);
  }

  unload() {
    return 0;
  }
}
`;

/** The file with the code inserted, or the reason why there is no place for it. */
function applied(code: string, file = FILE): string {
  const found = placeOfCode(file, code);
  if (!found.ok) return found.message;
  const { start, end, text } = found.place;
  return file
    .split('\n')
    .toSpliced(start, end - start, text.replace(/\n$/, ''))
    .join('\n');
}

describe('the place of code in a file', () => {
  it('is the function of which it is a revision, to its end', () => {
    const code = 'export function load(cargo) {\n  if (cargo.full) {\n    return 1;\n  }\n}\n';
    expect(applied(code)).toBe(
      FILE.replace('return 0;\n  }\n  return read(cargo);\n}', 'return 1;\n  }\n}'),
    );
  });

  it("is found for code without the file's indent, which is added", () => {
    expect(applied('unload() {\n  return 1;\n}')).toBe(
      FILE.replace('unload() {\n    return 0;', 'unload() {\n    return 1;'),
    );
  });

  it('is one line for a line', () => {
    expect(applied("import { read } from './read';")).toBe(FILE);
  });

  it('is the whole class for a class', () => {
    const code = 'class Ship {\n  unload() {\n    return 2;\n  }\n}';
    expect(applied(code)).toBe(FILE.slice(0, FILE.indexOf('class Ship')) + `${code}\n`);
  });

  it.each([
    ['  \n', 'This code has no text.'],
    ['function moor() {\n}', 'no lines in it begin and end as this code does'],
    ['return 0;', 'this code fits equally well at lines 5 and 16'],
    [
      'class Ship {\n  sail() {\n    go();\n  }\n  stop();\n  turn();\n  dock();\n  wait();\n  moor();\n  tie();\n  rest();\n}',
      /^no lines/,
    ],
  ])('is unknown for %j', (code, why) => {
    const found = placeOfCode(FILE, code);
    expect(found.ok ? 'found' : found.message).toEqual(
      typeof why === 'string' ? why : expect.stringMatching(why),
    );
  });

  it('is exact for lines of the file itself, which stay unchanged', () => {
    const lines = fc.array(
      fc.integer({ min: 0, max: 999 }).map((n) => `  line ${n}`),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(lines, fc.nat(29), fc.nat(29), (drawn, from, to) => {
        const all = [...new Set(drawn)];
        const start = from % all.length;
        const code = all.slice(start, Math.max(start, to % all.length) + 1).join('\n');
        expect(applied(code, all.join('\n'))).toBe(all.join('\n'));
      }),
      { numRuns: runs(200, 2_000) },
    );
  });
});
