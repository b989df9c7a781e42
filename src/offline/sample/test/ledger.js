import { readFileSync } from 'node:fs';
import { planVoyage } from '../src/voyage.js';
import { check, holds, same, suite, trace } from './harness.js';

const LEDGER = JSON.parse(readFileSync(new URL('../fixtures/ledger-2025.json', import.meta.url), 'utf8'));

/** Reduces a plan to what the ledger recorded of it. */
export function recordOf(plan) {
  return {
    mark: plan.mark,
    maxDraughtMm: plan.maxDraughtMm,
    draughtMm: plan.stability.draughtMm,
    decks: Object.fromEntries(plan.decks.map((deck) => [deck.name, deck.usedTonnes])),
    leftBehind: plan.leftBehind,
    maySail: plan.maySail,
  };
}

/** Compares a voyage with its record and says in one line where they differ; null when they don't. */
function difference(voyage) {
  const plan = planVoyage(voyage);
  const loads = plan.decks.map((deck) => `${deck.name} ${deck.usedTonnes}/${deck.limitTonnes} t`);
  trace(`${voyage.id} ${voyage.date} ${plan.vessel.name}, ${voyage.zone}: ${voyage.bookings.length} bookings`);
  trace(`${voyage.id} ${loads.join(', ')}; left behind ${plan.leftBehind.length}`);
  trace(`${voyage.id} mark ${plan.mark}, ${plan.stability.draughtMm} of ${plan.maxDraughtMm} mm, ${plan.maySail ? 'may sail' : 'may not sail'}`);
  const record = recordOf(plan);
  const keys = Object.keys(voyage.recorded).filter(
    (key) => JSON.stringify(record[key]) !== JSON.stringify(voyage.recorded[key]),
  );
  if (keys.length === 0) return null;
  const parts = keys.map((key) => `${key} ${JSON.stringify(record[key])} instead of ${JSON.stringify(voyage.recorded[key])}`);
  return `${voyage.id}: ${parts.join('; ')}`;
}

suite('ledger', () => {
  check('the ledger holds ten voyages a month', () => same(LEDGER.voyages.length, 120, 'voyages'));

  for (let month = 1; month <= 12; month += 1) {
    const name = `2025-${String(month).padStart(2, '0')}`;
    check(`voyages of ${name} are planned as recorded`, () => {
      const differences = LEDGER.voyages
        .filter((voyage) => voyage.date.startsWith(name))
        .map(difference)
        .filter((line) => line !== null);
      holds(differences.length === 0, `${differences.length} of 10 differ\n${differences.slice(0, 3).join('\n')}`);
    });
  }
});
