import { zoneNamed } from './zones.js';

/** Density of sea water in kg per cubic metre, the one the marks are made for. */
export const SEA_WATER = 1025;

/** Density of fresh water in kg per cubic metre. */
export const FRESH_WATER = 1000;

/** Length in metres up to which the winter North Atlantic mark applies. */
const WNA_LENGTH_LIMIT = 100;

/** What the winter North Atlantic mark takes off the winter draught, in millimetres. */
const WNA_MARGIN_MM = 50;

/** Cuts the month and day out of an ISO date; throws when it is none. */
function monthDayOf(date) {
  const match = /^\d{4}-(\d{2})-(\d{2})$/.exec(date);
  if (match === null) throw new RangeError(`cannot read the date "${date}"`);
  const month = Number(match[1]);
  const day = Number(match[2]);
  if (month < 1 || month > 12 || day < 1 || day > 31) {
    throw new RangeError(`there is no such day as "${date}"`);
  }
  return `${match[1]}-${match[2]}`;
}

/** Tells whether a month-day belongs to a season; both ends belong to it. */
function isWithin(season, monthDay) {
  if (season === undefined) return false;
  return monthDay >= season.from && monthDay <= season.to;
}

/** Finds the load line mark for a zone, a date and a ship of that length: T, S, W or WNA. */
export function markFor(zoneName, date, lengthMetres) {
  const zone = zoneNamed(zoneName);
  const monthDay = monthDayOf(date);
  if (zone.always !== undefined) return zone.always;
  if (isWithin(zone.tropical, monthDay)) return 'T';
  if (!isWithin(zone.winter, monthDay)) return 'S';
  const short = lengthMetres <= WNA_LENGTH_LIMIT;
  return zone.winterNorthAtlantic === true && short ? 'WNA' : 'W';
}

/** Gives the draught in sea water that belongs to a mark, in millimetres. */
export function draughtAtMark(vessel, mark) {
  const step = Math.round(vessel.summerDraughtMm / 48);
  switch (mark) {
    case 'T':
      return vessel.summerDraughtMm + step;
    case 'S':
      return vessel.summerDraughtMm;
    case 'W':
      return vessel.summerDraughtMm - step;
    case 'WNA':
      return vessel.summerDraughtMm - step - WNA_MARGIN_MM;
    default:
      throw new RangeError(`unknown load line mark "${mark}"`);
  }
}

/** Gives the part of the fresh water allowance that the density of the dock water grants, in millimetres. */
export function dockWaterAllowance(vessel, density = SEA_WATER) {
  if (density < FRESH_WATER || density > SEA_WATER) {
    throw new RangeError(`a dock water density of ${density} is not believable`);
  }
  const share = (SEA_WATER - density) / (SEA_WATER - FRESH_WATER);
  return Math.round(vessel.freshWaterAllowanceMm * share);
}

/** Gives the greatest draught a vessel may lie at in the dock, in millimetres. */
export function maxDraughtMm(vessel, zoneName, date, density = SEA_WATER) {
  const mark = markFor(zoneName, date, vessel.lengthMetres);
  return draughtAtMark(vessel, mark) + dockWaterAllowance(vessel, density);
}
