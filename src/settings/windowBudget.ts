import {
  type Budget,
  type BudgetSettings,
  makeBudget,
  notBelow,
  watermarkTokens,
} from '../contextWindow/budget';
import type { ModelAbilities } from '../contextWindow/reasoning';
import { forModel, nameInForce } from './modelSettings';
import { settingName, type SettingsProblem, valueOf, withValues } from './readSettings';
import { type ContextSettings, DEFAULT_SETTINGS, type Settings } from './settings';

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
  const setting = settingName(['context', 'keepTurns']);
  const limit = settingName(['context', 'maxHistoryTurns']);
  const message = `${setting} must be at most ${limit} (${maxHistoryTurns}; 0 for no limit) under the policy lastTurns, not ${keepTurns}.`;
  return [{ setting, message }];
}

/** What is set for the budget; null: worked out from the size of the window. */
interface BudgetAsSet {
  readonly maxReplyTokens: number | null;
  readonly safetyHeadroomTokens: number | null;
  readonly toolResultHeadroomTokens: number | null;
  readonly highWatermark: number | null;
  readonly lowWatermark: number | null;
  readonly prepareWatermark: number | null;
}

/** A budget with nothing left open. */
interface AutomaticBudget {
  readonly settings: BudgetSettings;
  /** Watermarks that nobody set, and that the cap in tokens decides instead of the fraction. */
  readonly capped: readonly WatermarkName[];
}

export type WatermarkName = 'highWatermark' | 'lowWatermark';

/** A watermark that nobody set is the smaller of the two. */
export const AUTOMATIC_WATERMARKS: Readonly<
  Record<WatermarkName, { readonly fraction: number; readonly capTokens: number }>
> = {
  highWatermark: { fraction: 0.8, capTokens: 200_000 },
  lowWatermark: { fraction: 0.5, capTokens: 120_000 },
};

/**
 * A reply for which nobody set a limit: no more than this share of the window, and no more and no
 * less than so many tokens.
 */
const REPLY_SHARE = 8;
const MOST_REPLY_TOKENS = 32_000;
const LEAST_REPLY_TOKENS = 4_096;

const LEAST_SAFETY_TOKENS = 2_048;
const MOST_TOOL_RESULT_TOKENS = 8_192;

/**
 * Works out what nobody set from the size of the window, and from the most tokens the model writes in
 * one reply, where anybody says. Whether it fits together is for `makeBudget` to say.
 */
export function automaticBudget(
  set: BudgetAsSet,
  contextWindowTokens: number,
  mostReplyTokens?: number,
): AutomaticBudget {
  const maxReplyTokens = set.maxReplyTokens ?? automaticReply(contextWindowTokens, mostReplyTokens);
  const safetyHeadroomTokens =
    set.safetyHeadroomTokens ??
    Math.max(LEAST_SAFETY_TOKENS, Math.floor(contextWindowTokens / 100));
  const left = contextWindowTokens - maxReplyTokens - safetyHeadroomTokens;
  // A third of what is left, so that a small window keeps an input budget.
  const toolResultHeadroomTokens =
    set.toolResultHeadroomTokens ??
    Math.min(MOST_TOOL_RESULT_TOKENS, Math.max(0, Math.floor(left / 3)));
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

/** Where nobody says what the model can write, the least: a server refuses what is too much. */
function automaticReply(contextWindowTokens: number, most: number = LEAST_REPLY_TOKENS): number {
  const share = Math.min(Math.floor(contextWindowTokens / REPLY_SHARE), MOST_REPLY_TOKENS);
  return Math.min(most, Math.max(LEAST_REPLY_TOKENS, share));
}

/** The cap gives way to a mark that the user set and that must lie below the high watermark. */
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

/** Settings that fit together under a model of this size, and which were left out for that. */
interface FittingSettings {
  readonly valid: ValidSettings;
  readonly problems: readonly SettingsProblem[];
}

/**
 * Makes settings fit together that do not: those in the way become what they were last, else the
 * default. Undefined where not even the defaults fit the model.
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
  // What is named may be at odds with what is not.
  const last = budgetOf({ ...settings, context: DEFAULT_SETTINGS.context }, size);
  return last.ok ? { valid: last.valid, problems } : undefined;
}

/** The name up to an entry for one model: `plimsoll.context.models`. */
function beforeEntry(name: string): string {
  return name.split('[', 1)[0] ?? name;
}
