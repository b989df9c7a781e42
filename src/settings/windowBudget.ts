import { makeBudget, type Budget, type BudgetSettings, notBelow } from '../contextWindow/budget';
import type { ModelLimits } from '../agent/model';
import { maxReplyFor, windowFor, type WindowSource } from '../counting/modelWindows';
import { forModel, nameInForce } from './modelSettings';
import type { Settings, SettingsProblem } from './settings';

export type { WindowSource };

/** Settings that fit together, with the budget that follows from them. */
export interface ValidSettings {
  /** As they count for the model at work. */
  readonly settings: Settings;
  /** As they are set: what is set for models apart has not yet taken its place. */
  readonly asSet: Settings;
  readonly budget: Budget;
  readonly windowSource: WindowSource;
  /** What the model list says the model can hold. */
  readonly limits: ModelLimits;
}

export type ValidSettingsResult =
  | { readonly ok: true; readonly valid: ValidSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/**
 * Works out the budget for the model at work, whose limits are given, or names the settings that
 * forbid it. Here, and nowhere else, what is set for that model takes the place of the rest.
 */
export function budgetOf(asSet: Settings, limits: ModelLimits): ValidSettingsResult {
  const { model } = asSet;
  const context = forModel(asSet.context, model);
  const settings = { ...asSet, context };
  const nameOf = (key: string) => nameInForce(asSet.context, model, key);
  const mostReply = maxReplyFor(model, limits);
  if (mostReply !== undefined && context.maxReplyTokens > mostReply) {
    const setting = nameOf('maxReplyTokens');
    const message = `${setting} must be at most ${mostReply} tokens, what ${model} can write in one reply, not ${context.maxReplyTokens}.`;
    return { ok: false, problems: [{ setting, message }] };
  }
  const { windowTokens, ...rest } = context;
  const size = windowFor(model, limits, windowTokens);
  const result = makeBudget({ ...budgetSettings(rest), contextWindowTokens: size.tokens });
  const wrong = result.ok ? prepareProblems(context, result.budget) : result.problems;
  const problems = [
    ...wrong.map(({ setting: key, message }) => {
      const setting = nameOf(key === 'contextWindowTokens' ? 'windowTokens' : key);
      return { setting, message: `${setting} ${message}` };
    }),
    ...turnProblems(context),
  ];
  if (!result.ok || problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    valid: { settings, asSet, budget: result.budget, windowSource: size.source, limits },
  };
}

/** A summary written ahead must be ready when the pass begins. */
function prepareProblems(
  { prepareWatermark, highWatermark }: Settings['context'],
  { inputBudget }: Budget,
): readonly { readonly setting: string; readonly message: string }[] {
  if (prepareWatermark === null || prepareWatermark === 0) return [];
  const wrongOrder = notBelow(prepareWatermark, highWatermark, inputBudget);
  if (wrongOrder === undefined) return [];
  return [{ setting: 'prepareWatermark', message: `must be null, 0 (never) or ${wrongOrder}` }];
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
