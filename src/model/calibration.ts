import * as z from 'zod/mini';

/**
 * Claude tokens for one o200k_base token, before anything was learned.
 *
 * Slopes measured on the steps of recorded sessions: 1.08 (Opus 4.6), 1.20 (Sonnet 4), 1.46 (Opus
 * 4.7), 1.49 (Fable 5, Sonnet 5), medians of large steps 1.30 and 1.55. The values chosen are on
 * the high side: an overestimate starts a pass early, an underestimate loses a request.
 */
const INITIAL_FACTORS: Readonly<Record<TokenizerGeneration, number>> = {
  claude4: 1.2,
  claude47: 1.55,
  other: 1.2,
};

/**
 * Share of the distance to the observed factor that one lesson covers, after an under- and an
 * overestimate.
 */
const RISE = 0.5;
const FALL = 0.2;

/** A request of fewer tokens teaches less, because the API's own framing weighs too much in it. */
const FULL_LESSON_TOKENS = 8_000;

/** One lesson takes actual / estimated to be at most this, and at least its inverse. */
const FURTHEST_LESSON = 2;

/** The factor stays within this multiple of its initial value, up or down. */
const FURTHEST_FACTOR = 2;

/** Says how many Claude tokens one o200k_base token is assumed to make at first. */
export function initialFactor(model: string): number {
  return INITIAL_FACTORS[tokenizerGeneration(model)];
}

/**
 * Moves a factor towards the one that a request of `actual` tokens, estimated at `estimated`,
 * suggests.
 */
export function learnedFactor(
  factor: number,
  model: string,
  estimated: number,
  actual: number,
): number {
  if (![estimated, actual].every((tokens) => tokens > 0 && Number.isFinite(tokens))) return factor;
  const observed = clamp(actual / estimated, FURTHEST_LESSON);
  const weight = Math.min(1, estimated / FULL_LESSON_TOKENS);
  const damping = (observed > 1 ? RISE : FALL) * weight;
  const initial = initialFactor(model);
  return initial * clamp((factor / initial) * (1 + damping * (observed - 1)), FURTHEST_FACTOR);
}

/** Clamps a factor learned elsewhere to the bounds of a learned one. */
function boundedFactor(factor: number, model: string): number {
  const initial = initialFactor(model);
  return Math.min(initial * FURTHEST_FACTOR, Math.max(initial / FURTHEST_FACTOR, factor));
}

function clamp(ratio: number, furthest: number): number {
  return Math.min(furthest, Math.max(1 / furthest, ratio));
}

/** Anthropic's name among the servers. */
export const ANTHROPIC = 'anthropic';

/** The factors of a calibration, with its current model and server. */
export interface LearnedFactors {
  readonly model: string;
  readonly server: string;
  readonly factors: Readonly<Record<string, number>>;
}

/** A factor that changed by less than this share is not saved again. */
const WORTH_WRITING = 0.01;

/**
 * Remembers the factor learned for each server and model: a compatible server may use a Claude
 * model's id with its own tokenizer.
 */
export class Calibration {
  readonly #factors: Map<string, number>;
  readonly #store: CalibrationStore | undefined;
  #written: ReadonlyMap<string, number>;
  #model: string;
  #server: string;
  /** The current factor, cached because each estimate needs it. */
  #factor: number | undefined;

  constructor(model: string, options: CalibrationOptions = {}) {
    this.#model = model;
    this.#server = options.server ?? ANTHROPIC;
    this.#store = options.store;
    this.#factors = readFactors(options);
    this.#written = new Map(this.#factors);
  }

  /** Switches to a model on a server; the other factors stay. */
  forModel(model: string, server: string = ANTHROPIC): void {
    this.#model = model;
    this.#server = server;
    this.#factor = undefined;
  }

  get model(): string {
    return this.#model;
  }

  /** All that a calibration elsewhere needs to give the same estimates. */
  get learned(): LearnedFactors {
    const factors = Object.fromEntries(this.#factors);
    return { model: this.#model, server: this.#server, factors };
  }

  /** Claude tokens for one o200k_base token of the current model. */
  get factor(): number {
    return (this.#factor ??= this.#lookUp());
  }

  #lookUp(): number {
    const stored = this.#factors.get(this.#key);
    return stored === undefined ? initialFactor(this.#model) : boundedFactor(stored, this.#model);
  }

  /** Learns from the estimate of a whole request and the API's count, in tokens. */
  learn(estimated: number, actual: number): void {
    const factor = learnedFactor(this.factor, this.#model, estimated, actual);
    this.#factors.delete(this.#key);
    this.#factors.set(this.#key, factor);
    this.#factor = undefined;
    const oldest = this.#factors.keys().next();
    if (this.#factors.size > MOST_FACTORS && !oldest.done) this.#factors.delete(oldest.value);
    const before = this.#written.get(this.#key) ?? initialFactor(this.#model);
    if (this.#store === undefined || Math.abs(factor / before - 1) < WORTH_WRITING) return;
    this.#written = new Map(this.#factors);
    this.#store.write(Object.fromEntries(this.#factors));
  }

  /** An address contains no space, so no two pairs share a key. */
  get #key(): string {
    return `${this.#server} ${this.#model}`;
  }
}

/** Claude's tokenizers; `other` stands for other makers' models. */
type TokenizerGeneration = 'claude4' | 'claude47' | 'other';

const CLAUDE = /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/;

/** Claude models before version 4, whose ids begin with the version. */
const CLAUDE_3 = /claude-(?:[23]|instant)/;

/**
 * Works out a model's tokenizer from its id.
 *
 * Opus 4.7 and the 5 series make about 30 % more tokens of one text than older models (measured on
 * recorded sessions). A Claude of unknown version counts as newest, because an overestimate is the
 * safer mistake.
 */
export function tokenizerGeneration(model: string): TokenizerGeneration {
  const version = CLAUDE.exec(model);
  if (version !== null) {
    const [, major = '0', minor = '0'] = version;
    return Number(major) * 100 + Number(minor) >= 407 ? 'claude47' : 'claude4';
  }
  if (CLAUDE_3.test(model)) return 'claude4';
  return model.includes('claude') ? 'claude47' : 'other';
}

/** Stores factors between sessions. */
export interface CalibrationStore {
  /** The stored value, from any version of Plimsoll; undefined if there is none. */
  read(): unknown;
  /** Saves one factor for each server and model. */
  write(factors: Readonly<Record<string, number>>): void;
}

/** What a calibration needs from outside; without a store it is lost when the process ends. */
export interface CalibrationOptions {
  /** The server of the first model; Anthropic when absent. */
  readonly server?: string;
  readonly store?: CalibrationStore;
  /** Called once with a sentence for the log if the stored value is not a calibration. */
  readonly onProblem?: (message: string) => void;
}

/** Maximum factors kept; the one unchanged longest is dropped first. */
const MOST_FACTORS = 100;

const STORED = z.record(z.string(), z.unknown());
const FACTOR = z.number().check(z.positive());

/** Reads the stored factors by server and model; reports and skips anything else. */
function readFactors({ store, onProblem }: CalibrationOptions): Map<string, number> {
  const factors = new Map<string, number>();
  const stored = store?.read();
  if (stored === undefined) return factors;
  const entries = STORED.safeParse(stored);
  let isWhole = entries.success;
  for (const [key, value] of Object.entries(entries.data ?? {}).slice(-MOST_FACTORS)) {
    const factor = FACTOR.safeParse(value);
    if (factor.success) factors.set(key, factor.data);
    else isWhole = false;
  }
  if (!isWhole) {
    onProblem?.(
      'The saved token calibration was partly unreadable; Plimsoll learns the rest again.',
    );
  }
  return factors;
}
