import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeMembers } from '../../src/model/replyBuilder';

it.each([
  ['', {}],
  ['{', {}],
  ['{"path":"a.t', {}],
  ['{"path":"a.ts"', {}],
  ['{"path":"a.ts",', { path: 'a.ts' }],
  ['{"path":"a.ts","text":"half', { path: 'a.ts' }],
  ['{"line":12', {}],
  ['{"edits":[{"old":"a,}]","new":"b"},{"old":"c', { edits: [{ old: 'a,}]', new: 'b' }] }],
  ['{"a":"\\"x\\\\",', { a: '"x\\' }],
  ['[1,2', {}],
  ['nonsense, more', {}],
])('keeps the complete members of %j', (json, members) => {
  expect(wholeMembers(json)).toEqual(members);
});

it('never invents a member: every top-level one but the last is as written', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (written, at) => {
      const json = JSON.stringify(written);
      const kept = wholeMembers(json.slice(0, at % (json.length + 1)));
      const keys = Object.keys(kept);
      for (const key of keys.slice(0, -1)) {
        expect(JSON.stringify(kept[key])).toBe(JSON.stringify(written[key]));
      }
      for (const key of keys) expect(Object.keys(written)).toContain(key);
    }),
  );
});
