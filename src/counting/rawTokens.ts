import { piecesOf } from './pieces';

/** Counts the o200k_base tokens of a text, special tokens read as plain text. */
export type RawTokens = (text: string) => number;

/** Pieces up to this many UTF-16 units are remembered: in a run they are all alike. */
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
