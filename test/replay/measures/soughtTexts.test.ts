import { describe, expect, it } from 'vitest';
import { SoughtTexts } from '../../../src/replay/measures/soughtTexts';

describe('sought texts', () => {
  const sought = new SoughtTexts(['a.ts', '8080', 'limit'], ['must not be changed', '?!']);

  it('are found as separate words, and phrases with any white space', () => {
    expect(sought.foundIn('src/a.ts at 8080: must\n not be  changed')).toEqual(
      new Set(['a.ts', '8080', 'must not be changed']),
    );
  });

  it('are not found as part of a word, nor a phrase with other words in it', () => {
    const text = 'data.tsx at 18080, limits; it must never be changed ?!';
    expect(sought.foundIn(text)).toEqual(new Set());
  });
});
