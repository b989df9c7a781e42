import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeftOut } from '../../src/recordings/recordedItem';
import { readJson, readJsonLines, type JsonPath } from '../../src/recordings/readJson';

/** The message for a text that is not JSON; '' if it is JSON. */
function problemIn(text: string): string {
  const read = readJson(text);
  return read.ok ? '' : read.message;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const CUT = 'the file was cut off. Record or copy it again.';
const BROKEN = 'it is not JSON from there on. Repair it there.';

/** JSON with one character replaced, and texts of any kind. */
const almostJson = fc.oneof(
  fc.json(),
  fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', ':', '0', '\\', '\u0001'))
    .map(([json, at, put]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + put + json.slice(place + 1);
    }),
  fc.string(),
);

describe('the error in a text that is not JSON', () => {
  it.each([
    ['{\n  "a": 1,\n  "b": tru }', `line 3, column 8: unexpected "tru"; ${BROKEN}`],
    ['[1 2]', `line 1, column 4: unexpected "2" where a comma or a closing bracket should be; `],
    ['{"a": [}\n}', 'line 1, column 8: unexpected "}" where a value should be; '],
    ['{"a" 1}', 'line 1, column 6: unexpected "1" where a colon should be; '],
    ['{"a": 1,}', 'line 1, column 9: unexpected "}" where a name in quotes should be; '],
    ['{} {}', `line 1, column 4: unexpected "{" where the end should be; ${BROKEN}`],
    ['["\\x"]', `line 1, column 2: a text with a bad escape; ${BROKEN}`],
    ['["\\u12"]', `line 1, column 2: a text with a bad escape; ${BROKEN}`],
    ['["a\tb"]', `line 1, column 2: a text with a control character; ${BROKEN}`],
    ['["a\nb"]', `line 1, column 2: a text that does not end on its line; ${BROKEN}`],
    ['[\r\n1.]', `line 2, column 1: a number that is not whole; ${BROKEN}`],
    ['[1, // one\n]', `line 1, column 5: a comment, which JSON does not have; ${BROKEN}`],
    ['[', `line 1, column 2: it ends too early; ${CUT}`],
    ['{"a": "b', `line 1, column 7: a text that never ends; ${CUT}`],
    ['[tru', `line 1, column 2: unexpected "tru"; ${CUT}`],
  ])('is described with its line and column: %j', (text, said) => {
    expect(problemIn(text)).toContain(said);
  });

  it('is recognised wherever a text is cut off', () => {
    const whole = '{"a": [true, -1.5e-3, null, "x\\u00e9\\n"], "b": {}}';
    for (let length = 0; length < whole.length; length++) {
      expect(problemIn(whole.slice(0, length)), whole.slice(0, length)).toContain(CUT);
    }
    expect(problemIn(whole)).toBe('');
  });

  it('has a position in every text that JSON.parse refuses, and in no other', () => {
    fc.assert(
      fc.property(almostJson, (text) => {
        if (isJson(text)) expect(problemIn(text)).toBe('');
        else expect(problemIn(text)).toMatch(/^line \d+, column \d+: /);
        const [first = '', ...more] = text.split('\n').filter((line) => line.trim() !== '');
        fc.pre(first !== '' && more.length === 0);
        const leftOut = new LeftOut();
        readJsonLines(text, leftOut);
        const said = leftOut.firstUnreadable ?? 'an object';
        expect(isJson(first)).toBe(/^an object|it is not a JSON object/.test(said));
      }),
      { seed: 20_261_122, numRuns: 3_000 },
    );
  });

  it('is found in long texts, and quoted briefly', () => {
    const long = JSON.stringify('a\n"é'.repeat(500_000));
    expect(problemIn(long)).toBe('');
    expect(problemIn(`[${long}`)).toContain(`column ${long.length + 2}: it ends too early`);
    expect(problemIn(`[1 ${long}]`).length).toBeLessThan(200);
  });

  it('is reported for a text that nests deeper than any recording', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(problemIn(nested(500))).toBe('');
    expect(problemIn(nested(50_000))).toContain('nested more than 500 levels deep');
    expect(problemIn(`"\n${'['.repeat(50_000)}"`)).toContain('does not end on its line');
  });
});

const TEXT = `{
  "model": "x",
  "messages": [
    { "role": "user", "content": "a \\"}] , text" },
    {
      "role": "assistant",
      "content": [
        { "type": "text" }, 7,
        null
      ]
    }
  ],
  "model": "y"
}`;

function lineOf(text: string, path: JsonPath): number | undefined {
  const read = readJson(text);
  return read.ok ? read.value.lineOf(path) : undefined;
}

describe('the line of a value', () => {
  it.each<[number, JsonPath]>([
    [1, []],
    [3, ['messages']],
    [4, ['messages', 0]],
    [4, ['messages', 0, 'content']],
    [5, ['messages', 1]],
    [6, ['messages', 1, 'role']],
    [8, ['messages', 1, 'content', 0, 'type']],
    [8, ['messages', 1, 'content', 1]],
    [9, ['messages', 1, 'content', 2]],
  ])('is line %i for %j', (line, path) => {
    expect(lineOf(TEXT, path)).toBe(line);
  });

  it('is that of the parent if the value is missing', () => {
    expect(lineOf(TEXT, ['messages', 0, 'name'])).toBe(4);
    expect(lineOf(TEXT, ['messages', 1, 'content', 0, 'text', 'x'])).toBe(8);
    expect(lineOf(TEXT, ['response', 'choices'])).toBe(1);
  });

  it('is that of the later of two values with one key, as in JSON.parse', () => {
    expect(lineOf(TEXT, ['model'])).toBe(13);
  });

  it('is found for every value of any JSON', () => {
    const holds = (text: string, value: unknown, path: JsonPath): boolean => {
      const rest = text.split('\n').slice(lineOf(text, path)! - 1);
      const first = JSON.stringify(value, null, 1).split('\n')[0]!;
      if (!rest[0]!.includes(first)) return false;
      if (typeof value !== 'object' || value === null) return true;
      return Object.entries(value).every(([key, inner]) => holds(text, inner, [...path, key]));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(holds(JSON.stringify(plain, null, 1), plain, [])).toBe(true);
      }),
    );
  });
});
