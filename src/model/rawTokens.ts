/** Counts the o200k_base tokens of a text, special tokens read as plain text. */
export type RawTokens = (text: string) => number;

/** Pieces up to this many UTF-16 units are cached: the pieces of a run are all alike. */
const LONGEST_REMEMBERED = 64;

let loading: Promise<RawTokens> | undefined;

/** Loads the tokenizer's table once: about 0.7 s and 100 MB, hence never on the extension host's thread. */
export function loadRawTokens(): Promise<RawTokens> {
  loading ??= load();
  return loading;
}

async function load(): Promise<RawTokens> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/o200k_base'),
  ]);
  const encoder = new Tiktoken(ranks);
  return (text) => countPieces(piecesOf(text), (piece) => encoder.encode(piece, [], []).length);
}

/** Adds up the tokens of pieces, asking once for each of the short ones. */
function countPieces(pieces: readonly string[], tokensOf: (piece: string) => number): number {
  const seen = new Map<string, number>();
  let total = 0;
  for (const piece of pieces) {
    let tokens = seen.get(piece);
    if (tokens === undefined) {
      tokens = tokensOf(piece);
      if (piece.length <= LONGEST_REMEMBERED) seen.set(piece, tokens);
    }
    total += tokens;
  }
  return total;
}

/** Characters counted before the event loop gets a turn. */
const CHARACTERS_AT_ONCE = 100_000;

/** Counts on the calling thread, and loads the tokenizer on first use; the worker runs this. */
export async function countHere(texts: readonly string[]): Promise<readonly number[]> {
  const rawTokens = await loadRawTokens();
  const counts: number[] = [];
  let characters = 0;
  for (const text of texts) {
    counts.push(rawTokens(text));
    characters += text.length;
    if (characters >= CHARACTERS_AT_ONCE) {
      characters = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return counts;
}

/** Most UTF-8 bytes that one word of the tokenizer's pattern may have before it is cut. */
export const LONGEST_RUN_BYTES = 48;

/** Longest piece handed to the tokenizer, in UTF-16 units. */
export const LONGEST_PIECE = 8_192;

/**
 * Cuts a text into pieces whose tokenization takes time linear in the length of the text.
 *
 * js-tiktoken merges the bytes of one word in quadratic time, and a word of its pattern is an
 * unbounded run of letters, of white space or of punctuation: 20,000 times "a" took 34 s. So a run
 * is cut once it could be one word of 48 bytes. A character outside ASCII may be of any kind, so it
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
