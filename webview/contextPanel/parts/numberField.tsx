import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

interface NumberFieldProps {
  readonly field: WhatIfField;
  /** Undefined leaves the field empty. */
  readonly value: number | undefined;
  /** Position of the slider while the field is empty. */
  readonly resting: number;
  /** Placeholder of the empty field: the value that then applies; absent if it cannot be empty. */
  readonly whenEmpty?: string | undefined;
  /** A note on the value, such as "21,504 tokens"; '' for none. */
  readonly means: string;
  /** The current value, if that differs. */
  readonly inForce: string | undefined;
  readonly onValue: (value: number | undefined) => void;
  /** Replaces the unit if the user can choose it. */
  readonly unitSwitch?: VNode;
}

/** Asks for a number with a slider and a field, and marks it if it differs from the current one. */
export function NumberField(props: NumberFieldProps): VNode {
  const { field, value, resting, whenEmpty, means, inForce, onValue, unitSwitch } = props;
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
        placeholder={whenEmpty}
        onInput={(event) => read(event.currentTarget.value)}
        data-testid={`number-${name}`}
      />
      <span class="quiet small">
        {unitSwitch ?? unit}
        {means !== '' && ` · ${means}`}
        {isChanged && <span class="was"> · changed, current: {inForce}</span>}
      </span>
    </div>
  );
}

interface StepFieldProps {
  /** Name for screen readers. */
  readonly label: string;
  /** Undefined shows an empty field. */
  readonly step: number | undefined;
  readonly first: number;
  readonly last: number;
  readonly onStep: (step: number) => void;
  readonly 'data-testid': string;
}

/** Asks for the number of a step; a number outside the session becomes its first or last. */
export function StepField({ label, step, first, last, onStep, ...rest }: StepFieldProps): VNode {
  return (
    <input
      type="number"
      class="step-field number"
      aria-label={label}
      min={first}
      max={last}
      step={1}
      value={step ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget;
        const wanted = value === '' ? (step ?? last) : Math.trunc(Number(value));
        const within = Math.min(last, Math.max(first, wanted));
        event.currentTarget.value = String(within);
        if (within !== step) onStep(within);
      }}
      data-testid={rest['data-testid']}
    />
  );
}

/** The settings of a scratch copy that are numbers. */
export type NumberSetting = Exclude<keyof WhatIfSettings, 'policy' | 'excerpts'>;

/** A setting that is a number, in the unit the user types it in. */
export interface WhatIfField {
  readonly name: NumberSetting;
  readonly label: string;
  readonly unit: string;
  /** The ends of the slider; a higher number can still be typed. */
  readonly min: number;
  readonly max: number;
  /** The slider's step. */
  readonly step: number;
  /** The smallest step for typed numbers. */
  readonly fine: number | 'any';
}
