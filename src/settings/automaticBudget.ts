import { watermarkTokens, type BudgetSettings } from '../contextWindow/budget';

/** What is set for the budget; null: worked out from the size of the window. */
export interface BudgetAsSet {
  readonly maxReplyTokens: number | null;
  readonly safetyHeadroomTokens: number | null;
  readonly toolResultHeadroomTokens: number | null;
  readonly highWatermark: number | null;
  readonly lowWatermark: number | null;
  readonly prepareWatermark: number | null;
}

/** A budget with nothing left open. */
export interface AutomaticBudget {
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
