import {
  type Budget,
  type BudgetSettings,
  makeBudget,
  notBelow,
  SMALL_WINDOW_TOKENS,
  watermarkTokens,
} from '../contextWindow/budget';
import { tokenText } from '../contextWindow/amount';
import { LEAST_COMPACT_TRIGGER } from '../contextWindow/passes/policies/server';
import type { ModelAbilities } from '../contextWindow/reasoning';
import { forModel, nameInForce } from './modelSettings';
import { settingName, type SettingsProblem, valueOf, withValues } from './readSettings';
import { type ContextSettings, DEFAULT_SETTINGS, type Settings } from './settings';

/** The source of the window size, in the panel's words. */
export type WindowSource =
  | 'from a setting'
  | 'from the model list'
  | 'from the table of known models'
  | 'assumed'
  /** For a recording: from its file, or chosen by the user for its replay. */
  | 'from the recording'
  | 'chosen here';

/** How much a model holds and writes, apart from the settings. */
interface ModelSize {
  readonly windowTokens: number;
  readonly source: WindowSource;
  /** Maximum tokens of one reply, if known. */
  readonly maxReplyTokens?: number;
  /** What the model supports, if known. */
  readonly abilities?: ModelAbilities;
}

/** Settings that fit together, with the resulting budget. */
export interface ValidSettings {
  /** As they apply to the current model. */
  readonly settings: Settings;
  /** As set, before the entry for the current model applies. */
  readonly asSet: Settings;
  readonly budget: Budget;
  /** Unset watermarks that a cap in tokens decides for the current model. */
  readonly capped: readonly WatermarkName[];
  readonly windowSource: WindowSource;
  /** What the current model holds and writes if nothing is set. */
  readonly size: ModelSize;
}

export type ValidSettingsResult =
  | { readonly ok: true; readonly valid: ValidSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/**
 * Works out the budget for the current model of this size, or names the settings that make it
 * impossible. The only place that applies the settings of one model.
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
    ...(result.ok ? compactProblems(context, result.budget) : []),
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

/** No policy would ever keep more turns than the limit allows. */
function turnProblems(context: ContextSettings): readonly SettingsProblem[] {
  const { policy, keepTurns, maxHistoryTurns } = context;
  if (policy !== 'lastTurns' || maxHistoryTurns === 0 || keepTurns <= maxHistoryTurns) return [];
  const setting = settingName(['context', 'keepTurns']);
  const limit = settingName(['context', 'maxHistoryTurns']);
  const message = `${setting} must be at most ${limit} (${maxHistoryTurns}; 0 for no limit) under the policy lastTurns, not ${keepTurns}.`;
  return [{ setting, message }];
}

/** A compaction of the API that starts above the input budget would never run. */
function compactProblems(
  { policy, server }: ContextSettings,
  { inputBudget }: Budget,
): readonly SettingsProblem[] {
  if (policy !== 'server' || !server.compact || inputBudget > LEAST_COMPACT_TRIGGER) return [];
  const setting = settingName(['context', 'server']);
  const least = tokenText(LEAST_COMPACT_TRIGGER);
  const message =
    `${setting} must have "compact": false with this window: the API compacts no request of less than ` +
    `${least} tokens, and the input budget is ${tokenText(inputBudget)}.`;
  return [{ setting, message }];
}

/** The budget settings; null: derived from the size of the window. */
interface BudgetAsSet {
  readonly maxReplyTokens: number | null;
  readonly safetyHeadroomTokens: number | null;
  readonly toolResultHeadroomTokens: number | null;
  readonly highWatermark: number | null;
  readonly lowWatermark: number | null;
  readonly prepareWatermark: number | null;
}

/** A complete budget. */
interface AutomaticBudget {
  readonly settings: BudgetSettings;
  /** Unset watermarks that the cap in tokens decides instead of the fraction. */
  readonly capped: readonly WatermarkName[];
}

export type WatermarkName = 'highWatermark' | 'lowWatermark';

/** An unset watermark is the smaller of the two. */
export const AUTOMATIC_WATERMARKS: Readonly<
  Record<WatermarkName, { readonly fraction: number; readonly capTokens: number }>
> = {
  highWatermark: { fraction: 0.8, capTokens: 200_000 },
  lowWatermark: { fraction: 0.5, capTokens: 120_000 },
};

/**
 * Bounds of an unset reply limit: at most this share of the window, and tokens within these two.
 */
const REPLY_SHARE = 8;
const MOST_REPLY_TOKENS = 32_000;
const LEAST_REPLY_TOKENS = 4_096;

/** Those of a small window shrink in proportion to its size. */
const LEAST_SAFETY_TOKENS = 2_048;
const MOST_TOOL_RESULT_TOKENS = 8_192;

/**
 * Derives unset sizes from the window and from the model's longest reply, if known. `makeBudget`
 * checks whether they fit together.
 */
export function automaticBudget(
  set: BudgetAsSet,
  contextWindowTokens: number,
  mostReplyTokens?: number,
): AutomaticBudget {
  const maxReplyTokens = set.maxReplyTokens ?? automaticReply(contextWindowTokens, mostReplyTokens);
  const proportion = Math.min(1, contextWindowTokens / SMALL_WINDOW_TOKENS);
  const safetyHeadroomTokens =
    set.safetyHeadroomTokens ??
    Math.max(Math.floor(LEAST_SAFETY_TOKENS * proportion), Math.floor(contextWindowTokens / 100));
  const left = contextWindowTokens - maxReplyTokens - safetyHeadroomTokens;
  // A third of the rest, so that a small window keeps an input budget.
  const toolResultHeadroomTokens =
    set.toolResultHeadroomTokens ??
    Math.min(Math.floor(MOST_TOOL_RESULT_TOKENS * proportion), Math.max(0, Math.floor(left / 3)));
  const inputBudget = left - toolResultHeadroomTokens;
  const high = automaticHigh(set, inputBudget);
  const low = automaticMark('lowWatermark', inputBudget);
  const named = { highWatermark: high, lowWatermark: low };
  return {
    settings: {
      contextWindowTokens,
      maxReplyTokens,
      safetyHeadroomTokens,
      toolResultHeadroomTokens,
      highWatermark: set.highWatermark ?? high,
      lowWatermark: set.lowWatermark ?? low,
    },
    capped: (['highWatermark', 'lowWatermark'] as const).filter(
      (name) => set[name] === null && named[name] >= 1,
    ),
  };
}

/** An unknown maximum counts as the smallest one: a server refuses more than it allows. */
function automaticReply(contextWindowTokens: number, most: number = LEAST_REPLY_TOKENS): number {
  const share = Math.min(Math.floor(contextWindowTokens / REPLY_SHARE), MOST_REPLY_TOKENS);
  return Math.min(most, Math.max(LEAST_REPLY_TOKENS, share));
}

/** The cap yields to a level that the user set and that must be below the high watermark. */
function automaticHigh({ lowWatermark, prepareWatermark }: BudgetAsSet, inputBudget: number) {
  const { fraction, capTokens } = AUTOMATIC_WATERMARKS.highWatermark;
  const below = [lowWatermark, prepareWatermark].map((mark) =>
    mark === null ? 0 : watermarkTokens(mark, inputBudget),
  );
  return Math.max(...below) >= capTokens ? fraction : automaticMark('highWatermark', inputBudget);
}

function automaticMark(name: WatermarkName, inputBudget: number): number {
  const { fraction, capTokens } = AUTOMATIC_WATERMARKS[name];
  return watermarkTokens(fraction, inputBudget) > capTokens ? capTokens : fraction;
}

/** Settings that fit together for a model of this size, and the problems of those replaced. */
interface FittingSettings {
  readonly valid: ValidSettings;
  readonly problems: readonly SettingsProblem[];
}

/**
 * Makes settings fit together: replaces the ones in the way by their last valid values, else by the
 * defaults. Undefined if not even the defaults fit the model.
 */
export function fitting(
  settings: Settings,
  size: ModelSize,
  good: Settings,
): FittingSettings | undefined {
  const first = budgetOf(settings, size);
  if (first.ok) return { valid: first.valid, problems: [] };
  const { problems } = first;
  let tried = settings;
  for (const source of [good, DEFAULT_SETTINGS]) {
    const now = budgetOf(tried, size);
    const names = now.ok ? [] : now.problems.map(({ setting }) => beforeEntry(setting));
    tried = withValues(tried, new Map(names.map((name) => [name, valueOf(source, name)])));
    const mended = budgetOf(tried, size);
    if (mended.ok) return { valid: mended.valid, problems };
  }
  // A named setting may conflict with one that is not named.
  const last = budgetOf({ ...settings, context: DEFAULT_SETTINGS.context }, size);
  return last.ok ? { valid: last.valid, problems } : undefined;
}

/** The name up to an entry for one model: `plimsoll.context.models`. */
function beforeEntry(name: string): string {
  return name.split('[', 1)[0] ?? name;
}
