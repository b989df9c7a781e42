import { typedPart } from '../attached';
import type { Block, BlockId, StepBlock, ToolUse } from '../block';
import { beginningOf, questionsIn, sentencesIn, withSingleSpaces } from '../sentences';
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

/**
 * Finds the prompts, decisions and open questions of covered blocks that neither the summary nor
 * `elsewhere`, such as the scratchpad, repeats. A text is repeated if all its names and numbers occur
 * and half of its other words, since a summary paraphrases.
 */
export function droppedBy(
  summary: string,
  covered: readonly Block[],
  elsewhere: readonly string[] = [],
): readonly Dropped[] {
  const kept = new Repeated([summary, ...elsewhere]);
  const dropped = covered.flatMap((block, at): readonly Dropped[] =>
    block.kind === 'step'
      ? [...decisionsIn(block), ...openQuestionsIn(block, covered.slice(at + 1))]
      : promptIn(block),
  );
  const seen = new Set<string>();
  return dropped.flatMap((one) => {
    const key = one.text.toLowerCase();
    if (seen.has(key) || kept.has(one.text)) return [];
    seen.add(key);
    return [{ ...one, text: shortened(one.text) }];
  });
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
/** "Yes, go on" says nothing that could be dropped. */
const FEWEST_WORDS = 3;

/** Texts in which a paraphrase of another one is looked for. */
class Repeated {
  readonly #plain: string;
  readonly #evidence: Evidence;
  readonly #stems: ReadonlySet<string>;

  constructor(texts: readonly string[]) {
    this.#plain = withSingleSpaces(texts.join('\n')).toLowerCase();
    this.#evidence = new Evidence(texts);
    this.#stems = new Set(stemsIn(this.#plain));
  }

  has(text: string): boolean {
    if (this.#plain.includes(withSingleSpaces(text).toLowerCase())) return true;
    const names = sentencesIn(text).flatMap(claimsIn);
    const words = [...new Set(stemsIn(text))];
    if (names.length === 0 && words.length < FEWEST_WORDS) return true;
    const found = names.filter((name) => this.#evidence.has(name)).length;
    const said = words.filter((word) => this.#stems.has(word)).length;
    return found >= names.length * ENOUGH_NAMES && said >= words.length * ENOUGH_WORDS;
  }
}

/** Letters by which words are compared, so that `testing` is `tests`. */
const STEM = 5;

const COMMON = new Set(
  'about after again also because been before being both could does doing done each even from have here into just like make many more most much need only other over please same should some such sure than that their them then there these they thing this those through very want well were what when where which while will with would your'.split(
    ' ',
  ),
);

function stemsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  return words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, STEM));
}
