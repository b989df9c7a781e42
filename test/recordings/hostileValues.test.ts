import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/contextWindow/json';
import { importTranscript } from '../../src/recordings/importTranscript';
import { tokensByLength } from './support/drawnTranscript';
import { RECORDINGS } from './support/smallRecordings';

/** An object in which a conversion to text or to a number fails. */
const HOSTILE = JSON.parse('{"toString":1,"valueOf":2,"__proto__":{"length":3}}') as object;

const VALUES: readonly unknown[] = [
  HOSTILE,
  [HOSTILE],
  null,
  -1,
  1e308,
  true,
  '',
  [[]],
  'x\u001B[2J',
];

/** The value with each of its inner values replaced by a hostile one, one at a time. */
function* damaged(value: unknown): Generator<unknown> {
  for (const hostile of VALUES) yield hostile;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const other of damaged(inner)) {
      yield Array.isArray(value)
        ? value.map((one: unknown, at) => (String(at) === key ? other : one))
        : { ...value, [key]: other };
    }
  }
}

describe('a recording with a value of another kind', () => {
  it.each(Object.entries(RECORDINGS))('is read or refused in the format %s', (format, text) => {
    const lines = text.trimEnd().split('\n');
    let read = 0;
    for (const [at, line] of lines.entries()) {
      for (const value of damaged(JSON.parse(line))) {
        const bad = lines.map((one, index) => (index === at ? JSON.stringify(value) : one));
        for (const content of [`${bad.join('\n')}\n`, `${bad.join('\n')}\n${text}`]) {
          const result = importTranscript(content, 'auto', 'session', tokensByLength);
          if (result.ok) expect(result.transcript.entries.every(isObject)).toBe(true);
          else expect(result.message).toMatch(/session .*cannot be read|session is damaged/);
          read += 1;
        }
      }
    }
    expect(read, format).toBeGreaterThan(VALUES.length);
  });
});
