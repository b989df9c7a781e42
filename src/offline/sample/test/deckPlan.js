import { cargoTonnes, deckLoad, planDecks } from '../src/deckPlan.js';
import { vesselNamed } from '../src/vessel.js';
import { check, holds, same, suite, trace } from './harness.js';

let nextNumber = 10000;

/** Makes an item with a reference of its own. */
function item(kind, tonnes, lengthMetres) {
  nextNumber += 1;
  return { ref: `TST-${nextNumber}`, kind, tonnes, lengthMetres };
}

/** Makes several items alike. */
function items(count, kind, tonnes, lengthMetres) {
  return Array.from({ length: count }, () => item(kind, tonnes, lengthMetres));
}

/** A vessel with two decks for trucks of 100 and 60 tonnes, lanes without end. */
const BARGE = {
  name: 'Barge',
  decks: [
    { name: 'low', takes: ['truck', 'plant'], laneMetres: 1000, limitTonnes: 100, leverMetres: 0, heightMetres: 2 },
    { name: 'high', takes: ['truck', 'car'], laneMetres: 1000, limitTonnes: 60, leverMetres: 0, heightMetres: 6 },
  ],
};

/** Writes a plan in one line: deck, tonnes and number of items, then what stays. */
function drawn({ decks, leftBehind }) {
  const line = decks.map((deck) => `${deck.name} ${deck.usedTonnes} (${deck.items.length})`);
  const text = [...line, `left ${leftBehind.length}`].join(', ');
  trace(text);
  return text;
}

suite('deckPlan', () => {
  check('nothing to load leaves the decks empty', () => {
    same(drawn(planDecks(BARGE, [])), 'low 0 (0), high 0 (0), left 0');
  });

  check('the lowest deck that takes the kind is filled first', () => {
    same(drawn(planDecks(BARGE, [item('truck', 20, 10)])), 'low 20 (1), high 0 (0), left 0');
    same(drawn(planDecks(BARGE, [item('car', 2, 5)])), 'low 0 (0), high 2 (1), left 0');
  });

  check('a deck may be loaded to its limit exactly', () => {
    same(drawn(planDecks(BARGE, items(4, 'truck', 25, 10))), 'low 100 (4), high 0 (0), left 0');
  });

  check('an item that would break the limit goes to the next deck', () => {
    const trucks = [...items(3, 'truck', 30, 10), item('truck', 24, 10)];
    same(drawn(planDecks(BARGE, trucks)), 'low 90 (3), high 24 (1), left 0');
  });

  check('a lighter item may fill the gap a heavier one could not', () => {
    const trucks = [...items(3, 'truck', 30, 10), item('truck', 24, 10), item('truck', 10, 8)];
    same(drawn(planDecks(BARGE, trucks)), 'low 100 (4), high 24 (1), left 0');
  });

  check('what fits nowhere is left behind', () => {
    const plant = [item('plant', 70, 12), item('plant', 40, 9)];
    const plan = planDecks(BARGE, plant);
    same(drawn(plan), 'low 70 (1), high 0 (0), left 1');
    same(plan.leftBehind[0].tonnes, 40, 'the lighter one stays');
  });

  check('one item heavier than the deck is not loaded at all', () => {
    same(drawn(planDecks(BARGE, [item('plant', 101, 14)])), 'low 0 (0), high 0 (0), left 1');
  });

  check('lane metres are a limit too', () => {
    const teist = vesselNamed('Teist');
    same(drawn(planDecks(teist, items(8, 'truck', 3, 10))), 'open 21 (7), left 1');
  });

  check('no deck of the fleet is ever overloaded', () => {
    for (const name of ['Skarv', 'Alke', 'Teist']) {
      const vessel = vesselNamed(name);
      for (let heavy = 4; heavy <= 44; heavy += 8) {
        const load = [...items(14, 'truck', heavy, 9), ...items(12, 'car', 1.9, 4.6), ...items(9, 'van', 3.4, 6)];
        const { decks } = planDecks(vessel, load);
        for (const deck of decks) {
          trace(`${name} ${deck.name}, trucks of ${heavy} t: ${deck.usedTonnes} of ${deck.limitTonnes} t`);
        }
        for (const deck of decks) {
          holds(deck.usedTonnes <= deck.limitTonnes, `${name} ${deck.name} carries ${deck.usedTonnes} t of ${deck.limitTonnes} t`);
        }
      }
    }
  });

  check('the plan does not depend on the order of the bookings', () => {
    const load = [...items(4, 'truck', 22, 9), ...items(3, 'truck', 18, 9), ...items(5, 'car', 2, 5)];
    same(drawn(planDecks(BARGE, [...load].reverse())), drawn(planDecks(BARGE, load)));
  });

  check('sums and shares are rounded to the kilogram', () => {
    const { decks } = planDecks(BARGE, [item('truck', 10.1, 9), item('truck', 20.2, 9)]);
    same(cargoTonnes(decks), 30.3, 'cargo');
    same(deckLoad(decks[0]), 0.303, 'load');
  });
});
