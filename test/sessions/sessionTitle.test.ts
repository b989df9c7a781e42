import { describe, expect, it } from 'vitest';
import { promptWithAttached } from '../../src/contextWindow/attached';
import { titleOf } from '../../src/sessions/sessionTitle';

describe('the title of a session', () => {
  const prompt = promptWithAttached({
    typed: 'Look at @strings.js and @gen',
    attached: [{ kind: 'file', name: 'src/strings.js', text: 'export const a = 1;\n'.repeat(40) }],
  });

  it('is the typed prompt without the texts attached to it', () => {
    expect(titleOf(undefined, prompt)).toBe('Look at @strings.js and @gen');
  });

  it('is the typed prompt if the attached text was truncated', () => {
    expect(titleOf(undefined, prompt.slice(0, 200))).toBe('Look at @strings.js and @gen');
  });

  it('is the name that the user gave', () => {
    expect(titleOf('Strings', prompt)).toBe('Strings');
  });
});
