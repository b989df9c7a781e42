import type { Amount } from '../../../contextWindow/plan';
import type { Balance, BlockView, ContextView, PassView } from '../../../protocol/contextPanel';
import { CATEGORIES } from '../../../protocol/contextPanel';

/** One line of the account: what, and how many tokens. */
export interface AccountRow {
  readonly name: string;
  readonly tokens: number;
}

/** The account of the window; the rows add up to its size (I8). */
export function accountRows({ categories, headroom, reserved }: Balance): readonly AccountRow[] {
  return [
    ...CATEGORIES.map((name) => ({ name: NAMES[name], tokens: categories[name] })),
    { name: headroom < 0 ? 'Over the budget' : 'Headroom', tokens: headroom },
    { name: 'Reserved for the reply', tokens: reserved.reply },
    { name: 'Reserved for safety', tokens: reserved.safety },
    { name: 'Reserved for tool results', tokens: reserved.toolResults },
    { name: 'Taken by an overflow', tokens: reserved.steppedDown },
  ].filter(({ tokens }) => tokens !== 0);
}

const NAMES = {
  tools: 'Tools',
  system: 'System prompt',
  scratchpad: 'Scratchpad',
  anchor: 'Task anchor',
  summary: 'Summary',
  archive: 'Archive',
  working: 'Working',
} as const;

/** Where in the session a view is from: "step 12 of 58", "now, after step 58". */
export function momentWords({ travel }: Pick<ContextView, 'travel'>): string {
  const { at, last } = travel;
  if (at !== 'now') return `step ${at} of ${last}, as its request was sent`;
  return last === 0 ? 'before the first step' : `now, after step ${last}`;
}

/** One sentence for how full the window is. */
export function fillWords({ balance }: Pick<ContextView, 'balance'>): string {
  const { used, inputBudget, contextWindowTokens, highTokens, lowTokens } = balance;
  const share = Math.round((used.tokens / inputBudget) * 100);
  const origin = used.exact ? 'counted by the server' : 'estimated';
  return (
    `${tokens(used)} of ${number(inputBudget)} tokens of the input budget (${share} %, ${origin}); ` +
    `window ${number(contextWindowTokens)}, high watermark ${number(highTokens)}, low ${number(lowTokens)}`
  );
}

/** What a block takes: "≈ 1,208", "–" for one that is out. */
export function weightWords({ state, tokens: weight }: BlockView): string {
  return state === 'compacted' || state === 'evicted' || weight.tokens === 0 ? '–' : tokens(weight);
}

/** "Pass 2 before step 39: highWatermark, policy ladder". */
export function passWords({ number: of, beforeStep, trigger, policy, undone }: PassView): string {
  const by = trigger === 'byHand' ? 'by hand' : `${trigger}, policy ${policy}`;
  return `Pass ${of} before step ${beforeStep}: ${by}${undone ? ', undone' : ''}`;
}

/** Tokens with the mark of an estimate. */
export function tokens(amount: Amount): string {
  return `${amount.exact ? '' : '≈ '}${number(amount.tokens)}`;
}

/** A number for a reader. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}
