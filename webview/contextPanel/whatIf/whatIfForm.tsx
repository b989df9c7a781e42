import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import {
  type ContextView,
  isWatermark,
  LEAST_WATERMARK_TOKENS,
  watermarkTokens,
} from '../../../src/editor/contextPanel/state';
import type { BudgetMarks, WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { formatNumber } from '../../kit/tokens';
import { NumberField, type WhatIfField } from '../parts/numberField';
import {
  countsFor,
  fieldValue,
  isWatermarkName,
  policiesFor,
  settingWords,
  standingOf,
  type TriedPolicy,
  whatIfFields,
  withField,
  withMark,
} from './whatIfFields';

interface WhatIfFormProps {
  readonly context: ContextView;
  readonly settings: WhatIfSettings;
  /** Of the scratch copy's settings; absent if they are invalid. */
  readonly marks: BudgetMarks | undefined;
  readonly onChange: (settings: WhatIfSettings) => void;
}

/** Asks for the settings of the scratch copy. */
export function WhatIfForm({ context, settings, marks, onChange }: WhatIfFormProps): VNode {
  const { settings: inForce, balance, source } = context;
  const known = useRef<BudgetMarks>(balance);
  known.current = marks ?? known.current;
  return (
    <div class="tries">
      <PolicyField
        policies={policiesFor(source)}
        settings={settings}
        inForce={inForce}
        onChange={onChange}
      />
      {(settings.policy === 'ladder' || settings.excerpts !== inForce.excerpts) && (
        <ViewsField settings={settings} inForce={inForce} onChange={onChange} />
      )}
      {whatIfFields(balance).map((field) => {
        const { name, unit } = field;
        // Settings changed under another policy stay visible, since they would be stored.
        if (!countsFor(name, settings) && settings[name] === inForce[name]) return null;
        if (isWatermarkName(name)) {
          return (
            <WatermarkField
              key={name}
              field={field}
              mark={settings[name]}
              inForce={inForce[name]}
              inForceTokens={standingOf(name, balance)}
              standing={standingOf(name, known.current)}
              inputBudget={known.current.inputBudget}
              isValid={marks !== undefined}
              onMark={(mark) => onChange(withMark(settings, name, mark, known.current))}
            />
          );
        }
        const isSame = settings[name] === inForce[name];
        return (
          <NumberField
            key={name}
            field={field}
            value={fieldValue(settings, name)}
            resting={balance.contextWindowTokens}
            whenEmpty={name === 'windowTokens' ? "model's" : undefined}
            means=""
            inForce={isSame ? undefined : settingWords(inForce, name, unit)}
            onValue={(value) => onChange(withField(settings, name, value))}
          />
        );
      })}
    </div>
  );
}

interface PolicyFieldProps {
  readonly policies: readonly TriedPolicy[];
  readonly settings: WhatIfSettings;
  readonly inForce: WhatIfSettings;
  readonly onChange: (settings: WhatIfSettings) => void;
}

/** Asks whether passes show excerpts. */
function ViewsField({ settings, inForce, onChange }: Omit<PolicyFieldProps, 'policies'>): VNode {
  const id = useId();
  const isChanged = settings.excerpts !== inForce.excerpts;
  return (
    <div class={isChanged ? 'try changed' : 'try'} data-testid="try-excerpts">
      <label for={id}>Show excerpts</label>
      <input
        id={id}
        type="checkbox"
        checked={settings.excerpts}
        onChange={(event) => onChange({ ...settings, excerpts: event.currentTarget.checked })}
        data-testid="excerpts"
      />
      <span class="quiet small">
        a pass shows the most relevant lines of the files in work
        {isChanged && (
          <span class="was"> · changed, current: {inForce.excerpts ? 'yes' : 'no'}</span>
        )}
      </span>
    </div>
  );
}

function PolicyField({ policies, settings, inForce, onChange }: PolicyFieldProps): VNode {
  const id = useId();
  const isChanged = settings.policy !== inForce.policy;
  return (
    <div class={isChanged ? 'try changed' : 'try'} data-testid="try-policy">
      <label for={id}>Policy</label>
      <select
        id={id}
        value={settings.policy}
        onChange={(event) => {
          const chosen = policies.find(({ name }) => name === event.currentTarget.value);
          if (chosen !== undefined) onChange({ ...settings, policy: chosen.name });
        }}
        data-testid="policy"
      >
        {policies.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <span class="quiet small">
        decides which blocks are removed
        {isChanged && <span class="was"> · changed, current: {inForce.policy}</span>}
      </span>
    </div>
  );
}

interface WatermarkFieldProps {
  /** In percent. */
  readonly field: WhatIfField;
  /** As it is set: below 1 a fraction of the input budget, otherwise tokens; null: automatic. */
  readonly mark: number | null;
  readonly inForce: number | null;
  /** The position of the current one, tokens. */
  readonly inForceTokens: number;
  /**
   * The position of the scratch copy's, tokens; if its settings are invalid, the last valid one.
   */
  readonly standing: number;
  /** Of the scratch copy, tokens; if its settings are invalid, the last valid one. */
  readonly inputBudget: number;
  /** Whether the settings of the scratch copy are valid, so that a mark can be given in tokens. */
  readonly isValid: boolean;
  readonly onMark: (mark: number | null) => void;
}

/**
 * Asks for a watermark in percent or tokens, and shows it in the other unit. Left empty, it is
 * automatic.
 */
function WatermarkField(props: WatermarkFieldProps): VNode {
  const { field, mark, inForce, inForceTokens, standing, inputBudget, isValid, onMark } = props;
  // The number alone does not tell the unit of 0, or of a number between 1 and the fewest tokens.
  const [given, setGiven] = useState({ mark, unit: unitOf(mark) });
  const unit = given.mark === mark ? given.unit : unitOf(mark);
  const give = (next: number | null, inWhich: WatermarkUnit): void => {
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
      value={mark === null ? undefined : inUnit(mark, unit)}
      resting={unit === '%' ? percent(standing, inputBudget) : standing}
      whenEmpty="automatic"
      means={isValid ? otherWords(mark, unit, standing, inputBudget) : ''}
      inForce={mark === inForce ? undefined : markWords(inForce, inForceTokens)}
      onValue={(value) => give(value === undefined ? null : markOf(value, unit), unit)}
      unitSwitch={
        <select
          aria-label={`${field.label}, unit`}
          title="In percent of the input budget, or in tokens; the line stays where it is"
          value={unit}
          onChange={(event) => {
            const chosen = WATERMARK_UNITS.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined && chosen !== unit) {
              give(mark === null ? null : converted(mark, unit, inputBudget), chosen);
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

/** How a watermark is given: in percent of the input budget, or in tokens. */
const WATERMARK_UNITS = ['%', 'tokens'] as const;

type WatermarkUnit = (typeof WATERMARK_UNITS)[number];

/** The unit a watermark is set in. */
function unitOf(mark: number | null): WatermarkUnit {
  return mark === null || mark < 1 ? '%' : 'tokens';
}

/** A watermark as its field shows it; a percentage without rounding errors. */
function inUnit(mark: number, unit: WatermarkUnit): number {
  return unit === '%' ? Math.round(mark * 1e9) / 1e7 : mark;
}

/** The watermark for a number typed in a unit; no percentage, however large, becomes tokens. */
function markOf(value: number, unit: WatermarkUnit): number {
  return unit === '%'
    ? Math.min(Math.round(value * 1e7) / 1e9, LEAST_WATERMARK_TOKENS - 1)
    : Math.round(value);
}

/**
 * The same watermark in the other unit: the line keeps its position. An invalid number has no line,
 * so the number stays: a user who typed 80 tokens may have meant percent.
 */
export function converted(mark: number, from: WatermarkUnit, inputBudget: number): number {
  const to = from === '%' ? 'tokens' : '%';
  if (!isWatermark(mark)) return markOf(inUnit(mark, from), to);
  return to === 'tokens' ? watermarkTokens(mark, inputBudget) : roundFraction(mark, inputBudget);
}

/** The fraction with the fewest digits whose line is at this many tokens. */
function roundFraction(tokens: number, inputBudget: number): number {
  for (let scale = 100; scale <= 1e9; scale *= 10) {
    const fraction = Math.ceil((tokens / inputBudget) * scale) / scale;
    if (watermarkTokens(fraction, inputBudget) === tokens) return fraction;
  }
  return tokens / inputBudget;
}

/** Writes a watermark in its unit: "80 %", "120,000 tokens"; or that it is automatic. */
function markWords(mark: number | null, standing: number): string {
  if (mark === null) return `automatic (${formatNumber(standing)} tokens)`;
  const unit = unitOf(mark);
  const value = inUnit(mark, unit);
  return unit === '%' ? `${value}\u00a0%` : `${formatNumber(value)} tokens`;
}

/** Writes a watermark in the other unit; '' for an invalid one. */
function otherWords(
  mark: number | null,
  unit: WatermarkUnit,
  standing: number,
  inputBudget: number,
): string {
  if (mark !== null && !isWatermark(mark)) return '';
  const tokens = mark === null ? standing : watermarkTokens(mark, inputBudget);
  if (unit === '%') return `${formatNumber(tokens)} tokens`;
  return `${percent(tokens, inputBudget)}\u00a0%`;
}

function percent(tokens: number, inputBudget: number): number {
  return Math.round((tokens / inputBudget) * 1_000) / 10;
}
