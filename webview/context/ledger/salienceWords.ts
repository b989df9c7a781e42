import type { DecisionView } from '../../../src/protocol/contextPanel';
import { factorsOf } from '../blocks/salienceFactors';

type Salience = NonNullable<DecisionView['salience']>;

/** Writes how much a block matters: "salience 0.31". */
export function salienceWords({ salience }: Salience): string {
  return `salience ${salience.toFixed(2)}`;
}

/** Names what a block's salience was worked out from, for a tooltip. */
export function factorWords(salience: Salience): string {
  return factorsOf(salience)
    .map(({ label, value }) => `${label} ${value.toFixed(2)}`)
    .join(', ');
}
