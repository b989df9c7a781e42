import { tokenizerGeneration, type TokenizerGeneration } from './tokenizerGeneration';

/**
 * Claude tokens for one o200k_base token, before anything was learned.
 *
 * Slopes measured on the steps of recorded sessions: 1.08 (Opus 4.6), 1.20 (Sonnet 4), 1.46
 * (Opus 4.7), 1.49 (Fable 5, Sonnet 5), medians of large steps 1.30 and 1.55. These lean to the
 * upper side: an overestimate starts a pass early, an underestimate loses a request.
 */
const INITIAL_FACTORS: Readonly<Record<TokenizerGeneration, number>> = {
  claude4: 1.2,
  claude47: 1.55,
  other: 1.2,
};

/** Share of the way to what was observed that one lesson goes, after an under- and an overestimate. */
const RISE = 0.5;
const FALL = 0.2;

/** Requests of fewer tokens teach less: the API's own framing weighs too much in them. */
const FULL_LESSON_TOKENS = 8_000;

/** One lesson takes actual / estimated no further than this, up or down. */
const FURTHEST_LESSON = 2;

/** The factor stays within this multiple of its initial value, up or down. */
const FURTHEST_FACTOR = 2;

/** Says how many Claude tokens one o200k_base token is taken for at first. */
export function initialFactor(model: string): number {
  return INITIAL_FACTORS[tokenizerGeneration(model)];
}

/** Moves a factor towards what a request of `actual` tokens, estimated at `estimated`, says. */
export function learnedFactor(
  factor: number,
  model: string,
  estimated: number,
  actual: number,
): number {
  if (!(estimated > 0) || !(actual > 0)) return factor;
  const observed = clamp(actual / estimated, FURTHEST_LESSON);
  const weight = Math.min(1, estimated / FULL_LESSON_TOKENS);
  const damping = (observed > 1 ? RISE : FALL) * weight;
  const initial = initialFactor(model);
  return initial * clamp((factor / initial) * (1 + damping * (observed - 1)), FURTHEST_FACTOR);
}

function clamp(ratio: number, furthest: number): number {
  return Math.min(furthest, Math.max(1 / furthest, ratio));
}

/** Remembers what each model taught; one factor a model. */
export class Calibration {
  readonly #factors = new Map<string, number>();
  #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  /** Switches to a model; what was learned of the others is kept. */
  forModel(model: string): void {
    this.#model = model;
  }

  /** Claude tokens for one o200k_base token of the current model. */
  get factor(): number {
    return this.#factors.get(this.#model) ?? initialFactor(this.#model);
  }

  /** Takes in what was estimated for a whole request and what the API counted, in tokens. */
  learn(estimated: number, actual: number): void {
    this.#factors.set(this.#model, learnedFactor(this.factor, this.#model, estimated, actual));
  }
}
