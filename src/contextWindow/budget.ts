import { tokenText } from './amount';
import type { SessionEvent } from './event';
import type { ContextWindow, StepDown } from './window';

/** The settings of the window, in tokens; watermarks may also be fractions. */
export interface BudgetSettings {
  readonly contextWindowTokens: number;
  readonly maxReplyTokens: number;
  readonly safetyHeadroomTokens: number;
  readonly toolResultHeadroomTokens: number;
  /** A pass starts above it: below 1 a fraction of the input budget, else tokens. */
  readonly highWatermark: number;
  /** A pass stops at or below it: a fraction or tokens, below the high watermark. */
  readonly lowWatermark: number;
}

/**
 * The settings with everything derived from them, in tokens. Watermarks are always fractions here,
 * so that a step-down lowers them too.
 */
export interface Budget extends BudgetSettings {
  readonly inputBudget: number;
  /** A pass starts when more tokens than this are used. */
  readonly highTokens: number;
  /** A pass stops at or below this. */
  readonly lowTokens: number;
}

/**
 * A smaller window gets a compact tool set, files in ranges, and reserves in proportion to its size;
 * tokens.
 */
export const SMALL_WINDOW_TOKENS = 48_000;

export function isSmallWindow({
  contextWindowTokens,
}: Pick<BudgetSettings, 'contextWindowTokens'>): boolean {
  return contextWindowTokens < SMALL_WINDOW_TOKENS;
}

/** Share of the input budget that one read of a file takes at most in a small window. */
const RANGE_SHARE = 1 / 6;

/** Most tokens of a file that one read returns; undefined where only the cap of a result counts. */
export function rangeTokens(budget: Budget): number | undefined {
  return isSmallWindow(budget) ? Math.floor(budget.inputBudget * RANGE_SHARE) : undefined;
}

/** A mistake in the settings, with the setting to change. */
export interface BudgetProblem {
  readonly setting: keyof BudgetSettings;
  readonly message: string;
}

type BudgetResult =
  | { readonly ok: true; readonly budget: Budget }
  | { readonly ok: false; readonly problems: readonly BudgetProblem[] };

/** A smaller budget cannot hold one prompt and one tool result. */
const SMALLEST_INPUT_BUDGET = 1_000;

const EXAMPLES = [
  ['highWatermark', 0.8],
  ['lowWatermark', 0.5],
] as const;

/** Computes the budget, or reports each setting that makes it impossible. Clamps nothing. */
export function makeBudget(settings: BudgetSettings): BudgetResult {
  const problems: BudgetProblem[] = [];
  const report = (setting: keyof BudgetSettings, message: string) =>
    problems.push({ setting, message });

  for (const setting of ['contextWindowTokens', 'maxReplyTokens'] as const) {
    if (!Number.isInteger(settings[setting]) || settings[setting] < 1) {
      report(setting, `must be a whole number of tokens of at least 1, not ${settings[setting]}.`);
    }
  }
  for (const setting of ['safetyHeadroomTokens', 'toolResultHeadroomTokens'] as const) {
    if (!Number.isInteger(settings[setting]) || settings[setting] < 0) {
      report(setting, `must be a whole number of tokens of at least 0, not ${settings[setting]}.`);
    }
  }
  for (const [setting, example] of EXAMPLES) {
    const mark = settings[setting];
    if (!isWatermark(mark)) report(setting, `must be ${watermarkForm(example)}, not ${mark}.`);
  }
  if (problems.length > 0) return { ok: false, problems };

  const inputBudget =
    settings.contextWindowTokens -
    settings.maxReplyTokens -
    settings.safetyHeadroomTokens -
    settings.toolResultHeadroomTokens;
  if (inputBudget < SMALLEST_INPUT_BUDGET) {
    report(
      'contextWindowTokens',
      `leaves an input budget of ${inputBudget} tokens after ${settings.maxReplyTokens} for the reply, ` +
        `${settings.safetyHeadroomTokens} safety and ${settings.toolResultHeadroomTokens} tool-result headroom; ` +
        `at least ${SMALLEST_INPUT_BUDGET} are needed.`,
    );
    return { ok: false, problems };
  }
  const { highWatermark, lowWatermark } = settings;
  const wrongOrder = notBelow(lowWatermark, highWatermark, inputBudget);
  if (wrongOrder !== undefined) report('lowWatermark', `must be ${wrongOrder}`);
  if (highWatermark >= inputBudget) {
    const most = tokenText(inputBudget);
    report(
      'highWatermark',
      `must be below the input budget of ${most} tokens, not ${highWatermark}.`,
    );
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, budget: withInputBudget(settings, inputBudget) };
}

/** Derives the budget for a given input budget, which a step-down lowers. */
export function withInputBudget(settings: BudgetSettings, inputBudget: number): Budget {
  const highWatermark = watermarkFraction(settings.highWatermark, inputBudget);
  const lowWatermark = watermarkFraction(settings.lowWatermark, inputBudget);
  return {
    ...settings,
    highWatermark,
    lowWatermark,
    inputBudget,
    highTokens: watermarkTokens(highWatermark, inputBudget),
    lowTokens: watermarkTokens(lowWatermark, inputBudget),
  };
}

/** The smallest watermark in tokens; a number between 1 and this is a slip, such as 80 for 80 %. */
export const LEAST_WATERMARK_TOKENS = 1_000;

/**
 * Says whether a number is a valid watermark: a fraction below 1, or at least 1,000 whole tokens.
 */
export function isWatermark(mark: number): boolean {
  return mark < 1 ? mark > 0 : Number.isInteger(mark) && mark >= LEAST_WATERMARK_TOKENS;
}

/** Describes both forms of a watermark, with an example of a fraction. */
export function watermarkForm(example: number): string {
  return (
    `a fraction of the input budget below 1, for example ${example}, ` +
    `or a number of tokens of at least ${tokenText(LEAST_WATERMARK_TOKENS)}`
  );
}

/** Converts a watermark to whole tokens of this input budget. */
export function watermarkTokens(mark: number, inputBudget: number): number {
  return mark < 1 ? Math.floor(inputBudget * mark) : mark;
}

/**
 * Converts a watermark to a fraction that `watermarkTokens` turns back into exactly the same
 * tokens.
 */
export function watermarkFraction(mark: number, inputBudget: number): number {
  if (mark < 1) return mark;
  const fraction = mark / inputBudget;
  // A binary fraction may be slightly too small, and rounding down would lose a token.
  return inputBudget * fraction < mark ? fraction * (1 + Number.EPSILON) : fraction;
}

/** Says what is wrong with a watermark that is not below the high one; undefined if it is below. */
export function notBelow(mark: number, high: number, inputBudget: number): string | undefined {
  const tokens = watermarkTokens(mark, inputBudget);
  const highTokens = watermarkTokens(high, inputBudget);
  if (tokens < highTokens) return undefined;
  // Two numbers in the same unit need no conversion to show that they are in the wrong order.
  const isPlain = mark < 1 === high < 1 && mark >= high;
  const said = (one: number, inTokens: number) =>
    isPlain || one >= 1 ? `${one}` : `${one}, here ${tokenText(inTokens)} tokens`;
  return `below the high watermark (${said(high, highTokens)}), not ${said(mark, tokens)}.`;
}

/** After this many overflow errors in a row the turn ends with a message. */
export const MOST_STEP_DOWNS = 3;

const SHRINK = 0.9;

/** An overflow error of the API, with the numbers of tokens that it names. */
export interface Overflow {
  readonly actualTokens?: number;
  readonly limitTokens?: number;
  readonly message: string;
}

/** Lowers the input budget by 10 %, or to the limit that the error names if that is lower. */
export function stepDown(budget: Budget, overflow: Overflow, attempt: number): StepDown {
  const { contextWindowTokens } = budget;
  const { limitTokens = contextWindowTokens } = overflow;
  const missing = Math.max(0, contextWindowTokens - limitTokens);
  const shrunk = Math.floor(budget.inputBudget * SHRINK);
  const allowed = budget.inputBudget - missing;
  return {
    attempt,
    contextWindowTokens,
    inputBudget: allowed > 0 ? Math.min(shrunk, allowed) : shrunk,
    message: overflow.message,
  };
}

/**
 * The current budget: that of the settings, or a lower one after an overflow under the same window
 * setting.
 */
export function effectiveBudget(window: ContextWindow, budget: Budget): Budget {
  const down = window.stepDown;
  if (down === undefined || down.contextWindowTokens !== budget.contextWindowTokens) return budget;
  return withInputBudget(budget, Math.min(budget.inputBudget, down.inputBudget));
}

/** The newest budget in the log after an event; `known` is the one before it. */
export function budgetInLog(known: Budget | undefined, event: SessionEvent): Budget | undefined {
  if (event.type === 'replyReceived') return event.budget ?? known;
  // Between replies, only a pass or a step-down changes the budget.
  if (event.type === 'passApplied') return event.pass.budget;
  if (event.type !== 'budgetSteppedDown' || known === undefined) return known;
  return withInputBudget(known, event.inputBudget);
}
