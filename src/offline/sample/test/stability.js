import { planDecks } from '../src/deckPlan.js';
import { centreHeight, draughtMm, stabilityOf, trimMm } from '../src/stability.js';
import { fleetNames, vesselNamed } from '../src/vessel.js';
import { check, holds, same, suite, trace } from './harness.js';

/** Loads a vessel with so many cars. */
function withCars(vessel, count) {
  const cars = Array.from({ length: count }, (_, i) => ({
    ref: `CAR-${String(i).padStart(5, '0')}`,
    kind: 'car',
    tonnes: 1.5,
    lengthMetres: 4.5,
  }));
  return planDecks(vessel, cars).decks;
}

suite('stability', () => {
  check('an empty ship lies at her light draught on an even keel', () => {
    for (const name of fleetNames()) {
      const vessel = vesselNamed(name);
      const decks = withCars(vessel, 0);
      trace(`${name} empty: ${JSON.stringify(stabilityOf(vessel, decks))}`);
      same(draughtMm(vessel, decks), vessel.lightDraughtMm, name);
      same(trimMm(vessel, decks), 0, name);
      same(centreHeight(vessel, decks), vessel.lightHeightMetres, name);
    }
  });

  check('cargo presses her down by its weight over tonnes per centimetre', () => {
    const skarv = vesselNamed('Skarv');
    same(draughtMm(skarv, withCars(skarv, 10)), 3998, 'ten cars');
  });

  check('cargo before midships brings the bow down', () => {
    const skarv = vesselNamed('Skarv');
    holds(trimMm(skarv, withCars(skarv, 10)) > 0, 'ten cars in the hold trim by the bow');
  });

  check('every car makes her a little deeper', () => {
    for (const name of fleetNames()) {
      const vessel = vesselNamed(name);
      let last = 0;
      for (let count = 0; count <= 12; count += 1) {
        const draught = draughtMm(vessel, withCars(vessel, count));
        trace(`${name} with ${count} cars: ${draught} mm`);
        holds(draught > last, `${name} with ${count} cars is deeper than with one less`);
        last = draught;
      }
    }
  });
});
