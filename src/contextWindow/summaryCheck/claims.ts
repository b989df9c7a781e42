/** What a summary can state that its sources must state, too. */
type ClaimKind = 'path' | 'name' | 'number' | 'quote';

/** A path, name, number, version or quoted error text in a summary, as it is written there. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly text: string;
}

/**
 * Letters of the scripts that put spaces between words, for a class of a regular expression. In the
 * others a run of letters may be a whole sentence.
 */
export const LETTERS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}`;

/** A run of the characters of paths, names and numbers. */
const WORD = new RegExp(String.raw`[\w${LETTERS}$@~./\\+,\-]+`, 'gu');

/** Next to one of these a word is part of a pattern or was cut: it names nothing. */
const PATTERN_BEFORE = /[*{}<…[]$/;
const PATTERN_AFTER = /^(?:[*{…>]|\[[^\]]*\])/;

const CODE = /`([^`\n]+)`/g;
/** Text in quotation marks; an apostrophe is none. */
const QUOTED =
  /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|(?<![\p{L}\d])['‘]((?:[^'’\n]|(?<=\p{L})['’](?=\p{L}))+)['’](?!\p{L})/gu;

/** A sentence with one of these quotes an error or what a program said. */
const ERROR_WORD =
  /\b(?:\w*error|\w*exception|\w*warning|fail(?:s|ed|ure|ing)?|panic|fatal|crash(?:es|ed)?|reject(?:s|ed)|refus(?:es|ed)|cannot|denied|not found|undefined)\b/i;
const FEWEST_QUOTED_WORDS = 3;
/** A longer quotation is no error text; characters. */
const LONGEST_QUOTE = 160;

/**
 * Finds what a sentence states that its sources must state, each once. `isFolder` says which words
 * before a slash are folders: `src/tools` is a path, and "and/or" is none.
 */
export function claimsIn(sentence: string, isFolder: (name: string) => boolean): readonly Claim[] {
  const claims = new Map<string, Claim>();
  const add = (claim: Claim): void => {
    const key = claim.text.toLowerCase();
    if (!claims.has(key)) claims.set(key, claim);
  };
  const code = [...sentence.matchAll(CODE)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const isCode = (at: number) => code.some(({ start, end }) => at > start && at < end);
  for (const match of sentence.matchAll(WORD)) {
    const { index, 0: word } = match;
    if (PATTERN_BEFORE.test(sentence.slice(Math.max(0, index - 1), index))) continue;
    if (PATTERN_AFTER.test(sentence.slice(index + word.length, index + word.length + 40))) continue;
    const isRounded = ROUNDED.test(sentence.slice(Math.max(0, index - 12), index));
    const context = { isCode: isCode(index), isRounded, isFolder };
    for (const claim of claimsOf(word, context)) add(claim);
  }
  if (ERROR_WORD.test(sentence)) for (const quote of quotesIn(sentence)) add(quote);
  return [...claims.values()];
}

function quotesIn(sentence: string): readonly Claim[] {
  return [...sentence.matchAll(QUOTED)].flatMap(([, ...quoted]): readonly Claim[] => {
    const text = quoted.find((each) => each !== undefined) ?? '';
    const words = text.match(/[A-Za-z]{2,}/g) ?? [];
    // A command or code in quotes is no error text; its names are checked one by one.
    if (words.length < FEWEST_QUOTED_WORDS || text.length > LONGEST_QUOTE) return [];
    if (!ERROR_WORD.test(text)) return [];
    return [{ kind: 'quote', text }];
  });
}

/** Words that make the number after them a rounded one. */
const ROUNDED =
  /(?:[~≈]|\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|some))\s*$/i;

const NUMBER = /^[vV]?\d+(?:[.,_]\d+)*$/;
const WITH_UNIT =
  /^(\d+(?:[.,_]\d+)*)(?:ns|us|ms|s|sec|m|min|h|px|em|rem|b|kb|mb|gb|kib|mib|gib|x|th|st|nd|rd)$/i;
const LINES = /^[L#]?(\d+)(?:[-–][L#]?(\d+))?$/;
/** Rounded to thousands or millions. */
const SHORTENED = /^\d+(?:\.\d+)?[kKM]$/;

/** Smaller whole numbers count and number things; a summary may count by itself. */
const SMALLEST_NUMBER = 100;

interface WordContext {
  readonly isCode: boolean;
  readonly isRounded: boolean;
  isFolder(name: string): boolean;
}

function claimsOf(given: string, context: WordContext): readonly Claim[] {
  const { isCode, isRounded } = context;
  const word = trimmed(given);
  if (word === '' || SHORTENED.test(word)) return [];
  const lines = LINES.exec(word);
  if (lines !== null) return isRounded ? [] : lines.slice(1).flatMap(numberClaim);
  const number = WITH_UNIT.exec(word)?.[1] ?? (NUMBER.test(word) ? word : undefined);
  if (number !== undefined) return isRounded ? [] : numberClaim(number);
  if (word.includes(',')) {
    return word.split(',').flatMap((part) => claimsOf(part, context));
  }
  const [flag] = FLAG.exec(given) ?? [];
  if (flag !== undefined) return [{ kind: 'name', text: flag }];
  if (isPath(word, context)) return [{ kind: 'path', text: word }];
  return isName(word, isCode) ? [{ kind: 'name', text: word }] : [];
}

/** An option of a command line. */
const FLAG = /^--[a-z][a-z0-9]*(?:-[a-z0-9]+)*/i;

/** Without the marks of a sentence around it. */
function trimmed(word: string): string {
  return word.replace(/^[-,+\\]+/, '').replace(/[.,\\+-]+$/, '');
}

function numberClaim(text: string | undefined): readonly Claim[] {
  if (text === undefined) return [];
  const plain = plainNumber(text);
  const isWhole = /^\d+$/.test(plain);
  // "v9" names a version.
  if (isWhole && Number(plain) < SMALLEST_NUMBER && !/^v/i.test(text)) return [];
  return [{ kind: 'number', text }];
}

/** A number without a `v` and without marks between thousands. */
export function plainNumber(text: string): string {
  return text.replace(/^v/i, '').replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, '');
}

/** Ends of file names. Other dots are between a name and its member, or in a domain. */
const FILE_END = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const PLAIN_WORD = new RegExp(`^[${LETTERS}][${LETTERS}'’\\-]*$`, 'u');

function isPath(word: string, { isCode, isFolder }: WordContext): boolean {
  if (!/[/\\]/.test(word)) return false;
  const parts = word.split(/[/\\]+/).filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return false;
  // "and/or", "12/15"
  const isAlternatives = parts.every((part) => PLAIN_WORD.test(part) || /^[\d.]+$/.test(part));
  const isMarked = isCode || /^(?:[.~]?[/\\])/.test(word) || isFolder(parts[0] ?? '');
  if (isAlternatives && !isMarked) return false;
  return parts.some((part) => part.length > 2);
}

/** Names of products are ordinary words although they look like names in code. */
const PRODUCTS = new Set(
  'typescript javascript github gitlab node.js next.js vue.js vscode macos ios postgresql mysql sqlite graphql openai chatgpt youtube webassembly utf-8 utf8 oauth2 http2 es6 ipv4 ipv6 sha256 sha-256 base64 e2e i18n l10n a11y json5 p95 p99 mp3 mp4 h264 x86 x64 arm64'.split(
    ' ',
  ),
);

const SHORTEST_NAME = 4;
const JOINED = new RegExp(`[${LETTERS}0-9]_[${LETTERS}0-9]`, 'u');

function isName(word: string, isCode: boolean): boolean {
  const bare = word.replace(/^[@$~.]+/, '');
  if (bare.length < SHORTEST_NAME || !/\p{L}/u.test(bare)) return false;
  if (PRODUCTS.has(bare.toLowerCase())) return false;
  if (/^[A-Za-z](?:\.[A-Za-z])+$/.test(bare)) return false;
  const isFile = FILE_END.test(bare) && !/\s/.test(bare);
  const looksLikeCode = isFile || /\p{Ll}\p{Lu}/u.test(bare) || JOINED.test(bare) || isMixed(bare);
  return looksLikeCode || (isCode && PLAIN_WORD.test(bare));
}

/** Letters and digits together, but no ordinal and no "3-day": `step12`, `a1b2c3d`. */
function isMixed(word: string): boolean {
  return /[A-Za-z]\d|\d[A-Za-z]/.test(word) && !/^\d+(?:-[A-Za-z]+)+$/.test(word);
}
