import fc from 'fast-check';

/** Texts with everything that could hide a part of them, and with imitations of marks. */
export const trickyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      // Unpaired surrogates occur, too.
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
      fc.constantFrom('\n', '\n\n\n', ' ', ' \n', '\r\n', '\t', '⟨', '⟩', '⟨ESC⟩', '⟨3 spaces⟩'),
      fc.constantFrom('\u202E', '\u200B', '\u2028', '\u0085', '\uFEFF', '\u{E0001}', '\u001B[2J'),
      fc.nat({ max: 60 }).map((count) => ' '.repeat(count)),
      fc.nat({ max: 9 }).map((count) => '\n'.repeat(count)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
