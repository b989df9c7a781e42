import { typedPart } from '../attached';
import { sentenceSpans, type Span } from '../sentences';
import { OTHER_LANGUAGES, RULE_LANGUAGES, type RuleLanguage } from './ruleLanguages';

/** The standing rules that a prompt states. */
interface FoundRules {
  /** The sentences, verbatim and in order, each once. */
  readonly rules: readonly string[];
  /** Present if the prompt is in a language without patterns, so that none were looked for. */
  readonly unknownLanguage?: true;
}

/** Longer sentences are descriptions, not rules; characters. */
export const LONGEST_RULE = 300;
const SHORTEST_RULE = 8;
const FEWEST_WORDS = 3;

/** A longer text is a document that was pasted, not words of the user; characters. */
const LONGEST_TYPED = 40_000;

/** A cache: a prompt is asked about in every request, and its text never changes. */
const FOUND = new Map<string, FoundRules>();
const MOST_FOUND = 2_000;

/** Finds the sentences of a prompt that constrain later work. */
export function findRules(prompt: string): FoundRules {
  const known = FOUND.get(prompt);
  if (known !== undefined) return known;
  if (FOUND.size >= MOST_FOUND) FOUND.clear();
  const found = findNow(prompt);
  FOUND.set(prompt, found);
  return found;
}

function findNow(prompt: string): FoundRules {
  const typed = typedPart(prompt).slice(0, LONGEST_TYPED);
  const masked = withoutForeignText(ofCommand(typed));
  const found = languageOf(masked);
  const language = found === 'tooShort' ? RULE_LANGUAGES[0] : found;
  if (language === 'unknown') return { rules: [], unknownLanguage: true };
  if (language === undefined) return NONE;
  const rules = sentencesOf(masked).flatMap(({ start, end }) => {
    const text = typed.slice(start, end);
    return isRule(masked.slice(start, end), text, language) ? [text] : [];
  });
  return rules.length === 0 ? NONE : { rules: [...new Set(rules)] };
}

/** Says whether a text is in a language with patterns, or in another one; undefined if it does not tell. */
export function isInKnownLanguage(text: string): boolean | undefined {
  const masked = withoutForeignText(text.slice(0, LONGEST_TYPED));
  const language = languageOf(masked);
  if (language === 'tooShort') return undefined;
  if (language !== 'unknown') return true;
  // A list of names has few frequent words of any language.
  const words = wordsOf(masked);
  const telling = new Set(words.filter((word) => OTHER_LANGUAGES.has(word)));
  return isInOtherScript(words) || telling.size >= FEWEST_OF_OTHER ? false : undefined;
}

const NONE: FoundRules = { rules: [] };

/** Stands for a character of quoted text, so that places in the prompt stay the same. */
const MASK = '\uFFFC';

function mask(text: string): string {
  return text.replaceAll(/[^\n]/g, MASK);
}

/** Another agent's log holds the text of a command after its name; only the first line was typed. */
function ofCommand(typed: string): string {
  if (!/^\/[\w:.-]+(?:\s|$)/.test(typed)) return typed;
  const end = typed.indexOf('\n\n');
  return end === -1 ? typed : typed.slice(0, end);
}

/** Masks what others wrote: code, quotations, tags with their content, logs, tables and diffs. */
function withoutForeignText(typed: string): string {
  const withoutCode = typed.replaceAll(
    /^[ \t]*(`{3,}|~{3,})(?![`~])[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm,
    mask,
  );
  return withoutTags(withoutCode)
    .replaceAll(/<[a-z/!][^<>\n]*>/gi, mask)
    .replaceAll(/`[^`\n]+`/g, mask)
    .replaceAll(
      /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|(?<![\w])'[^'\n]{4,400}'(?![\w])/g,
      mask,
    )
    .replaceAll(/^.*$/gm, (line) => (isForeignLine(line) ? mask(line) : line));
}

const OPENING_TAG = /<([a-z][\w-]*)(?:\s[^<>\n]{0,400})?>/gi;

/** Masks each tag that is closed, with its content. */
function withoutTags(text: string): string {
  const unclosed = new Set<string>();
  let left = '';
  let at = 0;
  for (const { index, 1: name = '' } of text.matchAll(OPENING_TAG)) {
    // A tag that is closed nowhere is not searched for again: a text may have thousands.
    if (index < at || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const close = text.indexOf(closing, index);
    if (close === -1) unclosed.add(name);
    else {
      const end = close + closing.length;
      left += text.slice(at, index) + mask(text.slice(index, end));
      at = end;
    }
  }
  return left + text.slice(at);
}

/** A quotation, indented code, a line of a diff, a log, a trace, a table, a terminal, or a heading. */
const FOREIGN_LINES: readonly RegExp[] = [
  /^\s*>/,
  /^(?:\t| {4,})(?!\s*(?:[-*•]|\d+[.)])\s)/,
  /^(?:\+|@@|diff --git|index [0-9a-f]{6,}|\+\+\+|---|===)/,
  /^\s*\|/,
  /^\s*#{1,6}\s/,
  /^\s*[$❯%] /,
  /^\s*\[?\d{4}-\d\d-\d\d|^\s*\[?\d\d:\d\d(?::\d\d)?\b/,
  /^\s*\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|fail(?:ed)?|notice)\b\]?[:\s[(]/i,
  /^\s*(?:at \S+ ?\(|at \S+:\d+|File "|Traceback|Caused by|npm (?:ERR|WARN|error|warn)|panic:)/,
  /^\s*\w*(?:Error|Exception|Warning)\b.{0,60}:/,
  /^\s*[\w./\\-]+[:(]\d+(?:[:,]\d+)?\)?:? /,
  /[;{}]\s*$|=>|^\s*(?:const|let|var|function|class|import|export|return|def|public|private|static) .*[=({]/,
];

function isForeignLine(line: string): boolean {
  if (line === '') return false;
  return line.length > 2_000 || FOREIGN_LINES.some((form) => form.test(line));
}

/** From this share of frequent words on a text is in a language. */
const ENOUGH_FREQUENT = 0.15;
/** So many different words of other languages are no coincidence. */
const FEWEST_OF_OTHER = 2;

/** Fewer words tell no language; they are read as the first one. */
const FEWEST_TELLING = 8;

function wordsOf(masked: string): readonly string[] {
  return masked.toLowerCase().match(/[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu) ?? [];
}

/** Counts letters, since some scripts write no spaces between words. */
function isInOtherScript(words: readonly string[]): boolean {
  const letters = words.join('');
  const others = letters.match(/[^\p{Script=Latin}\p{M}'’]/gu)?.length ?? 0;
  return others > letters.length * 0.3;
}

function languageOf(masked: string): RuleLanguage | 'unknown' | 'tooShort' {
  const words = wordsOf(masked);
  if (isInOtherScript(words)) return 'unknown';
  if (words.length < FEWEST_TELLING) return 'tooShort';
  const shareOf = (language: RuleLanguage) =>
    words.filter((word) => language.words.has(word.replace('’', "'"))).length / words.length;
  const best = RULE_LANGUAGES.map((language) => ({ language, share: shareOf(language) })).toSorted(
    (one, other) => other.share - one.share,
  )[0];
  return best === undefined || best.share < ENOUGH_FREQUENT ? 'unknown' : best.language;
}

const BULLET = /^\s*(?:(?:[-*•+]|\d{1,2}[.)]|[a-z][.)])\s+(?:\[[ x]\]\s+)?)/i;

/** A line of at least this length may go on in the next one; characters. */
const WRAPPED = 60;

/** The sentences of a text, without the marks of a list before them. */
function sentencesOf(text: string): readonly Span[] {
  const paragraphs: Span[] = [];
  let open: Span | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    const end = start + line.length;
    const bullet = BULLET.exec(line)?.[0].length ?? 0;
    const before: string = open === undefined ? '' : text.slice(open.start, open.end);
    const last = before.split('\n').at(-1) ?? '';
    const goesOn =
      open !== undefined &&
      bullet === 0 &&
      last.length >= WRAPPED &&
      !/[.!?:;]\s*$/.test(last) &&
      /^\s*[a-z(]/.test(line);
    if (goesOn && open !== undefined) {
      open = { start: open.start, end };
      continue;
    }
    if (open !== undefined) paragraphs.push(open);
    open = line.trim() === '' ? undefined : { start: start + bullet, end };
  }
  if (open !== undefined) paragraphs.push(open);
  return paragraphs.flatMap((paragraph) => sentenceSpans(text, paragraph));
}

function isRule(
  masked: string,
  text: string,
  { rules, shortRule, exceptions }: RuleLanguage,
): boolean {
  if (text.length < SHORTEST_RULE || text.length > LONGEST_RULE) return false;
  // It would not be sent verbatim: the tag of the block would be escaped, or a character replaced.
  if (text.includes('</') || !text.isWellFormed()) return false;
  const said = masked
    .replaceAll(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .replaceAll(/\uFFFC+/g, 'x')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  if (/\?[)\]"'’”.!]*$/.test(said)) return false;
  if (said.split(' ').length < FEWEST_WORDS) return shortRule.test(said);
  // A sentence of which most is quoted says something about the quotation.
  const quoted = masked.split(MASK).length - 1;
  if (quoted > text.length * 0.7) return false;
  return rules.some((rule) => rule.test(said)) && !exceptions.some((one) => one.test(said));
}
