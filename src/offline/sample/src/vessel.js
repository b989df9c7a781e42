/**
 * The fleet.
 *
 * Decks are listed from the keel upwards. `takes` names the kinds of item a deck is built for, `laneMetres` is the length
 * of all its lanes together, `limitTonnes` what its structure carries, `leverMetres` where its centre lies before (+) or
 * abaft (-) midships, `heightMetres` how high it lies above the keel.
 */
const FLEET = {
  skarv: {
    name: 'Skarv',
    lengthMetres: 84,
    summerDraughtMm: 4800,
    lightDraughtMm: 3950,
    freshWaterAllowanceMm: 105,
    tonnesPerCm: 3.1,
    momentPerCm: 24,
    lightTonnes: 1120,
    lightHeightMetres: 5.4,
    decks: [
      { name: 'hold', takes: ['car', 'van'], laneMetres: 60, limitTonnes: 38, leverMetres: 6, heightMetres: 3.1 },
      { name: 'main', takes: ['car', 'van', 'truck', 'trailer', 'plant'], laneMetres: 128, limitTonnes: 165, leverMetres: -2, heightMetres: 6.4 },
      { name: 'upper', takes: ['car'], laneMetres: 72, limitTonnes: 32, leverMetres: 3, heightMetres: 9.2 },
    ],
  },
  alke: {
    name: 'Alke',
    lengthMetres: 112,
    summerDraughtMm: 5650,
    lightDraughtMm: 4700,
    freshWaterAllowanceMm: 122,
    tonnesPerCm: 5.2,
    momentPerCm: 48,
    lightTonnes: 2480,
    lightHeightMetres: 6.6,
    decks: [
      { name: 'hold', takes: ['car', 'van'], laneMetres: 90, limitTonnes: 60, leverMetres: 9, heightMetres: 3.6 },
      { name: 'main', takes: ['truck', 'trailer', 'plant'], laneMetres: 210, limitTonnes: 300, leverMetres: -4, heightMetres: 7.2 },
      { name: 'shelter', takes: ['car', 'van', 'truck'], laneMetres: 150, limitTonnes: 120, leverMetres: 1, heightMetres: 11.8 },
    ],
  },
  teist: {
    name: 'Teist',
    lengthMetres: 46,
    summerDraughtMm: 2900,
    lightDraughtMm: 2380,
    freshWaterAllowanceMm: 64,
    tonnesPerCm: 1.4,
    momentPerCm: 9,
    lightTonnes: 290,
    lightHeightMetres: 3.3,
    decks: [
      { name: 'open', takes: ['car', 'van', 'truck', 'plant'], laneMetres: 74, limitTonnes: 70, leverMetres: 0, heightMetres: 3.9 },
    ],
  },
};

/** Looks a vessel up by its name, in any case; throws when the fleet has none of that name. */
export function vesselNamed(name) {
  const vessel = FLEET[String(name).toLowerCase()];
  if (vessel === undefined) throw new RangeError(`no vessel named "${name}"`);
  return vessel;
}

/** Names the fleet in alphabetical order. */
export function fleetNames() {
  return Object.values(FLEET)
    .map((vessel) => vessel.name)
    .sort();
}

/** Names the decks of a vessel that take a kind of item, from the keel upwards. */
export function decksTaking(vessel, kind) {
  return vessel.decks.filter((deck) => deck.takes.includes(kind)).map((deck) => deck.name);
}
