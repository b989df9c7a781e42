import type { Estimator } from '../agent/estimator';
import { Calibration } from './calibration';
import { CountCache } from './countCache';
import { guessRawTokens } from './heuristic';

/** Counts the o200k_base tokens of texts, in their order; rejects when it cannot. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/**
 * Tokens the API puts around each part of a request. Measured: 4 to 7 for a text, about 45 for a tool
 * call and its result together; the higher one, halved, errs on the safe side.
 */
const TOKENS_AROUND_PART = 20;

/** A batch is closed once it has this many characters. */
const BATCH_CHARACTERS = 500_000;

/** Longer texts are never tokenized, in characters: at worst it would take 10 s. */
const LONGEST_TEXT = 2_000_000;

/**
 * Estimates by the tokenizer's count of a text where it is known and by character classes where it
 * is not, times what the model's calibration says. An image is never estimated by its base64 length:
 * there are none in a request yet, and one will need a rule by its size in pixels.
 */
export class CachedEstimator implements Estimator {
  readonly #countTexts: CountTexts;
  readonly #cache = new CountCache();
  readonly #calibration: Calibration;

  constructor(model: string, countTexts: CountTexts) {
    this.#countTexts = countTexts;
    this.#calibration = new Calibration(model);
  }

  /** Switches the calibration to a model. */
  forModel(model: string): void {
    this.#calibration.forModel(model);
  }

  async warm(texts: readonly string[]): Promise<void> {
    const unseen = [...new Set(texts)].filter((text) => this.#isWorthCounting(text));
    for (const batch of batchesOf(unseen)) {
      const counts = await this.#countTexts(batch).catch(() => []);
      batch.forEach((text, index) => {
        const count = counts[index];
        if (count !== undefined) this.#cache.set(text, count);
      });
    }
  }

  estimate(text: string): number {
    if (text === '') return 0;
    const raw = this.#cache.get(text) ?? guessRawTokens(text);
    return Math.ceil(raw * this.#calibration.factor) + TOKENS_AROUND_PART;
  }

  learn(estimatedTokens: number, actualTokens: number): void {
    this.#calibration.learn(estimatedTokens, actualTokens);
  }

  #isWorthCounting(text: string): boolean {
    return text !== '' && text.length <= LONGEST_TEXT && !this.#cache.has(text);
  }
}

/** Splits texts into batches of bounded size, so that what was counted is used at once. */
function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let characters = BATCH_CHARACTERS;
  for (const text of texts) {
    if (characters >= BATCH_CHARACTERS) {
      batches.push([]);
      characters = 0;
    }
    batches.at(-1)?.push(text);
    characters += text.length;
  }
  return batches;
}
