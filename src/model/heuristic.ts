/** Letters of a word that make one token. */
const LETTERS_PER_TOKEN = 8;

/** Line ends or tabs in a row that make one token; for blanks it is more. */
const BLANKS_PER_TOKEN = 16;

/** A longer run of letters is data, not a word; beyond this length each 2.3 letters make a token. */
const LONGEST_WORD = 16;
const LETTERS_OF_DATA_PER_TOKEN = 2.3;

/**
 * Guesses the o200k_base tokens of a text from its character classes, in one pass.
 *
 * For texts the tokenizer has not seen yet. Against the tokenizer, on 261 texts of recorded
 * sessions, the median was 1.08, the 5th and 95th percentile 0.92 and 1.22; 1.4 on minified code,
 * 0.7 on base64, far too high on runs such as 80 times "a".
 */
export function guessRawTokens(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    let kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    for (; end < text.length; end += 1) {
      const next = kindOf(text.charCodeAt(end));
      // A capital begins a word: "HTTPServer" is one run, "serverName" two.
      if (kind === 'upper' && next === 'lower') kind = 'lower';
      else if (next !== kind) break;
    }
    tokens += kind === 'space' ? tokensOfBlanks(text, at, end) : tokensOfRun(kind, end - at);
    at = end;
  }
  return Math.ceil(tokens);
}

type Kind = 'lower' | 'upper' | 'digit' | 'space' | 'punctuation' | 'other';

const KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  if (code === 32 || (code >= 9 && code <= 13)) return 'space';
  if (code >= 48 && code <= 57) return 'digit';
  if (code >= 65 && code <= 90) return 'upper';
  if (code >= 97 && code <= 122) return 'lower';
  return 'punctuation';
});

function kindOf(code: number): Kind {
  return KINDS[code] ?? 'other';
}

function tokensOfRun(kind: Exclude<Kind, 'space'>, length: number): number {
  switch (kind) {
    case 'lower':
    case 'upper': {
      const word = Math.min(length, LONGEST_WORD);
      return Math.ceil(word / LETTERS_PER_TOKEN) + (length - word) / LETTERS_OF_DATA_PER_TOKEN;
    }
    case 'digit':
      return Math.ceil(length / 3);
    case 'punctuation':
      return Math.ceil(length / 2);
    case 'other':
      return length * 0.8;
  }
}

/** Blanks of one kind make few tokens, however many they are; two kinds in turn do not. */
function tokensOfBlanks(text: string, start: number, end: number): number {
  // A single blank belongs to the word after it.
  if (end - start === 1 && text.charCodeAt(start) === 32) return 0;
  let changes = 0;
  for (let at = start + 1; at < end; at += 1) {
    if (text.charCodeAt(at) !== text.charCodeAt(at - 1)) changes += 1;
  }
  return Math.max(1, changes / 2, (end - start) / BLANKS_PER_TOKEN);
}
