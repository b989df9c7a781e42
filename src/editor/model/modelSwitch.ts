import { amountText, tokenText } from '../../contextWindow/amountText';
import type { ContextWindow } from '../../contextWindow/contextWindow';
import { effectiveBudget } from '../../contextWindow/account/stepDown';
import { dueTrigger } from '../../contextWindow/passes/trigger';
import { isThinking } from '../../contextWindow/thinking';
import type { Usage } from '../../contextWindow/usage';
import { costOf } from '../../model/pricing';
import { policySettings } from '../../settings/turnSettings';
import type { ValidSettings } from '../../settings/windowBudget';
import type { Account } from '../contextPanel/account';

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

/** One thing that a switch does; `words` is short enough for one line of a list. */
export interface SwitchEffect {
  readonly label: 'Window' | 'Pass' | 'Prompt cache' | 'Next request' | 'Thinking';
  readonly words: string;
}

/** Says what a switch of the model does to window and cache, before it takes effect. */
export function switchEffects(facts: SwitchFacts): readonly SwitchEffect[] {
  const [before, after] = [facts.from.settings.model, facts.to.settings.model];
  const steps = thinkingSteps(facts.window);
  return [
    { label: 'Window', words: windowWords(facts) },
    { label: 'Pass', words: passWords(facts) },
    {
      label: 'Prompt cache',
      words: `Begins anew: ${after} reads nothing of what is cached for ${before}.`,
    },
    { label: 'Next request', words: costWords(facts) },
    ...(steps === 0
      ? []
      : [
          {
            label: 'Thinking' as const,
            words: `Of ${steps === 1 ? '1 step' : `${steps} steps`}, bound to ${before}: ${after} may not read it.`,
          },
        ]),
  ];
}

function windowWords({ from, to, window }: SwitchFacts): string {
  const before = effectiveBudget(window, from.budget);
  const change = (one: number, other: number): string =>
    one === other
      ? `stays at ${tokenText(one)}`
      : `goes from ${tokenText(one)} to ${tokenText(other)}`;
  return (
    `It ${change(before.contextWindowTokens, to.budget.contextWindowTokens)} tokens, ` +
    `the input budget ${change(before.inputBudget, to.budget.inputBudget)}.`
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
  if (due === undefined) return `${used} tokens are not above ${mark}: no pass follows.`;
  const why =
    due === 'cap'
      ? 'There are more turns or messages than are to be kept'
      : `${used} tokens are above ${mark}`;
  switch (context.compaction) {
    case 'auto':
      return `${why}: a pass makes room first.`;
    case 'ask':
      return `${why}: you are asked about a pass first.`;
    case 'off':
      return measured.used.tokens > budget.inputBudget
        ? 'It is above the input budget and passes are off: make room before you go on.'
        : `${why}, but passes are off.`;
  }
}

function costWords({ account, from, to, offline }: SwitchFacts): string {
  if (offline) return 'No charge (offline).';
  const { tokens } = account.measured.used;
  const none = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  const dollars = (model: string, usage: Partial<Usage>): string => {
    const cost = costOf(model, { ...none, ...usage });
    return cost === 'unknown' ? 'price unknown' : `≈ $${cost.usd.toFixed(4)}`;
  };
  const { model } = from.settings;
  return (
    `Its input without cache: ${dollars(to.settings.model, { cacheCreationTokens: tokens })}; ` +
    `from the cache of ${model}: ${dollars(model, { cacheReadTokens: tokens })}.`
  );
}

/** How many steps hold thinking that is still sent. */
function thinkingSteps({ blocks }: ContextWindow): number {
  return blocks.filter(
    (block) => block.kind === 'step' && !block.thinkingDropped && block.parts.some(isThinking),
  ).length;
}
