/**
 * Writes fixtures/ledger-2025.json: made-up bookings for 120 voyages, and how this checkout plans them.
 *
 * Was run once, with release 2.2. Running it again records today's behaviour, right or wrong: read the README first.
 */
import { writeFileSync } from 'node:fs';
import { planVoyage } from '../src/voyage.js';

const TARGET = new URL('../fixtures/ledger-2025.json', import.meta.url);
const VESSELS = ['Skarv', 'Alke', 'Teist'];
const ZONES = ['north-atlantic', 'north-sea', 'inner-sound', 'north-sea', 'middle-sea'];
const PORTS = ['SRK', 'SSD', 'HMK', 'HMS', 'HHN'];

/** Months in which the sugar and timber seasons fill the trucks. */
const HEAVY_MONTHS = [5, 7, 8, 12];

/** What a kind of item weighs in kilograms and measures in centimetres, from and to. */
const SIZES = {
  car: { kg: [950, 2300], cm: [380, 510] },
  van: { kg: [1900, 3500], cm: [490, 700] },
  truck: { kg: [7000, 17000], cm: [750, 1200] },
  trailer: { kg: [9000, 19000], cm: [1150, 1360] },
  plant: { kg: [8000, 22000], cm: [600, 1100] },
};

let seed = 20250101;

/** Gives the next whole number of the series, from 0 up to and without the limit. */
function next(limit) {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >>> 8) % limit;
}

/** Picks one of a list. */
function pick(list) {
  return list[next(list.length)];
}

let nextNumber = 1;

/** Makes one booking. */
function booking(kind, heavy) {
  const { kg, cm } = SIZES[kind];
  const factor = heavy && kind !== 'car' && kind !== 'van' ? 2.2 : 1;
  const weight = Math.round((kg[0] + next(kg[1] - kg[0])) * factor);
  const length = cm[0] + next(cm[1] - cm[0]);
  const ref = `${pick(PORTS)}-${String(nextNumber).padStart(5, '0')}`;
  nextNumber += 1;
  return {
    ref,
    kind,
    weight: next(4) === 0 ? `${weight / 1000} t` : `${weight} kg`,
    length: next(5) === 0 ? `${length} cm` : `${length / 100} m`,
  };
}

/** Makes the bookings of one voyage, within the lanes of the vessel and, out of the heavy months, within its limits. */
function bookings(vessel, heavy) {
  const kinds =
    vessel === 'Teist'
      ? ['truck', 'truck', 'van', 'car', 'car']
      : ['truck', 'truck', 'truck', 'van', 'van', 'car', 'car', 'car', ...(next(2) === 0 ? ['trailer'] : ['plant'])];
  const more = heavy ? (vessel === 'Teist' ? ['truck'] : vessel === 'Alke' ? ['truck', 'trailer', 'trailer', 'plant', 'plant', 'trailer', 'plant'] : ['truck', 'plant', 'trailer']) : [];
  return [...kinds, ...more].map((kind) => booking(kind, heavy));
}

const voyages = [];
for (let month = 1; month <= 12; month += 1) {
  for (let i = 0; i < 10; i += 1) {
    const vessel = VESSELS[i % 3];
    const heavy = HEAVY_MONTHS.includes(month) && (i === 3 || i === 4 || i === 8);
    const voyage = {
      id: `V-25${String(month).padStart(2, '0')}${String(i + 1).padStart(2, '0')}`,
      date: `2025-${String(month).padStart(2, '0')}-${String(2 + i * 3 - (i > 4 ? 1 : 0)).padStart(2, '0')}`,
      vessel,
      zone: pick(ZONES),
      density: 1005 + 5 * next(5),
      bookings: bookings(vessel, heavy),
    };
    const plan = planVoyage(voyage);
    voyages.push({
      ...voyage,
      recorded: {
        mark: plan.mark,
        maxDraughtMm: plan.maxDraughtMm,
        draughtMm: plan.stability.draughtMm,
        decks: Object.fromEntries(plan.decks.map((deck) => [deck.name, deck.usedTonnes])),
        leftBehind: plan.leftBehind,
        maySail: plan.maySail,
      },
    });
  }
}

/** Writes the ledger with one booking a line. */
function written(value) {
  return JSON.stringify(value, null, 2).replace(
    /\{\n\s+"ref": (.*),\n\s+"kind": (.*),\n\s+"weight": (.*),\n\s+"length": (.*)\n\s+\}/g,
    '{ "ref": $1, "kind": $2, "weight": $3, "length": $4 }',
  );
}

writeFileSync(TARGET, `${written({ recordedWith: '2.2.0', voyages })}\n`);
