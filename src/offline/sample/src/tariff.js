import { harbourDues } from '../legacy/portbook.js';

/** Freight in cents for each started metre of lane, by kind. */
const CENTS_PER_METRE = { car: 1150, van: 1420, truck: 2380, trailer: 2190, plant: 3260 };

/** Months in which the high season surcharge is taken. */
const HIGH_SEASON = ['06', '07', '08'];

/** Surcharge of the high season in percent. */
const HIGH_SEASON_PERCENT = 18;

/** Works out the freight of one item on a date, in cents. */
export function freightCents(item, date) {
  const rate = CENTS_PER_METRE[item.kind];
  if (rate === undefined) throw new RangeError(`no rate for "${item.kind}"`);
  const base = rate * Math.ceil(item.lengthMetres);
  const high = HIGH_SEASON.includes(date.slice(5, 7));
  return high ? base + Math.round((base * HIGH_SEASON_PERCENT) / 100) : base;
}

/** Works out freight and harbour dues of a voyage, in cents. */
export function voyageCents(plan, portCode) {
  const items = plan.decks.flatMap((deck) => deck.items);
  const freight = items.reduce((sum, item) => sum + freightCents(item, plan.date), 0);
  const dues = harbourDues(portCode, plan.cargoTonnes);
  return { freight, dues, total: freight + dues };
}

/** Formats cents as an amount with two decimals and thousands separated by a thin comma. */
export function formatCents(cents) {
  const sign = cents < 0 ? '-' : '';
  const whole = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}
