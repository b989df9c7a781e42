import { amountText, tokenText } from '../amount';
import type { Block } from '../block';
import type { Budget } from '../budget';
import { labelOf } from '../label';
import type { Amount, Trigger } from '../plan';
import { tierOf, tiersIn } from '../tier';
import { blocksInWindow, type ContextWindow } from '../window';
import type { PartWeight } from './guesses';
import { type Measurement, weightOf } from './measure';
import type { TierTokens } from './spending';

/**
 * The categories of the window's content, in the order of the bar. `unrecorded` exists only in a
 * replay: tokens counted by the recording's API but missing from its file. `gapLines` exists only
 * after whole turns were removed, `rules` after prompts with standing rules were.
 */
export const CATEGORIES = [
  'tools',
  'system',
  'unrecorded',
  'scratchpad',
  'anchor',
  'rules',
  'summary',
  'gapLines',
  'excerpts',
  'archive',
  'working',
] as const;

export type Category = (typeof CATEGORIES)[number];

/**
 * The only account of the window (I8): categories + headroom + reserved = context window, in
 * tokens. Panel, status bar, CLI and log all read it from here. Headroom is negative if the window
 * is overfull.
 */
export interface Balance {
  readonly contextWindowTokens: number;
  readonly inputBudget: number;
  readonly highTokens: number;
  readonly lowTokens: number;
  readonly used: Amount;
  readonly source: Measurement['source'];
  readonly categories: Readonly<Record<Category, number>>;
  readonly headroom: number;
  readonly reserved: {
    readonly reply: number;
    readonly safety: number;
    readonly toolResults: number;
    /** Tokens by which an overflow error lowered the input budget. */
    readonly steppedDown: number;
  };
}

export function balance(window: ContextWindow, measured: Measurement, budget: Budget): Balance {
  const categories: Record<Category, number> = {
    tools: 0,
    system: 0,
    unrecorded: 0,
    scratchpad: 0,
    anchor: 0,
    rules: 0,
    summary: 0,
    gapLines: 0,
    excerpts: 0,
    archive: 0,
    working: 0,
  };
  for (const { part, block, tokens, unrecorded = 0 } of measured.parts) {
    categories[categoryOf(window, part, block)] += tokens - unrecorded;
    categories.unrecorded += unrecorded;
  }
  const { maxReplyTokens, safetyHeadroomTokens, toolResultHeadroomTokens } = budget;
  const setBudget =
    budget.contextWindowTokens - maxReplyTokens - safetyHeadroomTokens - toolResultHeadroomTokens;
  return {
    contextWindowTokens: budget.contextWindowTokens,
    inputBudget: budget.inputBudget,
    highTokens: budget.highTokens,
    lowTokens: budget.lowTokens,
    used: measured.used,
    source: measured.source,
    categories,
    headroom: budget.inputBudget - measured.used.tokens,
    reserved: {
      reply: maxReplyTokens,
      safety: safetyHeadroomTokens,
      toolResults: toolResultHeadroomTokens,
      steppedDown: setBudget - budget.inputBudget,
    },
  };
}

function categoryOf(
  window: ContextWindow,
  part: PartWeight['part'],
  block: Block | undefined,
): Category {
  if (part === 'tools') return 'tools';
  if (part === 'system') return 'system';
  if (part === 'unrecorded') return 'unrecorded';
  if (part === 'scratchpad') return 'scratchpad';
  if (part === 'rules') return 'rules';
  if (part === 'gapLines') return 'gapLines';
  return block === undefined ? 'archive' : categoryOfBlock(window, block);
}

/** The category a block is counted under. */
export function categoryOfBlock(window: ContextWindow, block: Block): Category {
  if (block.kind === 'anchor' && block.pinned) return 'anchor';
  if (block.kind === 'summary' || block.kind === 'excerpts') return block.kind;
  return tierOf(window, block) === 'archive' ? 'archive' : 'working';
}

/**
 * Adds up the parts of the next request by tier. Everything that is not a block belongs to the
 * system tier.
 */
export function tierTokens(window: ContextWindow, measured: Measurement): TierTokens {
  const sums = { system: 0, working: 0, archive: 0 };
  const tierIn = tiersIn(window);
  let summary = 0;
  for (const { block, tokens } of measured.parts) {
    const tier = block === undefined ? 'system' : tierIn(block);
    sums[tier] += tokens;
    if (block?.kind === 'summary' && tier === 'archive') summary += tokens;
  }
  return { ...sums, ...(summary === 0 ? {} : { summary }), exact: measured.used.exact };
}

const NAMED = 4;

/**
 * Explains, with the numbers, why a request that does not fit was not sent. By default no pass can
 * make it fit; `advice` replaces that if the user wanted no pass.
 */
export function whyTooLarge(
  window: ContextWindow,
  measured: Measurement,
  budget: Budget,
  trigger?: Trigger,
  advice?: string,
): string {
  const parts = [
    { label: 'tool definitions', ...weightOf(measured, 'tools') },
    { label: 'system prompt', ...weightOf(measured, 'system') },
    { label: "the agent's notes", ...weightOf(measured, 'scratchpad') },
    { label: 'your standing rules', ...weightOf(measured, 'rules') },
    ...blocksInWindow(window).map((block) => ({
      label: labelOf(block),
      ...weightOf(measured, block.id),
    })),
  ];
  const used = amountText(measured.used);
  const down = window.stepDown;
  const wasRefused = trigger === 'overflow';
  const what = wasRefused
    ? `The API refused the request of ${used} tokens (${down?.message ?? ''})`
    : `The context window is full: the next request has ${used} tokens, the input budget is ` +
      tokenText(budget.inputBudget);
  const notSent = `It was not sent${wasRefused ? ' again' : ''}.`;
  if (advice !== undefined) return `${what}. ${notSent} ${advice} ${heaviestText(parts)}`;
  // The API forced this lower budget, so raising it would only lead to another refusal.
  const isLowered = down?.contextWindowTokens === budget.contextWindowTokens;
  return (
    `${what}, and nothing more can be removed. ${notSent} ${heaviestText(parts)} Unpin blocks,` +
    `${isLowered ? '' : ' raise plimsoll.context.windowTokens,'} or start a new session.`
  );
}

/** Names the heaviest parts with their tokens, in a sentence. */
export function heaviestText(parts: readonly (Amount & { readonly label: string })[]): string {
  const heaviest = parts
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, NAMED)
    .map((part) => `${part.label}: ${amountText(part)}`);
  return `Heaviest: ${heaviest.join('; ')}.`;
}
