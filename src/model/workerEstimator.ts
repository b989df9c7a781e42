import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Estimator } from '../agent/model';
import type { Media } from '../agent/tool';
import type { Estimate } from '../contextWindow/truncate';
import { Calibration, type CalibrationOptions, type LearnedFactors } from './calibration';
import type { CountAnswer, CounterOpened, CountRequest } from './countWorker';
import { guessRawTokens } from './heuristic';
import { documentTokens, imageTokens } from './mediaTokens';

/** Counts the o200k_base tokens of texts in order; rejects on failure. */
type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/**
 * Tokens the API puts around each part of a request. Measured: 4 to 7 for a text, about 45 for a
 * tool call and its result together; half of the higher number errs on the safe side.
 */
const TOKENS_AROUND_PART = 20;

/** A batch is closed once it has this many characters. */
const BATCH_CHARACTERS = 250_000;

/**
 * Longer texts are never tokenized, in characters. At this length common code was measured at 0.5 s,
 * base64 at 2 s, letters without a word at 7 s and rare Chinese ones at 15 s, half of a worker's limit.
 */
export const LONGEST_TEXT = 1_000_000;

/**
 * Estimates by the tokenizer's count of a text if it is known, else by character classes, times the
 * model's calibration; images and documents by the published formulas.
 */
export class CachedEstimator implements Estimator {
  readonly #countTexts: CountTexts;
  /** A text whose count was evicted is guessed again. */
  readonly #cache = countCache(BOUNDS, () => this.#renew());
  /** Guesses of short texts: plans ask for the same placeholders again and again. */
  readonly #guesses = countCache(GUESS_BOUNDS);
  readonly #calibration: Calibration;
  /** The running counts by text, so that no text is tokenized twice at the same time. */
  readonly #underWay = new Map<string, Promise<void>>();
  #generation = {};
  readonly estimate: Estimate;

  constructor(model: string, countTexts: CountTexts, calibration: CalibrationOptions = {}) {
    this.#countTexts = countTexts;
    this.#calibration = new Calibration(model, calibration);
    this.estimate = this.#estimateBy(this.#calibration);
  }

  /** Estimates for another model, such as that of a recording, by the same counts of texts. */
  weighedFor({ model, server, factors }: LearnedFactors): Pick<Estimator, 'estimate' | 'warm'> {
    const store = { read: () => factors, write: () => undefined };
    const estimate = this.#estimateBy(new Calibration(model, { server, store }));
    return { estimate, warm: (texts) => this.warm(texts) };
  }

  #estimateBy(calibration: Calibration): Estimate {
    const estimate = (text: string): number => this.#estimate(text, calibration.factor);
    const isCounted = (text: string): boolean => text === '' || this.#cache.has(text);
    return Object.defineProperties(estimate, {
      generation: { get: () => this.#generation },
      isCounted: { value: isCounted },
    });
  }

  /** Switches the calibration to a model on a server; Anthropic when none is named. */
  forModel(model: string, server?: string): void {
    this.#calibration.forModel(model, server);
    this.#renew();
  }

  async warm(texts: readonly string[]): Promise<void> {
    const unknown = [...new Set(texts)].filter((text) => text !== '' && !this.#cache.has(text));
    const awaited = new Set(unknown.flatMap((text) => this.#underWay.get(text) ?? []));
    const unseen = unknown.filter((text) => !this.#underWay.has(text));
    const countable = unseen.filter((text) => text.length <= LONGEST_TEXT);
    for (const text of unseen) {
      // The guess takes time linear in the length; it is cached, so that a giant text is guessed
      // once.
      if (text.length > LONGEST_TEXT) this.#keep(text, guessRawTokens(text));
    }
    const batches = batchesOf(countable).map((texts) => {
      let done = (): void => undefined;
      const counted = new Promise<void>((resolve) => (done = resolve));
      for (const text of texts) this.#underWay.set(text, counted);
      return { texts, done };
    });
    await Promise.all([this.#countInTurn(batches), ...awaited]);
  }

  /** The known counts, to be taken by another estimator. */
  get counts(): ReadonlyMap<string, number> {
    return new Map(this.#cache.entries());
  }

  takeCounts(counts: ReadonlyMap<string, number>): void {
    for (const [text, count] of counts) this.#cache.set(text, count);
    this.#renew();
  }

  get learned(): LearnedFactors {
    return this.#calibration.learned;
  }

  /**
   * An estimator with this calibration that knows only the texts it was given itself, so that its
   * numbers do not depend on what else was counted. Texts known here are not tokenized again.
   */
  fork(): CachedEstimator {
    const { model, server, factors } = this.learned;
    const store = { read: () => factors, write: () => undefined };
    return new CachedEstimator(model, (texts) => this.#rawCounts(texts), { server, store });
  }

  async #rawCounts(texts: readonly string[]): Promise<readonly number[]> {
    await this.warm(texts);
    // A missing count is none: the fork guesses, too.
    return texts.map((text) => this.#cache.get(text) ?? NaN);
  }

  #estimate(text: string, factor: number): number {
    if (text === '') return 0;
    const raw = this.#cache.get(text) ?? this.#guess(text);
    return Math.ceil(raw * factor) + TOKENS_AROUND_PART;
  }

  #guess(text: string): number {
    if (text.length > LONGEST_GUESSED) return guessRawTokens(text);
    const known = this.#guesses.get(text);
    if (known !== undefined) return known;
    const guessed = guessRawTokens(text);
    this.#guesses.set(text, guessed);
    return guessed;
  }

  /**
   * Not calibrated: the cost of pixels and pages does not depend on how texts are cut into tokens.
   */
  media({ type, mediaType, data }: Media): number {
    if (type === 'document') return documentTokens(data);
    return imageTokens(data, mediaType, this.#calibration.model);
  }

  learn(estimatedTokens: number, actualTokens: number): void {
    this.#calibration.learn(estimatedTokens, actualTokens);
    this.#renew();
  }

  /** Texts may get other numbers from now on. */
  #renew(): void {
    this.#generation = {};
  }

  #keep(text: string, count: number): void {
    this.#cache.set(text, count);
    this.#renew();
  }

  /** One batch after the other, so that each has the worker's whole time limit. */
  async #countInTurn(
    batches: readonly { readonly texts: readonly string[]; readonly done: () => void }[],
  ): Promise<void> {
    for (const { texts, done } of batches) {
      const counts = await this.#countBatch(texts);
      texts.forEach((text, index) => {
        const count = counts[index];
        // Anything else is not a count: the text is guessed, and counted later.
        if (count !== undefined && Number.isFinite(count) && count >= 0) this.#keep(text, count);
        this.#underWay.delete(text);
      });
      done();
    }
  }

  /**
   * Counts nothing if the tokenizer fails: missing counts are guessed, and requested again later.
   */
  async #countBatch(batch: readonly string[]): Promise<readonly number[]> {
    try {
      return await this.#countTexts(batch);
    } catch {
      return [];
    }
  }
}

/** Splits texts into batches of bounded size, so that finished counts are used immediately. */
export function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
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

/** Bounds of a cache; the least recently used entry is evicted first. */
interface CacheBounds {
  readonly entries: number;
  /**
   * Characters of all cached texts together; a longer text is not kept, and a short one counts as
   * `characters / entries`.
   */
  readonly characters: number;
}

const BOUNDS: CacheBounds = { entries: 20_000, characters: 32_000_000 };

/** Guesses of texts up to this length are cached, in characters. */
const LONGEST_GUESSED = 1_000;
const GUESS_BOUNDS: CacheBounds = { entries: 20_000, characters: 4_000_000 };

/**
 * Makes a cache of a number per text.
 *
 * The text itself is the key. That is a hash of the content with nothing left to chance: the engine
 * looks a string up by a hash of its characters, keeps that hash with the string, and compares the
 * characters before it says that two are the same. A digest of our own would read each text once
 * more and save no memory, because the texts of a session live in its window and log anyway.
 */
export function countCache(
  { entries, characters }: CacheBounds = BOUNDS,
  dispose?: () => void,
): LRUCache<string, number> {
  return new LRUCache({
    dispose,
    maxSize: characters,
    // With `max`, the cache would allocate room for all entries in advance.
    sizeCalculation: (_count, text) => Math.max(Math.floor(characters / entries), text.length),
  });
}

interface WorkerEstimatorOptions extends WorkerCountsOptions {
  /** The first model's server, and the store for calibrations. */
  readonly calibration?: Omit<CalibrationOptions, 'onProblem'>;
}

/**
 * An estimator that counts in a worker thread; without the worker it falls back to character
 * classes.
 */
export class WorkerEstimator extends CachedEstimator {
  readonly #counts: WorkerCounts;

  constructor(model: string, options: WorkerEstimatorOptions) {
    const counts = new WorkerCounts(options);
    const { calibration, onProblem } = options;
    super(model, (texts) => counts.count(texts), {
      ...calibration,
      onProblem,
    });
    this.#counts = counts;
  }

  /** Starts the worker, so that its table is loaded when the first texts come. */
  startCounter(): void {
    this.#counts.start();
  }

  /** Opens a way for another thread to the worker; undefined if counting has failed for good. */
  openCounter(): MessagePort | undefined {
    return this.#counts.openCounter();
  }

  /** Ends the worker; estimates still work. */
  dispose(): Promise<void> {
    return this.#counts.dispose();
  }
}

/** Counts through the port of another thread's estimator; rejects when that has ended. */
export function countsThrough(counter: MessagePort | undefined): CountTexts {
  if (counter === undefined) return () => Promise.reject(new Error('There is no token counter.'));
  const waiting = new Map<number, (answer: CountAnswer | undefined) => void>();
  let [lastId, isClosed] = [0, false];
  counter.on('message', (answer: CountAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  counter.on('close', () => {
    isClosed = true;
    for (const settle of waiting.values()) settle(undefined);
  });
  return (texts) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const settle = (answer: CountAnswer | undefined): void => {
        if (answer !== undefined && 'counts' in answer) resolve(answer.counts);
        else reject(new Error(answer?.problem ?? 'The token counter ended.'));
      };
      if (isClosed) return settle(undefined);
      waiting.set(lastId, settle);
      counter.postMessage({ id: lastId, texts } satisfies CountRequest);
    });
}

interface WorkerCountsOptions {
  /** Path of the bundled worker, dist/countWorker.js. */
  readonly workerPath: string;
  /** Called once with a sentence for the log when counting has failed for good. */
  readonly onProblem?: (message: string) => void;
  /** Time limit of one batch, in ms. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const TIMEOUT_MS = 30_000;

/**
 * Counts texts in a worker thread that starts with the first request.
 *
 * The worker keeps the process alive only while an answer is due. Once it fails it stays off: every
 * later request is rejected immediately.
 */
class WorkerCounts {
  readonly #options: WorkerCountsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #ended: string | undefined;
  #lastId = 0;

  constructor(options: WorkerCountsOptions) {
    this.#options = options;
  }

  /** Asks the worker for the o200k_base tokens of texts; rejects if it cannot answer. */
  count(texts: readonly string[]): Promise<readonly number[]> {
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended));
    return new Promise((resolve, reject) => {
      const id = (this.#lastId += 1);
      const limit = this.#options.timeoutMs ?? TIMEOUT_MS;
      const timer = setTimeout(
        () => this.#fail(`Counting took longer than ${limit / 1000} s.`),
        limit,
      );
      this.#waiting.set(id, { resolve, reject, timer });
      try {
        this.#worker ??= this.#start();
        this.#worker.ref();
        this.#worker.postMessage({ id, texts } satisfies CountRequest);
      } catch (error) {
        this.#fail(String(error));
      }
    });
  }

  /** Starts the worker without a request; undefined if counting has failed for good. */
  start(): Worker | undefined {
    if (this.#ended !== undefined) return undefined;
    try {
      this.#worker ??= this.#start();
      if (this.#waiting.size === 0) this.#worker.unref();
      return this.#worker;
    } catch (error) {
      this.#fail(String(error));
      return undefined;
    }
  }

  /** Opens a channel to the worker: each message in it is a question, and its answer comes back. */
  openCounter(): MessagePort | undefined {
    const worker = this.start();
    if (worker === undefined) return undefined;
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ counter: port1 } satisfies CounterOpened, [port1]);
    return port2;
  }

  /** Ends the worker; rejects running requests without a report. */
  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#end('The token counter was closed.');
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerPath);
    worker.on('message', (answer: CountAnswer) => this.#take(answer));
    worker.on('error', (error) => this.#fail(String(error)));
    worker.on('exit', (code) => this.#fail(`The worker ended with code ${code}.`));
    return worker;
  }

  #take(answer: CountAnswer): void {
    if ('problem' in answer) {
      this.#fail(answer.problem);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer.counts);
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #fail(cause: string): void {
    if (this.#ended !== undefined) return;
    const worker = this.#worker;
    this.#end(`The token counter stopped, so estimates get rougher. ${cause}`);
    void worker?.terminate();
    this.#options.onProblem?.(this.#ended ?? cause);
  }

  #end(why: string): void {
    this.#ended ??= why;
    this.#worker = undefined;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(why));
    }
    this.#waiting.clear();
  }
}
