import * as z from 'zod/mini';
import { answered, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';
import { TRIED_POLICIES } from './state';

const { looks, leaves } = wishesOf<ContextPanel>();

/** The settings that a scratch copy can try, by their names under `plimsoll.context.`. */
export const WHAT_IF = z.strictObject({
  /** Null: the size of the model's window. */
  windowTokens: z.nullable(z.number()),
  /** Below 1 a fraction of the input budget, otherwise tokens; null: automatic. The low one too. */
  highWatermark: z.nullable(z.number()),
  lowWatermark: z.nullable(z.number()),
  policy: z.enum(TRIED_POLICIES),
  maxMessages: z.number(),
  keepTurns: z.number(),
  keepRecentTurns: z.number(),
  maxHistoryTurns: z.number(),
  excerpts: z.boolean(),
  excerptShare: z.number(),
});
export type WhatIfSettings = Readonly<z.output<typeof WHAT_IF>>;

/** What the panel may ask for about other settings. */
export const WHAT_IF_WISHES = {
  whatIf: looks({ settings: WHAT_IF }, async ({ settings }, { inspection }) =>
    answered(await inspection.whatIf(settings)),
  ),
  /** Stores the settings that differ once the user confirms; a recording is replayed with them. */
  applyWhatIf: looks({ settings: WHAT_IF }, ({ settings }, panel) => panel.applySettings(settings)),
  /**
   * Replays the whole session under every policy with these settings; `comparisonProgressed` reports
   * the progress. Only one runs at a time: a newer one stops it.
   */
  comparePolicies: looks({ settings: WHAT_IF }, async ({ settings }, { comparison }) => {
    const compared = await comparison.compare(settings);
    return typeof compared === 'object' && 'refusal' in compared
      ? compared.refusal
      : answered(compared);
  }),
  stopComparing: leaves({}, (_wish, { comparison }) => comparison.stop()),
};
