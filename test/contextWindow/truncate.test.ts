import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, admittedText } from '../../src/contextWindow/truncate';
import { estimate } from '../support/player';

function shown(text: string, cap: number): string {
  return admittedText(text, admit(text, cap, estimate, 'handle'), 'handle');
}

describe('truncation at admission', () => {
  it('leaves a text at the cap whole and shortens one that is one token above it', () => {
    expect(admit('x'.repeat(300), 100, estimate, 'h')).toEqual({ form: 'whole' });
    expect(admit('x'.repeat(301), 100, estimate, 'h').form).toBe('truncated');
  });

  it('B7: 1.2 MB without a line break becomes head, mark with the handle, and tail', () => {
    const giant = `HEAD${'a'.repeat(1_200_000)}TAIL`;
    const text = shown(giant, 4_000);
    expect(estimate(text)).toBeLessThanOrEqual(4_000);
    expect(estimate(text)).toBeGreaterThan(3_500);
    expect(text.startsWith('HEAD')).toBe(true);
    expect(text.endsWith('TAIL')).toBe(true);
    expect(text).toContain('call recall with handle "handle"');
    expect(text).toMatch(/left out 11\d{5} of 1200008 characters/);
  });

  it('stays within the cap, keeps only original text, and splits no character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 0, maxLength: 4_000 }),
        fc.integer({ min: 120, max: 900 }),
        (text, cap) => {
          const admission = admit(text, cap, estimate, 'handle');
          const result = admittedText(text, admission, 'handle');
          expect(estimate(result)).toBeLessThanOrEqual(Math.max(cap, 0));
          if (admission.form === 'whole') return;
          expect(result.isWellFormed()).toBe(text.isWellFormed());
          expect(text.startsWith(result.slice(0, admission.headChars))).toBe(true);
          expect(admission.headChars + admission.tailChars).toBeLessThan(text.length);
          expect(admission.tokensAfter).toBeLessThan(admission.tokensBefore);
        },
      ),
      { seed: 1 },
    );
  });

  it('ends the head at a nearby line break', () => {
    const text = shown('0123456789\n'.repeat(400), 300);
    const head = text.slice(0, text.indexOf('[Plimsoll'));
    expect(head.endsWith('0123456789\n')).toBe(true);
  });

  it('terminates for every cap and for estimates with an overhead, and never grows a text', () => {
    const framed = (text: string) => Math.ceil(text.length / 3) + 20;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 2_000 }),
          fc.constantFrom('\udc00'.repeat(400), '\n'.repeat(900), '\ud83d\ude00'.repeat(300)),
        ),
        fc.integer({ min: 0, max: 200 }),
        (text, cap) => {
          const admission = admit(text, cap, framed, 'handle');
          const result = admittedText(text, admission, 'handle');
          expect(framed(result)).toBeLessThanOrEqual(framed(text));
          if (admission.form === 'whole') return;
          expect(admission.headChars).toBeGreaterThanOrEqual(0);
          expect(admission.tailChars).toBeGreaterThanOrEqual(0);
          expect(admission.tokensAfter).toBe(framed(result));
        },
      ),
      { seed: 2, numRuns: 500 },
    );
  });
});
