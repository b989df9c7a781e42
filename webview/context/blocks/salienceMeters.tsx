import type { VNode } from 'preact';
import type { BlockView } from '../../../src/protocol/contextPanel';
import { factorsOf, overruledWords } from './salienceFactors';

export interface SalienceMetersProps {
  readonly salience: NonNullable<BlockView['salience']>;
}

/** Draws how much a block matters, and what that was worked out from. */
export function SalienceMeters({ salience }: SalienceMetersProps): VNode {
  const overruled = overruledWords(salience);
  return (
    <div class="salience" data-testid="salience">
      <h4>Salience</h4>
      <Meter label="All together" says="Passes take what matters least." main>
        {salience.salience}
      </Meter>
      {overruled !== undefined && <p class="quiet small">{overruled}</p>}
      {factorsOf(salience).map(({ name, label, says, value }) => (
        <Meter key={name} label={label} says={`High where: ${says}`}>
          {value}
        </Meter>
      ))}
    </div>
  );
}

interface MeterProps {
  readonly label: string;
  readonly says: string;
  readonly main?: boolean;
  /** 0..1. */
  readonly children: number;
}

function Meter({ label, says, main = false, children: value }: MeterProps): VNode {
  const words = value.toFixed(2);
  return (
    <div class={main ? 'factor main' : 'factor'} title={says} data-testid="factor">
      <span class="factor-name">{label}</span>
      <span
        class="rail"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={value}
        aria-valuetext={words}
      >
        <span style={{ width: `${value * 100}%` }} />
      </span>
      <span class="number" aria-hidden="true">
        {words}
      </span>
    </div>
  );
}
