/** Counts the o200k_base tokens of a text, special tokens read as plain text. */
export type RawTokens = (text: string) => number;

let loading: Promise<RawTokens> | undefined;

/** Loads the tokenizer's table once. That takes long, hence never on the extension host's thread. */
export function loadRawTokens(): Promise<RawTokens> {
  loading ??= load();
  return loading;
}

async function load(): Promise<RawTokens> {
  const { default: vocabulary } = await import('js-tiktoken/ranks/o200k_base');
  const ranks = ranksIn(vocabulary.bpe_ranks);
  const words = new RegExp(vocabulary.pat_str, 'ug');
  const merged = new Map<string, number>();
  const tokensOfWord = (bytes: string): number => {
    if (ranks.has(bytes)) return 1;
    const known = merged.get(bytes);
    if (known !== undefined) return known;
    if (merged.size >= MOST_MERGED) merged.clear();
    const tokens = mergedTokens(bytes, ranks);
    merged.set(bytes, tokens);
    return tokens;
  };
  const tokensOfPiece = (piece: string): number => {
    const isAscii = !OUTSIDE_ASCII.test(piece);
    let tokens = 0;
    for (const word of piece.match(words) ?? []) {
      tokens += tokensOfWord(isAscii ? word : bytesOf(word));
    }
    return tokens;
  };
  return (text) => piecesOf(text).reduce((total, piece) => total + tokensOfPiece(piece), 0);
}

/** Names come again and again; words that were merged are remembered up to this number. */
const MOST_MERGED = 20_000;

/** The rank of each token by its bytes, each byte a character. */
type Ranks = ReadonlyMap<string, number>;

/** Reads lines of a mark, the rank of the first token, and the tokens in base64. */
function ranksIn(table: string): Ranks {
  const ranks = new Map<string, number>();
  for (const line of table.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    let rank = Number(first);
    for (const token of tokens) {
      ranks.set(atob(token), rank);
      rank += 1;
    }
  }
  return ranks;
}

const OUTSIDE_ASCII = /[^\0-\x7f]/;

/** The UTF-8 bytes of a text, each a character; a text in ASCII is its own bytes. */
function bytesOf(text: string): string {
  return OUTSIDE_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/**
 * Merges the adjacent parts of lowest rank, the first of several, until no two make a token.
 *
 * js-tiktoken gives the same tokens, but takes five times as long: it writes the bytes of each
 * candidate as numbers, and asks for all pairs again after each merge.
 */
function mergedTokens(bytes: string, ranks: Ranks): number {
  const starts = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  const rankOfPair = (at: number): number => {
    const end = starts[at + 2];
    return end === undefined ? Infinity : (ranks.get(bytes.slice(starts[at], end)) ?? Infinity);
  };
  /** The rank of each part joined with the next. */
  const joined = starts.map((_, at) => rankOfPair(at));
  for (;;) {
    const lowest = Math.min(...joined);
    if (lowest === Infinity) return starts.length - 1;
    const at = joined.indexOf(lowest);
    starts.splice(at + 1, 1);
    joined.splice(at + 1, 1);
    joined[at] = rankOfPair(at);
    if (at > 0) joined[at - 1] = rankOfPair(at - 1);
  }
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
 * The bytes of one word are merged in quadratic time, and a word of the tokenizer's pattern is an
 * unbounded run of letters, of white space or of punctuation: 20,000 times "a" took js-tiktoken
 * 34 s. So a run is cut once it could be one word of 48 bytes. A character outside ASCII may be of any
 * kind, so it prolongs all three runs. The pieces joined give the text; no surrogate pair is split.
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
