import { makeBudget, type Budget, type BudgetSettings } from '../contextWindow/budget';
import type { ModelLimits } from '../agent/model';
import type { Settings, SettingsProblem } from './settings';

/** Assumed of a model of which neither a setting nor the model list says how much it holds. */
export const ASSUMED_WINDOW_TOKENS = 200_000;

/** Where the size of the window comes from, in the words the panel shows. */
export type WindowSource = 'from a setting' | 'from the model list' | 'assumed';

/** Settings that fit together, with the budget that follows from them. */
export interface ValidSettings {
  readonly settings: Settings;
  readonly budget: Budget;
  readonly windowSource: WindowSource;
}

export type ValidSettingsResult =
  | { readonly ok: true; readonly valid: ValidSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

const NAME_OF: Readonly<Record<keyof BudgetSettings, string>> = {
  contextWindowTokens: 'plimsoll.context.windowTokens',
  maxReplyTokens: 'plimsoll.context.maxReplyTokens',
  safetyHeadroomTokens: 'plimsoll.context.safetyHeadroomTokens',
  toolResultHeadroomTokens: 'plimsoll.context.toolResultHeadroomTokens',
  highWatermark: 'plimsoll.context.highWatermark',
  lowWatermark: 'plimsoll.context.lowWatermark',
};

/** Works out the budget for a model of the given limits, or names the settings that forbid it. */
export function budgetOf(settings: Settings, limits: ModelLimits): ValidSettingsResult {
  const { context, model } = settings;
  const mostReply = limits.maxReplyTokens;
  if (mostReply !== undefined && context.maxReplyTokens > mostReply) {
    const setting = NAME_OF.maxReplyTokens;
    const message = `${setting} must be at most ${mostReply} tokens, what ${model} can write in one reply, not ${context.maxReplyTokens}.`;
    return { ok: false, problems: [{ setting, message }] };
  }
  const { windowTokens, ...rest } = context;
  const size = windowSize(windowTokens, limits);
  const result = makeBudget({ ...budgetSettings(rest), contextWindowTokens: size.tokens });
  if (!result.ok) {
    const problems = result.problems.map(({ setting, message }) => ({
      setting: NAME_OF[setting],
      message: `${NAME_OF[setting]} ${message}`,
    }));
    return { ok: false, problems };
  }
  return { ok: true, valid: { settings, budget: result.budget, windowSource: size.source } };
}

function windowSize(
  set: number | null,
  limits: ModelLimits,
): { readonly tokens: number; readonly source: WindowSource } {
  if (set !== null) return { tokens: set, source: 'from a setting' };
  if (limits.contextWindowTokens !== undefined) {
    return { tokens: limits.contextWindowTokens, source: 'from the model list' };
  }
  return { tokens: ASSUMED_WINDOW_TOKENS, source: 'assumed' };
}

function budgetSettings(
  context: Omit<Settings['context'], 'windowTokens'>,
): Omit<BudgetSettings, 'contextWindowTokens'> {
  const { maxReplyTokens, safetyHeadroomTokens, toolResultHeadroomTokens } = context;
  const { highWatermark, lowWatermark } = context;
  return {
    maxReplyTokens,
    safetyHeadroomTokens,
    toolResultHeadroomTokens,
    highWatermark,
    lowWatermark,
  };
}
