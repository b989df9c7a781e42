import type { Block } from '../../contextWindow/block';
import type { Transcript } from '../../sessions/transcript';
import { plainText } from './grounding';
import { type Constraint, type Stated, statedIn } from './statedIdentifiers';
import { questionsIn } from '../../contextWindow/sentences';
import { SoughtTexts, saidIn, isClosing } from './soughtTexts';

const SOUGHT = new WeakMap<Transcript, SoughtInRecording>();

/**
 * The texts that a replay looks for in its requests: facts from the prompts, and questions of user
 * and agent.
 */
export class SoughtInRecording {
  readonly #texts: SoughtTexts;
  readonly #statedBy: ReadonlyMap<string, Stated>;
  readonly #constraintsOf = new Map<string, Constraint[]>();
  readonly #foundIn = new Map<string, ReadonlySet<string>>();

  /** The same object for every replay of a recording, so that each text is searched once. */
  static of(transcript: Transcript): SoughtInRecording {
    const sought = SOUGHT.get(transcript) ?? new SoughtInRecording(transcript);
    SOUGHT.set(transcript, sought);
    return sought;
  }

  private constructor({ entries }: Transcript) {
    const prompts = entries.flatMap((entry) => (entry.type === 'prompt' ? [entry.text] : []));
    this.#statedBy = new Map(prompts.map((text) => [text, statedIn(text)]));
    const stated = [...this.#statedBy.values()];
    for (const constraint of stated.flatMap(({ constraints }) => constraints)) {
      for (const word of constraint.words) {
        const known = this.#constraintsOf.get(word);
        if (known === undefined) this.#constraintsOf.set(word, [constraint]);
        else known.push(constraint);
      }
    }
    this.#texts = new SoughtTexts(
      [
        ...stated.flatMap(({ names, numbers }) => [...names, ...numbers]),
        ...this.#constraintsOf.keys(),
      ],
      [
        ...stated.flatMap(({ errorTexts }) => errorTexts),
        ...stated.flatMap(({ constraints }) => constraints.map(({ text }) => text)),
        ...prompts.flatMap(questionsIn),
        ...entries.flatMap((entry) =>
          entry.type === 'reply' && isClosing(entry) ? questionsIn(saidIn(entry)) : [],
        ),
      ],
    );
  }

  statedBy(prompt: string): Stated {
    return this.#statedBy.get(prompt) ?? statedIn(prompt);
  }

  foundIn(text: string): ReadonlySet<string> {
    const found = this.#foundIn.get(text) ?? this.#texts.foundIn(text);
    this.#foundIn.set(text, found);
    return found;
  }

  foundInBlock(block: Block): Iterable<string> {
    const text = plainText(block);
    return block.kind === 'summary' ? this.foundReworded(text) : this.foundIn(text);
  }

  /** The same for a text that paraphrases: a summary or the scratchpad. */
  foundReworded(text: string): ReadonlySet<string> {
    const found = this.foundIn(text);
    const possible = new Set([...found].flatMap((word) => this.#constraintsOf.get(word) ?? []));
    const reworded = [...possible].filter(({ words }) => words.every((word) => found.has(word)));
    return new Set([...found, ...reworded.map((constraint) => constraint.text)]);
  }
}
