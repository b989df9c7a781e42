import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { LEAST_WATERMARK_TOKENS } from '../../../src/protocol/whatIf';
import { NumberField } from '../parts/numberField';
import {
  converted,
  inUnit,
  markOf,
  markWords,
  otherWords,
  unitOf,
  WATERMARK_UNITS,
  type WatermarkUnit,
} from './watermarkUnits';
import type { WhatIfField } from './whatIfFields';

export interface WatermarkFieldProps {
  /** In percent. */
  readonly field: WhatIfField;
  /** As it is set: below 1 a fraction of the input budget, else tokens. */
  readonly mark: number;
  readonly inForce: number;
  /** Of the scratch copy, tokens; where its settings are invalid, the one known last. */
  readonly inputBudget: number;
  /** Whether the settings of the scratch copy fit together, so that a mark means so many tokens. */
  readonly isValid: boolean;
  readonly onMark: (mark: number) => void;
}

/** Asks for a watermark in percent or tokens, and says what it comes to in the other unit. */
export function WatermarkField(props: WatermarkFieldProps): VNode {
  const { field, mark, inForce, inputBudget, isValid, onMark } = props;
  // 0, or what lies between 1 and the fewest tokens, says not by itself in which unit it was typed.
  const [given, setGiven] = useState({ mark, unit: unitOf(mark) });
  const unit = given.mark === mark ? given.unit : unitOf(mark);
  const give = (next: number, inWhich: WatermarkUnit): void => {
    setGiven({ mark: next, unit: inWhich });
    onMark(next);
  };
  const inTokens = {
    unit: 'tokens',
    min: LEAST_WATERMARK_TOKENS,
    max: inputBudget - 1,
    step: 1_000,
    fine: 1,
  } as const;
  return (
    <NumberField
      field={unit === '%' ? field : { ...field, ...inTokens }}
      value={inUnit(mark, unit)}
      resting={inUnit(mark, unit)}
      means={isValid ? otherWords(mark, inputBudget) : ''}
      inForce={mark === inForce ? undefined : markWords(inForce)}
      onValue={(value) => {
        if (value !== undefined) give(markOf(value, unit), unit);
      }}
      unitSwitch={
        <select
          aria-label={`${field.label}, unit`}
          title="In percent of the input budget, or in tokens; the line stays where it is"
          value={unit}
          onChange={(event) => {
            const chosen = WATERMARK_UNITS.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined && chosen !== unit) {
              give(converted(mark, unit, inputBudget), chosen);
            }
          }}
          data-testid={`unit-${field.name}`}
        >
          {WATERMARK_UNITS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      }
    />
  );
}
