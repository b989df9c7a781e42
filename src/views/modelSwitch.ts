import { amountText, tokenText } from '../contextWindow/amountText';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { effectiveBudget } from '../contextWindow/account/stepDown';
import { dueTrigger } from '../contextWindow/passes/trigger';
import { isThinking } from '../contextWindow/thinking';
import type { Usage } from '../contextWindow/usage';
import { costOf } from '../counting/pricing';
import { policySettings } from '../settings/turnSettings';
import type { ValidSettings } from '../settings/windowBudget';
import type { Account } from './account';

/** What a switch of the model in the middle of a session is told from. */
export interface SwitchFacts {
  readonly window: ContextWindow;
  readonly account: Account;
  /** What is in force. */
  readonly from: ValidSettings;
  /** What would be in force. */
  readonly to: ValidSettings;
  /** True while the scripted model answers. */
  readonly offline: boolean;
}

/** One thing that a switch does; `words` is a sentence. */
export interface SwitchEffect {
  readonly label: 'Window' | 'Pass' | 'Cache' | 'Thinking';
  readonly words: string;
}

/** Says what a switch of the model does to window and cache, before it takes effect. */
export function switchEffects(facts: SwitchFacts): readonly SwitchEffect[] {
  const thinking = thinkingWords(facts);
  return [
    { label: 'Window', words: windowWords(facts) },
    { label: 'Pass', words: passWords(facts) },
    { label: 'Cache', words: cacheWords(facts) },
    ...(thinking === undefined ? [] : [{ label: 'Thinking' as const, words: thinking }]),
  ];
}

function windowWords({ from, to, window }: SwitchFacts): string {
  const before = effectiveBudget(window, from.budget);
  const same = (one: number, other: number) =>
    one === other
      ? `stays at ${tokenText(one)}`
      : `goes from ${tokenText(one)} to ${tokenText(other)}`;
  return (
    `The window ${same(before.contextWindowTokens, to.budget.contextWindowTokens)} tokens, ` +
    `the input budget ${same(before.inputBudget, to.budget.inputBudget)}.`
  );
}

function passWords({ window, account, to }: SwitchFacts): string {
  const { measured } = account;
  const { budget, settings } = to;
  const { context } = settings;
  // Another model counts the same text otherwise, so what was counted is an estimate now.
  const used = amountText({ tokens: measured.used.tokens, exact: false });
  const mark = `the high watermark of ${tokenText(budget.highTokens)}`;
  const due = dueTrigger({ window, measured, budget, settings: policySettings(context) });
  if (due === undefined)
    return `The next request has ${used} tokens, below ${mark}: no pass follows.`;
  const why =
    due === 'cap'
      ? 'The session has more turns or messages than are to be kept'
      : `The next request has ${used} tokens, above ${mark}`;
  switch (context.compaction) {
    case 'auto':
      return `${why}: a pass makes room before it is sent.`;
    case 'ask':
      return `${why}: you are asked about a pass before it is sent.`;
    case 'off':
      return measured.used.tokens > budget.inputBudget
        ? `${why} and the input budget. Passes are off: it is not sent until you make room.`
        : `${why}. Passes are off, so nothing leaves by itself.`;
  }
}

function cacheWords({ account, from, to, offline }: SwitchFacts): string {
  const { tokens } = account.measured.used;
  const [before, after] = [from.settings.model, to.settings.model];
  const none: Usage = {
    inputTokens: 0,
    cacheCreationTokens: 0,
    cacheReadTokens: 0,
    outputTokens: 0,
  };
  const dollars = (model: string, usage: Partial<Usage>): string => {
    if (offline) return 'no charge (offline)';
    const cost = costOf(model, { ...none, ...usage });
    return cost === 'unknown' ? 'price unknown' : `≈ $${cost.usd.toFixed(4)}`;
  };
  return (
    `The prompt cache begins anew: ${after} reads nothing of what is cached for ${before}. ` +
    `The input of the next request without cache: ${dollars(after, { cacheCreationTokens: tokens })}; ` +
    `with ${before}, all of it from cache: ${dollars(before, { cacheReadTokens: tokens })}.`
  );
}

/** Undefined where nothing was thought that is still sent. */
function thinkingWords({ window, from, to }: SwitchFacts): string | undefined {
  const steps = window.blocks.filter(
    (block) => block.kind === 'step' && !block.thinkingDropped && block.parts.some(isThinking),
  ).length;
  if (steps === 0) return undefined;
  return (
    `What ${from.settings.model} thought in ${steps === 1 ? '1 step' : `${steps} steps`} is bound to it: ` +
    `${to.settings.model} may not read it. The log keeps it.`
  );
}
