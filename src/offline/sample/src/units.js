/** Tonnes in one of each weight unit a booking may use. */
const TONNES = { t: 1, kg: 0.001, lb: 0.00045359237, cwt: 0.05080234544 };

/** Metres in one of each length unit a booking may use. */
const METRES = { m: 1, cm: 0.01, ft: 0.3048 };

/** Rounds to whole kilograms or millimetres, so that sums are the same on every machine. */
export function round3(value) {
  return Math.round((value + Number.EPSILON) * 1000) / 1000;
}

/** Converts a weight to tonnes; throws on a unit nobody has agreed on. */
export function toTonnes(value, unit) {
  const factor = TONNES[unit];
  if (factor === undefined) throw new RangeError(`unknown weight unit "${unit}"`);
  return round3(value * factor);
}

/** Converts a length to metres; throws on a unit nobody has agreed on. */
export function toMetres(value, unit) {
  const factor = METRES[unit];
  if (factor === undefined) throw new RangeError(`unknown length unit "${unit}"`);
  return round3(value * factor);
}

/** Splits "14.5 t" into its number and its unit; throws when either is missing. */
export function parseQuantity(text) {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text);
  if (match === null) throw new RangeError(`cannot read the quantity "${text}"`);
  return { value: Number(match[1]), unit: match[2].toLowerCase() };
}
