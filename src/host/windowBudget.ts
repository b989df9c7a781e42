import { makeBudget, type Budget, type BudgetSettings } from '../contextWindow/budget';
import type { ModelLimits } from '../agent/model';
import { maxReplyFor, windowFor, type WindowSource } from '../counting/modelWindows';
import type { Settings, SettingsProblem } from './settings';

export type { WindowSource };

/** Settings that fit together, with the budget that follows from them. */
export interface ValidSettings {
  readonly settings: Settings;
  readonly budget: Budget;
  readonly windowSource: WindowSource;
  /** What the model list says the model can hold. */
  readonly limits: ModelLimits;
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
  const mostReply = maxReplyFor(model, limits);
  if (mostReply !== undefined && context.maxReplyTokens > mostReply) {
    const setting = NAME_OF.maxReplyTokens;
    const message = `${setting} must be at most ${mostReply} tokens, what ${model} can write in one reply, not ${context.maxReplyTokens}.`;
    return { ok: false, problems: [{ setting, message }] };
  }
  const { windowTokens, ...rest } = context;
  const size = windowFor(model, limits, windowTokens);
  const result = makeBudget({ ...budgetSettings(rest), contextWindowTokens: size.tokens });
  const wrong = result.ok ? [] : result.problems;
  const problems = [
    ...wrong.map(({ setting, message }) => ({
      setting: NAME_OF[setting],
      message: `${NAME_OF[setting]} ${message}`,
    })),
    ...prepareProblems(context),
    ...turnProblems(context),
  ];
  if (!result.ok || problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    valid: { settings, budget: result.budget, windowSource: size.source, limits },
  };
}

/** A summary written ahead must be ready when the pass begins. */
function prepareProblems(context: Settings['context']): readonly SettingsProblem[] {
  const { prepareWatermark, highWatermark } = context;
  const isSet = prepareWatermark !== null && prepareWatermark > 0;
  if (!isSet || prepareWatermark < highWatermark) return [];
  const setting = 'plimsoll.context.prepareWatermark';
  const message = `${setting} must be null, 0 (never) or below the high watermark (${highWatermark}), not ${prepareWatermark}.`;
  return [{ setting, message }];
}

/** More turns than the limit allows under any policy would never be kept. */
function turnProblems(context: Settings['context']): readonly SettingsProblem[] {
  const { policy, keepTurns, maxHistoryTurns } = context;
  if (policy !== 'lastTurns' || maxHistoryTurns === 0 || keepTurns <= maxHistoryTurns) return [];
  const setting = 'plimsoll.context.keepTurns';
  const message = `${setting} must be at most plimsoll.context.maxHistoryTurns (${maxHistoryTurns}; 0 for no limit) under the policy lastTurns, not ${keepTurns}.`;
  return [{ setting, message }];
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
