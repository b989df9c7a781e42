import { z } from 'zod';

/** Remembers factors from one session to the next. */
export interface CalibrationStore {
  /** What was written last, by whatever version of Plimsoll; undefined before that. */
  read(): unknown;
  /** Takes one factor for each server and model. */
  write(factors: Readonly<Record<string, number>>): void;
}

/** What a calibration needs from outside; without a store it forgets when the process ends. */
export interface CalibrationOptions {
  /** Who answers for the first model; Anthropic when absent. */
  readonly server?: string;
  readonly store?: CalibrationStore;
  /** Hears once when what was stored is no calibration; a sentence for the log. */
  readonly onProblem?: (message: string) => void;
}

/** Factors kept; the ones that were not touched for longest leave first. */
export const MOST_FACTORS = 100;

const STORED = z.record(z.string(), z.unknown());
const FACTOR = z.number().positive();

/** Reads what was stored by server and model; what is no factor is left out and told of. */
export function readFactors({ store, onProblem }: CalibrationOptions): Map<string, number> {
  const factors = new Map<string, number>();
  const stored = store?.read();
  if (stored === undefined) return factors;
  const entries = STORED.safeParse(stored);
  let isWhole = entries.success;
  for (const [key, value] of Object.entries(entries.data ?? {}).slice(-MOST_FACTORS)) {
    const factor = FACTOR.safeParse(value);
    if (factor.success) factors.set(key, factor.data);
    else isWhole = false;
  }
  if (!isWhole) {
    onProblem?.('What was learned of token counts could not be read whole; the rest is relearned.');
  }
  return factors;
}
