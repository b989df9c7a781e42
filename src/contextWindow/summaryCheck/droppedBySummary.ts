import { typedPart } from '../attached';
import type { Block, BlockId, StepBlock, ToolUse } from '../block';
import { beginningOf, questionsIn, sentencesIn, spokenWords, withSingleSpaces } from '../sentences';
import { isInKnownLanguage } from '../standingRules/findRules';
import { claimsIn } from './claims';
import { Evidence } from './evidence';

/** What a summary can drop that later work may depend on. */
export type DroppedKind = 'prompt' | 'decision' | 'question';

/** A prompt, decision or open question that a summary does not repeat. */
export interface Dropped {
  readonly kind: DroppedKind;
  /** The block that says it. */
  readonly blockId: BlockId;
  /** Its words, on one line. */
  readonly text: string;
}

/** Characters of a text in a list. */
const LONGEST_TEXT = 200;

/** Phrases by which the agent or the user decides. */
const DECIDES =
  /\b(?:decid(?:e|ed|es|ing) (?:to|on|that|not|against)|(?:I|we)(?:'|’)ve chosen|(?:I|we) (?:chose|choose|picked|settled on|went with|agreed)|(?:I|we)(?:'|’)ll (?:go with|use|keep|avoid|not|stick)|(?:I|we) will (?:go with|use|keep|avoid|not|stick)|(?:I|we) won(?:'|’)t|let(?:'|’)s (?:go with|use|keep|not|stick)|rather than|instead of)\b/i;
const DECISION_WORDS = 5;

/** What a summary dropped, and what of it was not fully looked for. */
export interface DroppedBySummary {
  readonly dropped: readonly Dropped[];
  /**
   * Texts in another language than the summary: only their names and numbers were compared, so some of
   * them may be dropped although they are not listed.
   */
  readonly inOtherLanguage: readonly Dropped[];
  /** The agent wrote in a language whose phrases of decisions are unknown. */
  readonly hasUnknownDecisions: boolean;
}

/**
 * Finds the prompts, decisions and open questions of covered blocks that neither the summary nor
 * `elsewhere`, such as the scratchpad, repeats. A text is repeated if all its names and numbers occur
 * and half of its other words, since a summary paraphrases.
 */
export function droppedBy(
  summary: string,
  covered: readonly Block[],
  elsewhere: readonly string[] = [],
): DroppedBySummary {
  const kept = new Repeated(summary, elsewhere);
  const stated = covered.flatMap((block, at): readonly Dropped[] =>
    block.kind === 'step'
      ? [...decisionsIn(block), ...openQuestionsIn(block, covered.slice(at + 1))]
      : promptIn(block),
  );
  const seen = new Set<string>();
  const dropped: Dropped[] = [];
  const inOtherLanguage: Dropped[] = [];
  for (const one of stated) {
    const key = one.text.toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    const { isRepeated, isInOtherLanguage } = kept.lookUp(one.text);
    const listed = { ...one, text: shortened(one.text) };
    if (!isRepeated) dropped.push(listed);
    if (isInOtherLanguage) inOtherLanguage.push(listed);
  }
  const replies = covered.flatMap((block) => (block.kind === 'step' ? saidBy(block) : []));
  const hasUnknownDecisions = isInKnownLanguage(replies.join('\n')) === false;
  return { dropped, inOtherLanguage, hasUnknownDecisions };
}

function promptIn(block: Block): readonly Dropped[] {
  if (block.kind !== 'prompt' && block.kind !== 'anchor') return [];
  const text = withSingleSpaces(typedPart(block.text));
  return text === '' ? [] : [{ kind: 'prompt', blockId: block.id, text }];
}

/** What the agent said it decided, and what the user answered to its questions. */
function decisionsIn(step: StepBlock): readonly Dropped[] {
  const said = saidBy(step)
    .flatMap(sentencesIn)
    .filter((text) => DECIDES.test(text) && text.split(' ').length >= DECISION_WORDS);
  const answers = step.pairs.flatMap(({ use, result }) =>
    asksUser(use) && result?.isError === false ? [withSingleSpaces(result.text)] : [],
  );
  return [...said, ...answers].map((text) => ({ kind: 'decision', blockId: step.id, text }));
}

/** The tools by which agents ask the user. */
const ASKING = new Set(['askuserquestion', 'askuser', 'askquestion', 'askfollowupquestion']);

/** Says whether a call asks the user a question, whichever agent's tool it is. */
export function asksUser({ name }: ToolUse): boolean {
  return ASKING.has(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** The questions of a reply that ends its turn, if nothing covered came after it. */
function openQuestionsIn(step: StepBlock, later: readonly Block[]): readonly Dropped[] {
  const isOpen = step.pairs.length === 0 && later.every(({ kind }) => kind === 'note');
  if (!isOpen) return [];
  return saidBy(step)
    .flatMap(questionsIn)
    .map((text) => ({ kind: 'question', blockId: step.id, text }));
}

function saidBy({ parts }: StepBlock): readonly string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function shortened(text: string): string {
  const line = withSingleSpaces(text);
  return line.length <= LONGEST_TEXT ? line : `${beginningOf(line, LONGEST_TEXT - 2)} …`;
}

/** A paraphrase has at least this share of the words, and of the names and numbers. */
const ENOUGH_WORDS = 0.5;
const ENOUGH_NAMES = 0.75;
/** "Yes, go on" says nothing that could be dropped, and so few words tell no script. */
const FEWEST_WORDS = 3;

interface Found {
  readonly isRepeated: boolean;
  /** Its words could not be compared. */
  readonly isInOtherLanguage: boolean;
}

const REPEATED: Found = { isRepeated: true, isInOtherLanguage: false };

/** A summary and other texts, in which a paraphrase of another text is looked for. */
class Repeated {
  readonly #plain: string;
  readonly #evidence: Evidence;
  readonly #stems: ReadonlySet<string>;
  /** The summary is in a language that Plimsoll knows. A list of names may look like another one. */
  readonly #isKnown: boolean;
  /** The scripts of the summary: a word of another one may be there in translation. */
  readonly #scripts: ReadonlySet<Script>;

  constructor(summary: string, elsewhere: readonly string[]) {
    const texts = [summary, ...elsewhere];
    this.#plain = withSingleSpaces(texts.join('\n')).toLowerCase();
    this.#evidence = new Evidence(texts);
    this.#stems = new Set(stemsIn(this.#plain).map(({ stem }) => stem));
    this.#isKnown = isInKnownLanguage(summary) === true;
    const words = stemsIn(summary);
    const isUsed = (script: Script) =>
      words.filter((word) => word.script === script).length >= FEWEST_WORDS;
    this.#scripts = new Set(SCRIPTS.filter(isUsed));
  }

  lookUp(text: string): Found {
    if (this.#plain.includes(withSingleSpaces(text).toLowerCase())) return REPEATED;
    const { isFolder } = this.#evidence;
    const names = sentencesIn(text).flatMap((sentence) => claimsIn(sentence, isFolder));
    const words = new Map(stemsIn(text).map(({ stem, script }) => [stem, script]));
    if (names.length === 0 && words.size < FEWEST_WORDS) return REPEATED;
    const found = names.filter((name) => this.#evidence.has(name)).length;
    const hasNames = found >= names.length * ENOUGH_NAMES;
    const said = [...words.keys()].filter((word) => this.#stems.has(word)).length;
    const hasWords = said >= words.size * ENOUGH_WORDS;
    // A summary without words has no script: it repeats nothing.
    const others = [...words.values()].filter((script) => !this.#scripts.has(script)).length;
    const isOtherScript = this.#scripts.size > 0 && others > words.size / 2;
    const isForeign = isOtherScript || (this.#isKnown && isInKnownLanguage(text) === false);
    const isInOtherLanguage = !hasWords && isForeign;
    return { isRepeated: hasNames && (hasWords || isInOtherLanguage), isInOtherLanguage };
  }
}

/** How the words of a script are compared, so that `testing` is `tests`. */
interface Script {
  readonly letters: RegExp;
  /** Shorter words say little. */
  readonly fewest: number;
  /** Letters from the beginning that count; the end is inflected. */
  readonly stem: number;
}

const HIRAGANA = /^\p{Script=Hiragana}+$/u;

/** Hangul writes a syllable, and Han a word or half of one, as one character. */
const SCRIPTS: readonly Script[] = [
  { letters: /^\p{Script=Latin}/u, fewest: 4, stem: 5 },
  { letters: /^\p{Script=Cyrillic}/u, fewest: 4, stem: 4 },
  { letters: /^\p{Script=Greek}/u, fewest: 4, stem: 4 },
  { letters: /^\p{Script=Arabic}/u, fewest: 3, stem: 4 },
  { letters: /^\p{Script=Hebrew}/u, fewest: 3, stem: 4 },
  { letters: /^\p{Script=Hangul}/u, fewest: 2, stem: 2 },
  {
    letters: /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    fewest: 2,
    stem: 5,
  },
  { letters: /^\p{L}/u, fewest: 2, stem: 4 },
];

const COMMON = new Set(
  'about after again also because been before being both could does doing done each even from have here into just like make many more most much need only other over please same should some such sure than that their them then there these they thing this those through very want well were what when where which while will with would your'.split(
    ' ',
  ),
);

function stemsIn(text: string): readonly { readonly stem: string; readonly script: Script }[] {
  // Words with and without an accent are the same.
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '');
  return spokenWords(plain.normalize('NFC')).flatMap((word) => {
    const script = SCRIPTS.find(({ letters }) => letters.test(word));
    // In Japanese, words in Hiragana alone are mostly grammar.
    if (script === undefined || COMMON.has(word) || HIRAGANA.test(word)) return [];
    const letters = [...word];
    return letters.length < script.fewest
      ? []
      : [{ stem: letters.slice(0, script.stem).join(''), script }];
  });
}
