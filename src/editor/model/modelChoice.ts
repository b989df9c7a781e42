import type { ListedModel } from '../../agent/model';
import { tokenText } from '../../contextWindow/amountText';
import type { ModelAbilities, Reasoning, ThinkingMode } from '../../contextWindow/reasoning';
import { modelSize } from '../../model/modelWindows';
import { priceOfModel, type Price } from '../../model/pricing';

/** A model as the picker shows it. */
export interface ModelRow {
  readonly id: string;
  readonly label: string;
  /** Window and price. */
  readonly description: string;
  /** Its id, and what it can do. */
  readonly detail: string;
}

/** Draws the rows of the picker, the model at work first. */
export function modelRows(models: readonly ListedModel[], atWork: string): readonly ModelRow[] {
  return models
    .toSorted((one, other) => Number(other.id === atWork) - Number(one.id === atWork))
    .map((model): ModelRow => {
      const { id, name } = model;
      const { windowTokens, source, abilities = {} } = modelSize(id, model);
      const window = source === 'assumed' ? 'window unknown' : `window ${tokenText(windowTokens)}`;
      const notes = [
        ...(name === id ? [] : [id]),
        ...(id === atWork ? ['at work'] : []),
        ...(model.isDeprecated === true ? ['is going to be retired'] : []),
      ];
      return {
        id,
        label: name,
        description: `${window} · ${priceWords(id)}`,
        detail: [...notes, ...abilityWords(abilities)].join(' · '),
      };
    });
}

/** Says what a model costs, US dollars per million tokens: "$2.00 in, $10.00 out per million tokens". */
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

/** Says what a model can do, and of what nobody says it. */
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

/** Says what is asked of the model, beside the button that names it; '' where it decides by itself. */
export function reasoningText({ thinking, effort }: Reasoning): string {
  const parts = [
    ...(thinking === undefined ? [] : [`thinking ${MODES[thinking.type]}`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
  ];
  return parts.join(', ');
}
