import { tokenText } from './amount';
import type { SessionEvent } from './event';
import type { ContextWindow, StepDown } from './window';

/** What the owner of the window sets; every number in tokens, watermarks also as fractions. */
export interface BudgetSettings {
  readonly contextWindowTokens: number;
  readonly maxReplyTokens: number;
  readonly safetyHeadroomTokens: number;
  readonly toolResultHeadroomTokens: number;
  /** Above it a pass starts: below 1 a fraction of the input budget, else tokens. */
  readonly highWatermark: number;
  /** At or below it a pass stops: a fraction or tokens, below the high one. */
  readonly lowWatermark: number;
}

/**
 * The settings with what follows from them; every number in tokens. The watermarks are fractions
 * here, however they were set, so that a step-down lowers them too.
 */
export interface Budget extends BudgetSettings {
  readonly inputBudget: number;
  /** A pass starts when more than this is used. */
  readonly highTokens: number;
  /** A pass stops at or below this. */
  readonly lowTokens: number;
}

/** One thing wrong with the settings, with the setting to change. */
export interface BudgetProblem {
  readonly setting: keyof BudgetSettings;
  readonly message: string;
}

export type BudgetResult =
  | { readonly ok: true; readonly budget: Budget }
  | { readonly ok: false; readonly problems: readonly BudgetProblem[] };

/** Below this an agent cannot hold one prompt and one tool result. */
const SMALLEST_INPUT_BUDGET = 1_000;

const EXAMPLES = [
  ['highWatermark', 0.8],
  ['lowWatermark', 0.5],
] as const;

/** Works out the budget, or says which setting makes it impossible; nothing is clamped. */
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

/** Makes the budget for a given input budget; used by the step-down, which lowers it. */
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

/**
 * Fewest tokens a watermark can be set to; a number between 1 and this is a slip, such as 80 for 80
 * %.
 */
export const LEAST_WATERMARK_TOKENS = 1_000;

/** Says whether a number is a watermark: a fraction of the input budget below 1, or whole tokens from 1,000 on. */
export function isWatermark(mark: number): boolean {
  return mark < 1 ? mark > 0 : Number.isInteger(mark) && mark >= LEAST_WATERMARK_TOKENS;
}

/** Says both ways to set a watermark, with an example of a fraction. */
export function watermarkForm(example: number): string {
  return (
    `a fraction of the input budget below 1, for example ${example}, ` +
    `or a number of tokens of at least ${tokenText(LEAST_WATERMARK_TOKENS)}`
  );
}

/** Where a watermark stands, in whole tokens of this input budget. */
export function watermarkTokens(mark: number, inputBudget: number): number {
  return mark < 1 ? Math.floor(inputBudget * mark) : mark;
}

/** A watermark as the fraction that `watermarkTokens` turns back into exactly as many tokens. */
export function watermarkFraction(mark: number, inputBudget: number): number {
  if (mark < 1) return mark;
  const fraction = mark / inputBudget;
  // A binary fraction may be slightly too small, and rounding down would then lose a token.
  return inputBudget * fraction < mark ? fraction * (1 + Number.EPSILON) : fraction;
}

/** Says where a watermark must lie when it is not below the high one; undefined when it is. */
export function notBelow(mark: number, high: number, inputBudget: number): string | undefined {
  const tokens = watermarkTokens(mark, inputBudget);
  const highTokens = watermarkTokens(high, inputBudget);
  if (tokens < highTokens) return undefined;
  // Numbers in one unit that are visibly the wrong way round need no conversion.
  const isPlain = mark < 1 === high < 1 && mark >= high;
  const said = (one: number, inTokens: number) =>
    isPlain || one >= 1 ? `${one}` : `${one}, here ${tokenText(inTokens)} tokens`;
  return `below the high watermark (${said(high, highTokens)}), not ${said(mark, tokens)}.`;
}

/** After this many overflow errors in a row the turn ends and says so. */
export const MOST_STEP_DOWNS = 3;

const SHRINK = 0.9;

/**
 * What the API said about a request that was too long, in tokens, as far as the error names them.
 */
export interface Overflow {
  readonly actualTokens?: number;
  readonly limitTokens?: number;
  readonly message: string;
}

/** Lowers the input budget by 10 %, or to what the error's own limit allows if that is less. */
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
 * The budget in force: that of the settings, or lower if an overflow happened under the same window
 * setting.
 */
export function effectiveBudget(window: ContextWindow, budget: Budget): Budget {
  const down = window.stepDown;
  if (down === undefined || down.contextWindowTokens !== budget.contextWindowTokens) return budget;
  return withInputBudget(budget, Math.min(budget.inputBudget, down.inputBudget));
}

/** The newest budget a log tells of, after an event; `known` is the one before it. */
export function budgetInLog(known: Budget | undefined, event: SessionEvent): Budget | undefined {
  if (event.type === 'replyReceived') return event.budget ?? known;
  // Older logs have it only where a pass ran and where an overflow lowered it.
  if (event.type === 'passApplied') return event.pass.budget;
  if (event.type !== 'budgetSteppedDown' || known === undefined) return known;
  return withInputBudget(known, event.inputBudget);
}
