import fc from 'fast-check';

const PIECES = (
  '\u001b[2K|\u009b1A|\u0007|\r|\b|\u202e|\u2066|\u200b|\u2028|\u2029|\ufeff|\u00ad|\n|\t| |   |' +
  '⟨|⟨ESC⟩|\ud800|ls'
).split('|');

/** Texts of control sequences, invisible characters, imitated marks, and anything else. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 40 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
