import { describe, expect, it } from 'vitest';
import { isRight, type Probe } from '../../../src/replay/judge/probe';
import { shortName } from '../../../src/replay/judge/windowProbes';

const probe = (truth: string): Probe => ({ kind: 'value', question: '?', truth });

describe('an answer', () => {
  it.each([
    ['src/a.ts', 'It is `SRC/A.ts`.'],
    ['src/a.ts', 'C:\\work\\src\\a.ts'],
    ['a.ts', '/p/src/a.ts'],
    ['8080', 'Port 8080, as before'],
    ['npm test', '`npm  test -- limits`'],
    ['store.Load', '**store.Load**()'],
  ])('is right if it contains the truth as a separate word: %s in %s', (truth, answer) => {
    expect(isRight(probe(truth), answer)).toBe(true);
  });

  it.each([
    ['a.ts', 'data.ts'],
    ['a.ts', 'a.tsx'],
    ['8080', '18080'],
    ['1.5', '1.52'],
    ['1.5', '2.1.5'],
    ['retry', 'retryCount'],
    ['a.ts', ''],
    ['a.ts', 'not known'],
    ['a.ts', `${'one of these: '.repeat(25)} a.ts`],
  ])('is wrong otherwise: %s in %s', (truth, answer) => {
    expect(isRight(probe(truth), answer)).toBe(false);
  });
});

describe('a path', () => {
  it('may be named by the shortest end that distinguishes it from the others', () => {
    const paths = ['/p/src/a.ts', 'src/a.ts', '/p/test/a.ts', '/p/src/b.ts'];
    expect(shortName('/p/src/b.ts', paths)).toBe('b.ts');
    expect(shortName('/p/src/a.ts', paths)).toBe('src/a.ts');
    expect(shortName('src/a.ts', paths)).toBe('src/a.ts');
    expect(shortName('a.ts', [...paths, 'a.ts'])).toBe('a.ts');
  });
});
