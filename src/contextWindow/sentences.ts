/** A run of the characters that occur in paths, names and numbers. */
const WORD = /[\w./-]+/g;
const PART = /\w+/g;
const SEPARATOR = /[./-]/;

/** Most parts of a path or dotted name to look up together; a longer name is not sought. */
const MOST_PARTS = 12;

/** A separate number: with marks between its digits, and with a unit of up to two letters. */
const NUMBER = /(?<![\w.])\d+(?:[.,:_]\d+)*(?=[a-z]{0,2}\b)/g;
const THOUSANDS = /^\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/;

/**
 * Visits each name and number of a text in every form that is a word of its own: `src/a.ts` is
 * visited as `src/a.ts`, `src/a`, `a.ts`, `src`, `a` and `ts`, `10,000` as `10000`, `500ms` as
 * `500`. Takes time in proportion to the text.
 */
export function eachWord(text: string, visit: (word: string) => void): void {
  for (const [word] of text.matchAll(WORD)) {
    if (!SEPARATOR.test(word)) {
      visit(word);
      continue;
    }
    const parts = [...word.matchAll(PART)];
    for (const [first, { index: start }] of parts.entries()) {
      for (const part of parts.slice(first, first + MOST_PARTS)) {
        visit(word.slice(start, part.index + part[0].length));
      }
    }
  }
  for (const [number] of text.matchAll(NUMBER)) visit(plainNumber(number));
}

/** The names and numbers of a text, each once. */
export function wordsIn(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  eachWord(text, (word) => void words.add(word));
  return words;
}

/** The numbers of a text, each once, without marks between thousands. */
export function numbersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(NUMBER)].map(([number]) => plainNumber(number)));
}

function plainNumber(number: string): string {
  return THOUSANDS.test(number) ? number.replaceAll(/[,_]/g, '') : number;
}

/** Writes any white space as one space, so that a line break hides nothing. */
export function withSingleSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Characters of a sentence; a longer one is cut at a word. */
const LONGEST_SENTENCE = 400;

const FENCED = /```[\s\S]*?(?:```|$)/g;
const LIST_MARK = /^[ \t]*(?:[-*>]|#+|\d+[.)])[ \t]+/gm;

/** The sentences of a text, with single spaces. Fenced code has none. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replaceAll(FENCED, '\n')
    .replaceAll(LIST_MARK, '')
    .split(
      /\n+|(?<=[.!?]["')*_]{0,8})\s+|(?<=[\p{L}\p{N}」』）][。！？]{1,8}[」』）"')*_]{0,8})(?![。！？」』）"')*_])/u,
    )
    .map((sentence) => beginningOf(withSingleSpaces(sentence), LONGEST_SENTENCE))
    .filter((sentence) => sentence !== '');
}

/** The beginning of a text up to a number of characters, cut between two words. */
export function beginningOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = text.lastIndexOf(' ', chars);
  return text.slice(0, cut === -1 ? chars : cut);
}

const QUESTION = /(?:[?？؟\u037E]|(?<=\p{Script=Greek});)[」』）"')*_]*$/u;
const FEWEST_WORDS = 3;

/** The questions of a text, squeezed: sentences of three words or more that end with a question mark. */
export function questionsIn(text: string): readonly string[] {
  return sentencesIn(text).filter(
    (sentence) => QUESTION.test(sentence) && countWords(sentence) >= FEWEST_WORDS,
  );
}

function countWords(sentence: string): number {
  return UNSPACED.test(sentence) ? spokenWords(sentence).length : sentence.split(' ').length;
}

/** The scripts that write no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTERS = /\p{L}[\p{L}\p{M}]*/gu;

/** Runs of letters, of limited length. */
const RUNS = /[\p{L}\p{M}]{1,400}/gu;

/** Loads a dictionary, so it is made only for a text that needs it. */
let segmenter: Intl.Segmenter | undefined;

/** The words of a text in any script, without digits and marks. */
export function spokenWords(text: string): readonly string[] {
  if (!UNSPACED.test(text)) return text.match(LETTERS) ?? [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words = segmenter;
  // In older engines every segment keeps a copy of the whole input, so the input is kept short.
  return (text.match(RUNS) ?? []).flatMap((run) =>
    UNSPACED.test(run)
      ? [...words.segment(run)].flatMap((word) => word.segment.match(LETTERS) ?? [])
      : (run.match(LETTERS) ?? []),
  );
}

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const SENTENCE_END =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no))[.!?]+["'”’)\]*_]*(?=\s)|(?<=[\p{L}\p{N}」』）])[。！？]+[」』）"'*_]*/giu;

/** The sentences of a part of a text, without the white space around them. */
export function sentenceSpans(text: string, { start, end }: Span): readonly Span[] {
  const paragraph = text.slice(start, end);
  const ends = [...paragraph.matchAll(SENTENCE_END)].map(
    ({ index, 0: stop }) => index + stop.length,
  );
  let from = 0;
  return [...ends, paragraph.length].flatMap((to) => {
    const sentence = paragraph.slice(from, to);
    const blank = sentence.length - sentence.trimStart().length;
    const span = { start: start + from + blank, end: start + from + sentence.trimEnd().length };
    from = to;
    return span.end > span.start ? [span] : [];
  });
}
