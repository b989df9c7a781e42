/** What the owner of the window sets; every number in tokens, watermarks as fractions. */
export interface BudgetSettings {
  readonly contextWindowTokens: number;
  readonly maxReplyTokens: number;
  readonly safetyHeadroomTokens: number;
  readonly toolResultHeadroomTokens: number;
  /** Fraction of the input budget above which a pass starts; 0 < low < high < 1. */
  readonly highWatermark: number;
  /** Fraction of the input budget at or below which a pass stops. */
  readonly lowWatermark: number;
}

/** The settings with what follows from them; every number in tokens. */
export interface Budget extends BudgetSettings {
  readonly inputBudget: number;
  /** A pass starts when more than this is used. */
  readonly highTokens: number;
  /** A pass stops at or below this. */
  readonly lowTokens: number;
}

/** One thing wrong with the settings, naming the setting that is to be changed. */
export interface BudgetProblem {
  readonly setting: keyof BudgetSettings;
  readonly message: string;
}

export type BudgetResult =
  | { readonly ok: true; readonly budget: Budget }
  | { readonly ok: false; readonly problems: readonly BudgetProblem[] };

/** Below this an agent cannot hold one prompt and one tool result. */
const SMALLEST_INPUT_BUDGET = 1_000;

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
  const { highWatermark: high, lowWatermark: low } = settings;
  if (!(high > 0 && high < 1)) {
    report('highWatermark', `must lie between 0 and 1, both excluded, not ${high}.`);
  }
  if (!(low > 0 && low < 1)) {
    report('lowWatermark', `must lie between 0 and 1, both excluded, not ${low}.`);
  } else if (low >= high) {
    report('lowWatermark', `must be below the high watermark (${high}), not ${low}.`);
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
  return { ok: true, budget: withInputBudget(settings, inputBudget) };
}

/** Makes the budget for a given input budget; used by the step-down, which lowers it. */
export function withInputBudget(settings: BudgetSettings, inputBudget: number): Budget {
  return {
    ...settings,
    inputBudget,
    highTokens: Math.floor(inputBudget * settings.highWatermark),
    lowTokens: Math.floor(inputBudget * settings.lowWatermark),
  };
}
