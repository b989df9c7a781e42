import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOfPath, type JsonPath } from '../../../src/sessions/importers/lineOfPath';

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

describe('lineOfPath', () => {
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
  ])('finds line %i of %j', (line, path) => {
    expect(lineOfPath(TEXT, path)).toBe(line);
  });

  it('names the line of what should hold a value that is missing', () => {
    expect(lineOfPath(TEXT, ['messages', 0, 'name'])).toBe(4);
    expect(lineOfPath(TEXT, ['messages', 1, 'content', 0, 'text', 'x'])).toBe(8);
    expect(lineOfPath(TEXT, ['response', 'choices'])).toBe(1);
  });

  it('takes the later of two values with one key, as JSON does', () => {
    expect(lineOfPath(TEXT, ['model'])).toBe(13);
  });

  it('finds every value of any JSON', () => {
    const holds = (text: string, value: unknown, path: JsonPath): boolean => {
      const rest = text.split('\n').slice(lineOfPath(text, path) - 1);
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
