import { cargoTonnes, planDecks } from './deckPlan.js';
import { markFor, maxDraughtMm } from './loadLine.js';
import { readManifest } from './manifest.js';
import { MAX_TRIM_MM, stabilityOf } from './stability.js';
import { vesselNamed } from './vessel.js';

/** Lists the reasons why a planned voyage may not sail; none means she may. */
function objections(plan) {
  const reasons = [];
  if (plan.stability.draughtMm > plan.maxDraughtMm) {
    const over = plan.stability.draughtMm - plan.maxDraughtMm;
    reasons.push(`${over} mm below the ${plan.mark} mark`);
  }
  if (Math.abs(plan.stability.trimMm) > MAX_TRIM_MM) {
    reasons.push(`trim of ${plan.stability.trimMm} mm`);
  }
  return reasons;
}

/** Plans a voyage from its bookings: decks, load line, stability, and whether she may sail. */
export function planVoyage({ id, date, vessel: vesselName, zone, density, bookings }) {
  const vessel = vesselNamed(vesselName);
  const { items, problems } = readManifest(bookings);
  const { decks, leftBehind } = planDecks(vessel, items);
  const plan = {
    id,
    date,
    vessel,
    zone,
    mark: markFor(zone, date, vessel.lengthMetres),
    maxDraughtMm: maxDraughtMm(vessel, zone, date, density),
    decks,
    cargoTonnes: cargoTonnes(decks),
    leftBehind: leftBehind.map((item) => item.ref),
    problems,
    stability: stabilityOf(vessel, decks),
  };
  const reasons = objections(plan);
  return { ...plan, reasons, maySail: reasons.length === 0 };
}
