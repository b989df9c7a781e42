import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonProblem } from '../../../src/sessions/importers/jsonProblem';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonProblem', () => {
  it('says line and column of what is wrong', () => {
    expect(findJsonProblem('{\n  "a": 1,\n  "b": tru }')).toEqual({
      line: 3,
      column: 8,
      isCut: false,
      what: 'unexpected "t"',
    });
    expect(findJsonProblem('[1 2]')).toMatchObject({ line: 1, column: 4, what: 'unexpected "2"' });
    expect(findJsonProblem('["\\x"]')).toMatchObject({ what: 'a text with a bad character' });
    expect(findJsonProblem('{} {}')).toMatchObject({ column: 4, isCut: false });
  });

  it('knows every way a text can be cut off', () => {
    const whole = '{"a": [true, -1.5e-3, null, "x\\u00e9\\n"], "b": {}}';
    for (let length = 0; length < whole.length; length++) {
      expect(findJsonProblem(whole.slice(0, length)), whole.slice(0, length)).toMatchObject({
        isCut: true,
      });
    }
  });

  it('finds a problem exactly where JSON.parse finds one', () => {
    const edited = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', ':', '0', '\\', '\u0001'))
      .map(([json, at, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), edited, fc.string()), (text) => {
        expect(findJsonProblem(text) === undefined).toBe(isJson(text));
      }),
      { seed: 20_261_122, numRuns: 3_000 },
    );
  });

  it('reads deep and long values', () => {
    expect(findJsonProblem('['.repeat(50_000) + ']'.repeat(50_000))).toBeUndefined();
    expect(findJsonProblem(JSON.stringify('a\n"é'.repeat(500_000)))).toBeUndefined();
  });
});
