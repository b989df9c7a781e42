import { makeBudget, type Budget, type BudgetSettings, notBelow } from '../contextWindow/budget';
import type { ModelAbilities } from '../contextWindow/reasoning';
import { automaticBudget, type WatermarkName } from './automaticBudget';
import { forModel, nameInForce } from './modelSettings';
import type { SettingsProblem } from './readSettings';
import type { ContextSettings, Settings } from './settings';

/** Where the size of the window comes from, in the words the panel shows. */
export type WindowSource =
  | 'from a setting'
  | 'from the model list'
  | 'from the table of known models'
  | 'assumed'
  /** For a recording: from its file, or as the user chose for its replay. */
  | 'from the recording'
  | 'chosen here';

/** How much a model holds and writes, according to anybody but the settings. */
export interface ModelSize {
  readonly windowTokens: number;
  /** Who says how large the window is. */
  readonly source: WindowSource;
  /** The most tokens of one reply; absent where nobody says. */
  readonly maxReplyTokens?: number;
  /** What the model can do; absent where nobody says. */
  readonly abilities?: ModelAbilities;
}

/** Settings that fit together, with the budget that follows from them. */
export interface ValidSettings {
  /** As they count for the model at work. */
  readonly settings: Settings;
  /** As they are set, before what is set for one model is applied. */
  readonly asSet: Settings;
  readonly budget: Budget;
  /** Watermarks that nobody set, and that a cap in tokens decides for the model at work. */
  readonly capped: readonly WatermarkName[];
  readonly windowSource: WindowSource;
  /** What the model at work holds and writes where nothing is set. */
  readonly size: ModelSize;
}

export type ValidSettingsResult =
  | { readonly ok: true; readonly valid: ValidSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/**
 * Works out the budget for the model at work, whose size is given, or names the settings that make
 * it impossible. Only here is what is set for that model applied.
 */
export function budgetOf(asSet: Settings, size: ModelSize): ValidSettingsResult {
  const { model } = asSet;
  const context = forModel(asSet.context, model);
  const settings = { ...asSet, context };
  const nameOf = (key: string) => nameInForce(asSet.context, model, key);
  const mostReply = size.maxReplyTokens;
  const { maxReplyTokens } = context;
  if (mostReply !== undefined && maxReplyTokens !== null && maxReplyTokens > mostReply) {
    const setting = nameOf('maxReplyTokens');
    const message = `${setting} must be at most ${mostReply} tokens, what ${model} can write in one reply, not ${maxReplyTokens}.`;
    return { ok: false, problems: [{ setting, message }] };
  }
  const { windowTokens } = context;
  const { settings: numbers, capped } = automaticBudget(
    context,
    windowTokens ?? size.windowTokens,
    mostReply,
  );
  const result = makeBudget(numbers);
  const wrong = result.ok ? prepareProblems(context, numbers, result.budget) : result.problems;
  const problems = [
    ...wrong.map(({ setting: key, message }) => {
      const setting = nameOf(key === 'contextWindowTokens' ? 'windowTokens' : key);
      return { setting, message: `${setting} ${message}` };
    }),
    ...turnProblems(context),
  ];
  if (!result.ok || problems.length > 0) return { ok: false, problems };
  const windowSource = windowTokens === null ? size.source : 'from a setting';
  const { budget } = result;
  return { ok: true, valid: { settings, asSet, budget, capped, windowSource, size } };
}

/** A summary written ahead must be ready when the pass begins. */
function prepareProblems(
  { prepareWatermark }: ContextSettings,
  { highWatermark }: BudgetSettings,
  { inputBudget }: Budget,
): readonly { readonly setting: string; readonly message: string }[] {
  if (prepareWatermark === null || prepareWatermark === 0) return [];
  const wrongOrder = notBelow(prepareWatermark, highWatermark, inputBudget);
  if (wrongOrder === undefined) return [];
  return [{ setting: 'prepareWatermark', message: `must be null, 0 (never) or ${wrongOrder}` }];
}

/** Under any policy, more turns than the limit allows would never be kept. */
function turnProblems(context: ContextSettings): readonly SettingsProblem[] {
  const { policy, keepTurns, maxHistoryTurns } = context;
  if (policy !== 'lastTurns' || maxHistoryTurns === 0 || keepTurns <= maxHistoryTurns) return [];
  const setting = 'plimsoll.context.keepTurns';
  const message = `${setting} must be at most plimsoll.context.maxHistoryTurns (${maxHistoryTurns}; 0 for no limit) under the policy lastTurns, not ${keepTurns}.`;
  return [{ setting, message }];
}
