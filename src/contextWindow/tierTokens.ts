import type { ContextWindow } from './contextWindow';
import type { Measurement } from './measure';
import { tierOf } from './tier';
import type { TierTokens } from './usage';

/** Adds up the parts of the next request by tier; everything that is no block is of the system tier. */
export function tierTokens(window: ContextWindow, measured: Measurement): TierTokens {
  const blockOf = new Map<string, (typeof window.blocks)[number]>(
    window.blocks.map((block) => [block.id, block]),
  );
  const sums = { system: 0, working: 0, archive: 0 };
  let summary = 0;
  for (const { part, tokens } of measured.parts) {
    const block = blockOf.get(part);
    const tier = block === undefined ? 'system' : tierOf(window, block);
    sums[tier] += tokens;
    if (block?.kind === 'summary' && tier === 'archive') summary += tokens;
  }
  return { ...sums, ...(summary === 0 ? {} : { summary }), exact: measured.used.exact };
}
