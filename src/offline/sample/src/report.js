import { table } from '../vendor/gridprint.min.js';
import { deckLoad } from './deckPlan.js';
import { zoneNamed } from './zones.js';

/** Formats millimetres as metres with two decimals. */
function metres(mm) {
  return `${(mm / 1000).toFixed(2)} m`;
}

/** Prints the loading sheet of a planned voyage. */
export function loadingSheet(plan) {
  const rows = plan.decks.map((deck) => [
    deck.name,
    String(deck.items.length),
    deck.usedTonnes.toFixed(1),
    deck.limitTonnes.toFixed(1),
    `${Math.round(deckLoad(deck) * 100)} %`,
  ]);
  return [
    `${plan.id}  ${plan.vessel.name}  ${plan.date}  ${zoneNamed(plan.zone).title}`,
    table({
      head: ['deck', 'items', 'tonnes', 'limit', 'load'],
      align: ['left', 'right', 'right', 'right', 'right'],
      rows,
    }),
    `mark ${plan.mark}, draught ${metres(plan.stability.draughtMm)} of ${metres(plan.maxDraughtMm)}`,
    plan.leftBehind.length === 0
      ? 'nothing left behind'
      : `left behind: ${plan.leftBehind.join(', ')}`,
    plan.maySail ? 'MAY SAIL' : `MAY NOT SAIL: ${plan.reasons.join('; ')}`,
  ].join('\n');
}
