import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { WhatIfField } from '../whatIf/whatIfFields';

export interface NumberFieldProps {
  readonly field: WhatIfField;
  /** Undefined leaves the field empty. */
  readonly value: number | undefined;
  /** Where the slider stands while the field is empty. */
  readonly resting: number;
  /** What the value comes to, as "21,504 tokens"; '' for nothing to add. */
  readonly means: string;
  /** What is in force, where that is something else. */
  readonly inForce: string | undefined;
  readonly onValue: (value: number | undefined) => void;
  /** Stands for the unit where the user may choose it. */
  readonly unitSwitch?: VNode;
}

/** Asks for a number with a slider and a field, and marks it where it is not what is in force. */
export function NumberField(props: NumberFieldProps): VNode {
  const { field, value, resting, means, inForce, onValue, unitSwitch } = props;
  const { name, label, unit, min, max, step, fine } = field;
  const id = useId();
  const isChanged = inForce !== undefined;
  const read = (text: string): void => {
    const typed = Number(text);
    if (text === '') onValue(undefined);
    else if (Number.isFinite(typed)) onValue(typed);
  };
  return (
    <div class={isChanged ? 'try changed' : 'try'} data-testid={`try-${name}`}>
      <label for={id}>{label}</label>
      <input
        type="range"
        aria-label={`${label}, slider`}
        aria-valuetext={`${value ?? resting} ${unit}${means === '' ? '' : `, ${means}`}`}
        min={min}
        max={max}
        step={step}
        value={value ?? resting}
        onInput={(event) => read(event.currentTarget.value)}
        data-testid={`slider-${name}`}
      />
      <input
        id={id}
        type="number"
        class="number"
        min={min}
        step={fine}
        value={value ?? ''}
        placeholder={name === 'windowTokens' ? "model's" : undefined}
        onInput={(event) => read(event.currentTarget.value)}
        data-testid={`number-${name}`}
      />
      <span class="quiet small">
        {unitSwitch ?? unit}
        {means !== '' && ` · ${means}`}
        {isChanged && <span class="was"> · changed, in force: {inForce}</span>}
      </span>
    </div>
  );
}
