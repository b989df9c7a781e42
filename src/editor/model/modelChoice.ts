import type { ListedModel } from '../../agent/model';
import { effectiveBudget } from '../../contextWindow/budget';
import { amountText, tokenText, dollarAmountText } from '../../contextWindow/amount';
import type { ContextWindow } from '../../contextWindow/window';
import { dueTrigger } from '../../contextWindow/passes/pipeline';
import type { ModelAbilities, Reasoning, ThinkingMode } from '../../contextWindow/reasoning';
import { isThinking } from '../../contextWindow/block';
import type { Usage } from '../../contextWindow/account/spending';
import { modelSize } from '../../model/modelWindows';
import { costOf, type Price, priceOfModel } from '../../model/pricing';
import { policySettings } from '../../settings/turnSettings';
import type { ValidSettings } from '../../settings/windowBudget';
import type { Account } from '../session/derive';

/** A model as the picker shows it. */
interface ModelRow {
  readonly id: string;
  readonly label: string;
  /** Window and price. */
  readonly description: string;
  /** Its id and abilities. */
  readonly detail: string;
}

/** Makes the rows of the picker, the current model first. */
export function modelRows(models: readonly ListedModel[], atWork: string): readonly ModelRow[] {
  return models
    .toSorted((one, other) => Number(other.id === atWork) - Number(one.id === atWork))
    .map((model): ModelRow => {
      const { id, name } = model;
      const { windowTokens, source, abilities = {} } = modelSize(id, model);
      const window = source === 'assumed' ? 'window unknown' : `window ${tokenText(windowTokens)}`;
      const notes = [
        ...(name === id ? [] : [id]),
        ...(id === atWork ? ['current'] : []),
        ...(model.isDeprecated === true ? ['will be retired'] : []),
      ];
      return {
        id,
        label: name,
        description: `${window} · ${priceWords(id)}`,
        detail: [...notes, ...abilityWords(abilities)].join(' · '),
      };
    });
}

/**
 * The price of a model, in US dollars per million tokens: "$2.00 in, $10.00 out per million
 * tokens".
 */
export function priceWords(model: string): string {
  const price = priceOfModel(model);
  if (price === undefined) return 'price unknown';
  const words = `${bothWays(price)} per million tokens`;
  const { longPrompt } = price;
  if (longPrompt === undefined) return words;
  const { overPromptTokens, price: dearer } = longPrompt;
  return `${words} (over ${tokenText(overPromptTokens)}: ${bothWays(dearer)})`;
}

function bothWays({ input, output }: Price): string {
  return `$${input.toFixed(2)} in, $${output.toFixed(2)} out`;
}

const MODES: Readonly<Record<ThinkingMode, string>> = {
  adaptive: 'adaptive',
  enabled: 'up to a budget',
  disabled: 'off',
  between_tools: 'between tools',
};

/** Describes the abilities of a model, and which are unknown. */
function abilityWords({ thinking, efforts, images }: ModelAbilities): readonly string[] {
  const unknown = [
    ...(thinking === undefined ? ['thinking'] : []),
    ...(efforts === undefined ? ['effort'] : []),
    ...(images === undefined ? ['images'] : []),
  ];
  const [least, most] = [efforts?.at(0), efforts?.at(-1)];
  return [
    ...(thinking === undefined ? [] : [thinkingWords(thinking)]),
    ...(efforts === undefined
      ? []
      : [least === undefined ? 'no effort to set' : `effort ${least} to ${most}`]),
    ...(images === undefined ? [] : [images ? 'reads images' : 'reads no images']),
    ...(unknown.length === 0 ? [] : [`unknown: ${unknown.join(', ')}`]),
  ];
}

function thinkingWords(modes: readonly ThinkingMode[]): string {
  const words = modes.map((mode) => MODES[mode]).join(', ');
  return words === '' ? 'does not think' : `thinking ${words}`;
}

/** The reasoning settings for the button that names the model; '' for the model's default. */
export function reasoningText({ thinking, effort }: Reasoning): string {
  const parts = [
    ...(thinking === undefined ? [] : [`thinking ${MODES[thinking.type]}`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
  ];
  return parts.join(', ');
}

/** The facts that decide the effects of a model switch. */
interface SwitchFacts {
  readonly window: ContextWindow;
  readonly account: Account;
  /** The current settings. */
  readonly from: ValidSettings;
  /** The settings after the switch. */
  readonly to: ValidSettings;
  /** True while the scripted model answers. */
  readonly offline: boolean;
}

/** One effect of a switch; `words` is short enough for one line of a list. */
interface SwitchEffect {
  readonly label: 'Window' | 'Pass' | 'Prompt cache' | 'Next request' | 'Thinking';
  readonly words: string;
}

/** The effects of a model switch on window and cache, before it takes effect. */
export function switchEffects(facts: SwitchFacts): readonly SwitchEffect[] {
  const [before, after] = [facts.from.settings.model, facts.to.settings.model];
  const steps = thinkingSteps(facts.window);
  return [
    { label: 'Window', words: windowWords(facts) },
    { label: 'Pass', words: passWords(facts) },
    {
      label: 'Prompt cache',
      words: `Starts again: ${after} reads nothing that is cached for ${before}.`,
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
  // Another model counts the same text differently, so the count is now an estimate.
  const used = amountText({ tokens: measured.used.tokens, exact: false });
  const mark = `the high watermark of ${tokenText(budget.highTokens)}`;
  const due = dueTrigger({ window, measured, budget, settings: policySettings(context) });
  if (due === undefined) return `${used} tokens are not above ${mark}: no pass follows.`;
  const why =
    due === 'cap'
      ? 'The turns or messages exceed their limits'
      : `${used} tokens are above ${mark}`;
  switch (context.compaction) {
    case 'auto':
      return `${why}: a pass runs first.`;
    case 'ask':
      return `${why}: you review a pass first.`;
    case 'off':
      return measured.used.tokens > budget.inputBudget
        ? 'It is above the input budget and passes are off: compact before you continue.'
        : `${why}, but passes are off.`;
  }
}

function costWords({ account, from, to, offline }: SwitchFacts): string {
  if (offline) return 'No charge (offline).';
  const { tokens } = account.measured.used;
  const none = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  const dollars = (model: string, usage: Partial<Usage>): string => {
    const cost = costOf(model, { ...none, ...usage });
    return cost === 'unknown' ? 'price unknown' : dollarAmountText(cost.usd);
  };
  const { model } = from.settings;
  return (
    `Its input without cache: ${dollars(to.settings.model, { cacheCreationTokens: tokens })}; ` +
    `from the cache of ${model}: ${dollars(model, { cacheReadTokens: tokens })}.`
  );
}

/** The number of steps with thinking that is still sent. */
function thinkingSteps({ blocks }: ContextWindow): number {
  return blocks.filter(
    (block) => block.kind === 'step' && !block.thinkingDropped && block.parts.some(isThinking),
  ).length;
}
