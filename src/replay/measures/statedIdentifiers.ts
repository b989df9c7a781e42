import { identifiersIn } from '../../contextWindow/passes/rungs/identifiers';
import {
  beginningOf,
  numbersIn,
  sentencesIn,
  withSingleSpaces,
  wordsIn,
} from '../../contextWindow/sentences';
import { NOTHING, plus, type Share } from './grounding';

/** The kinds of facts in a prompt that guide the agent. */
const IDENTIFIER_KINDS = ['names', 'numbers', 'errorTexts', 'constraints'] as const;

type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

/** How many of the prompts' facts were visible when they were used, by kind. */
export type IdentifierShares = Readonly<Record<IdentifierKind, Share>>;

export const NO_IDENTIFIERS: IdentifierShares = {
  names: NOTHING,
  numbers: NOTHING,
  errorTexts: NOTHING,
  constraints: NOTHING,
};

/** A sentence of a prompt that limits what the agent may do, with the names and numbers in it. */
export interface Constraint {
  readonly text: string;
  readonly words: readonly string[];
}

/** The facts in a prompt. */
export interface Stated {
  /** Paths and names in code. */
  readonly names: readonly string[];
  /** Of three characters or more: shorter ones occur everywhere. */
  readonly numbers: readonly string[];
  /** The text after `Error:` and similar words, to the end of the line. */
  readonly errorTexts: readonly string[];
  readonly constraints: readonly Constraint[];
}

const SHORTEST_NUMBER = 3;

/** An error text of at least 12 characters; the mark before it may include a code or a location. */
const ERROR_TEXT = /(?:\b\w*(?:error|exception)|\bfatal|\bpanic)\b[^:\n]{0,40}:\s*([^\n]{12,})/gi;
const LONGEST_ERROR = 120;

const LIMITS =
  /\b(?:must|never|only|always|do not|don't|should not|shouldn't|at least|at most|no more than|without|avoid|instead of)\b/i;

/** Finds the facts in a prompt that guide the agent. */
export function statedIn(prompt: string): Stated {
  const words = wordsIn(prompt);
  const names = identifiersIn(prompt).filter((name) => words.has(name));
  const errorTexts = [...prompt.matchAll(ERROR_TEXT)].map(([, said = '']) =>
    beginningOf(withSingleSpaces(said), LONGEST_ERROR),
  );
  const constraints = sentencesIn(prompt)
    .filter((sentence) => LIMITS.test(sentence))
    .map((text) => ({ text, words: wordsStatedIn(text) }))
    .filter((constraint) => constraint.words.length > 0);
  return { names, numbers: longNumbersIn(prompt), errorTexts, constraints };
}

function wordsStatedIn(sentence: string): readonly string[] {
  const words = wordsIn(sentence);
  const names = identifiersIn(sentence).filter((name) => words.has(name));
  return [...names, ...longNumbersIn(sentence)];
}

function longNumbersIn(text: string): readonly string[] {
  return [...numbersIn(text)].filter((number) => number.length >= SHORTEST_NUMBER);
}

/**
 * Measures how many of the prompts' facts were still visible when the recording used them.
 *
 * A use: a reply, in its text or in the input of its calls, contains a name, number or error text
 * of an earlier prompt that the newest prompt does not contain. Every policy shows the newest
 * prompt. A reply uses a constraint if it contains one of its names or numbers. Each reply counts
 * each identifier once.
 *
 * Visible: the request for that reply contains it, in any form: in a block, a summary, the
 * scratchpad, a placeholder or the system prompt. A name counts as a word of its own or inside a
 * longer path. An error text and a constraint must occur verbatim, apart from white space. A
 * constraint also counts if one summary or the scratchpad has all its names and numbers, because
 * these paraphrase.
 */
export class IdentifierUses {
  readonly #kindOf = new Map<string, Exclude<IdentifierKind, 'constraints'>>();
  readonly #constraintsOf = new Map<string, Set<Constraint>>();
  /** The facts in the newest prompt, new or repeated. */
  #newest: ReadonlySet<string> = new Set();
  #shares = NO_IDENTIFIERS;

  get shares(): IdentifierShares {
    return this.#shares;
  }

  /** Records the next prompt: its facts, and which sought texts it contains. */
  prompted({ names, numbers, errorTexts, constraints }: Stated, says: ReadonlySet<string>): void {
    this.#newest = says;
    for (const name of names) this.#kindOf.set(name, 'names');
    for (const number of numbers) this.#kindOf.set(number, 'numbers');
    for (const text of errorTexts) this.#kindOf.set(text, 'errorTexts');
    for (const constraint of constraints) {
      for (const word of constraint.words) {
        const known = this.#constraintsOf.get(word) ?? new Set();
        this.#constraintsOf.set(word, known.add(constraint));
      }
    }
  }

  /** Records a reply: which sought texts it uses, and which its request showed. */
  replied(says: ReadonlySet<string>, isShown: (text: string) => boolean): void {
    const constraints = new Set<string>();
    for (const text of says) {
      for (const constraint of this.#constraintsOf.get(text) ?? [])
        constraints.add(constraint.text);
      const kind = this.#kindOf.get(text);
      if (kind !== undefined) this.#count(kind, text, isShown);
    }
    for (const text of constraints) this.#count('constraints', text, isShown);
  }

  #count(kind: IdentifierKind, text: string, isShown: (text: string) => boolean): void {
    if (this.#newest.has(text)) return;
    const use = { visible: isShown(text) ? 1 : 0, total: 1 };
    this.#shares = { ...this.#shares, [kind]: plus(this.#shares[kind], use) };
  }
}

/** Adds up the shares of all kinds. */
export function allIdentifiers(shares: IdentifierShares): Share {
  return IDENTIFIER_KINDS.reduce((sum, kind) => plus(sum, shares[kind]), NOTHING);
}

/** Adds up the shares of two replays, kind by kind. */
export function plusIdentifiers(one: IdentifierShares, other: IdentifierShares): IdentifierShares {
  return {
    names: plus(one.names, other.names),
    numbers: plus(one.numbers, other.numbers),
    errorTexts: plus(one.errorTexts, other.errorTexts),
    constraints: plus(one.constraints, other.constraints),
  };
}
