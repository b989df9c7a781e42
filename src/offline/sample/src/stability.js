import { cargoTonnes } from './deckPlan.js';
import { round3 } from './units.js';

/** Greatest trim in millimetres, either way, with which the ramps still reach the quay. */
export const MAX_TRIM_MM = 600;

/** Gives the mean draught with these decks loaded, in whole millimetres. */
export function draughtMm(vessel, decks) {
  return Math.round(vessel.lightDraughtMm + (cargoTonnes(decks) / vessel.tonnesPerCm) * 10);
}

/** Gives the trim in whole millimetres, positive by the bow. */
export function trimMm(vessel, decks) {
  const moment = decks.reduce((sum, deck) => sum + deck.usedTonnes * deck.leverMetres, 0);
  return Math.round((moment / vessel.momentPerCm) * 10);
}

/** Gives the height of the centre of gravity of ship and cargo above the keel, in metres. */
export function centreHeight(vessel, decks) {
  const cargo = decks.reduce((sum, deck) => sum + deck.usedTonnes * deck.heightMetres, 0);
  const light = vessel.lightTonnes * vessel.lightHeightMetres;
  return round3((cargo + light) / (vessel.lightTonnes + cargoTonnes(decks)));
}

/** Works out draught, trim and centre of gravity in one go. */
export function stabilityOf(vessel, decks) {
  return {
    draughtMm: draughtMm(vessel, decks),
    trimMm: trimMm(vessel, decks),
    centreHeight: centreHeight(vessel, decks),
  };
}
