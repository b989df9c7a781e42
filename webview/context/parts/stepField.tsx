import type { VNode } from 'preact';

export interface StepFieldProps {
  /** Name for screen readers. */
  readonly label: string;
  /** Undefined shows an empty field. */
  readonly step: number | undefined;
  readonly first: number;
  readonly last: number;
  readonly onStep: (step: number) => void;
  readonly 'data-testid': string;
}

/** Asks for the number of a step; what lies outside the session becomes its first or last. */
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
