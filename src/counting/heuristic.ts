/** Longest run of letters taken for one token, in characters. */
const LETTERS_PER_TOKEN = 8;

/**
 * Guesses the o200k_base tokens of a text from its character classes, in one pass.
 *
 * For texts the tokenizer has not seen yet: a word is one token for each 8 letters, a number one for
 * each 3 digits, a run of punctuation one for each 2 characters, a run of white space one unless it is
 * a single blank, and outside ASCII a character is 0.8 tokens. On 261 texts of recorded sessions it came to
 * 0.91 to 1.20 times the tokenizer's count (5th and 95th percentile), 1.08 in the middle; on runs
 * such as 80 times "=" it is far too high.
 */
export function guessRawTokens(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
    tokens += tokensOfRun(kind, end - at, text.charCodeAt(end - 1));
    at = end;
  }
  return Math.ceil(tokens);
}

type Kind = 'letter' | 'digit' | 'space' | 'punctuation' | 'other';

const KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  if (code === 32 || (code >= 9 && code <= 13)) return 'space';
  if (code >= 48 && code <= 57) return 'digit';
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return 'letter';
  return 'punctuation';
});

function kindOf(code: number): Kind {
  return KINDS[code] ?? 'other';
}

function tokensOfRun(kind: Kind, length: number, last: number): number {
  switch (kind) {
    case 'letter':
      return Math.ceil(length / LETTERS_PER_TOKEN);
    case 'digit':
      return Math.ceil(length / 3);
    case 'space':
      return length === 1 && last === 32 ? 0 : 1;
    case 'punctuation':
      return Math.ceil(length / 2);
    case 'other':
      return length * 0.8;
  }
}
