/** Most UTF-8 bytes one word of the tokenizer's pattern may have before it is cut. */
export const LONGEST_RUN_BYTES = 48;

/** Longest piece handed to the tokenizer, in UTF-16 units. */
export const LONGEST_PIECE = 8_192;

/**
 * Cuts a text into pieces whose tokenization takes time linear in the length of the text.
 *
 * js-tiktoken merges the bytes of one word in quadratic time, and a word of its pattern is a run of
 * letters, of white space or of punctuation without a bound: 20,000 times "a" took 34 s. So a run is
 * cut once it could be one word of 48 bytes. A character outside ASCII may be of any kind, hence it
 * prolongs all three runs. The pieces joined give the text; no surrogate pair is split.
 */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let letters = 0;
  let spaces = 0;
  let others = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      const lower = code | 32;
      const isLetter = lower >= 97 && lower <= 122;
      const isLineEnd = code === 10 || code === 13;
      const isSpace = isLineEnd || code === 32 || (code >= 9 && code <= 12);
      const isDigit = code >= 48 && code <= 57;
      letters = isLetter ? letters + 1 : 0;
      spaces = isSpace ? spaces + 1 : 0;
      // Line ends belong to the punctuation before them: ` ?[^\s\p{L}\p{N}]+[\r\n/]*`.
      others = isLetter || isDigit || (isSpace && !isLineEnd) ? 0 : others + 1;
    } else {
      const bytes = code < 0x800 || isHalfOfPair(text, at) ? 2 : 3;
      letters += bytes;
      spaces += bytes;
      others += bytes;
    }
    const isFull =
      Math.max(letters, spaces, others) >= LONGEST_RUN_BYTES || at + 1 - start >= LONGEST_PIECE - 1;
    if (isFull && !opensPair(text, at)) {
      pieces.push(text.slice(start, at + 1));
      start = at + 1;
      letters = 0;
      spaces = 0;
      others = 0;
    }
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** A lone surrogate is sent as U+FFFD, a character of three bytes. */
function isHalfOfPair(text: string, at: number): boolean {
  return opensPair(text, at) || opensPair(text, at - 1);
}

function opensPair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1));
}

function isHigh(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

function isLow(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}
