import { parseQuantity, toMetres, toTonnes } from './units.js';

/** The kinds of item a booking may be for. */
export const KINDS = ['car', 'van', 'truck', 'trailer', 'plant'];

/** Reference numbers are the port's three letters, a dash and five digits. */
const REFERENCE = /^[A-Z]{3}-\d{5}$/;

/** Reads one booking into an item; throws with a message for the desk when it can't be used. */
export function readBooking(booking) {
  const { ref, kind } = booking;
  if (!REFERENCE.test(ref ?? '')) throw new RangeError(`bad reference "${ref}"`);
  if (!KINDS.includes(kind)) throw new RangeError(`${ref}: unknown kind "${kind}"`);
  const weight = parseQuantity(booking.weight);
  const length = parseQuantity(booking.length);
  const item = {
    ref,
    kind,
    tonnes: toTonnes(weight.value, weight.unit),
    lengthMetres: toMetres(length.value, length.unit),
  };
  if (item.tonnes === 0) throw new RangeError(`${ref}: weighs nothing`);
  if (item.lengthMetres === 0) throw new RangeError(`${ref}: has no length`);
  return item;
}

/** Reads all bookings of a voyage; the unusable ones are returned as problems, not thrown. */
export function readManifest(bookings) {
  const items = [];
  const problems = [];
  const seen = new Set();
  for (const booking of bookings) {
    try {
      const item = readBooking(booking);
      if (seen.has(item.ref)) throw new RangeError(`${item.ref}: booked twice`);
      seen.add(item.ref);
      items.push(item);
    } catch (error) {
      problems.push({ ref: booking.ref ?? '(none)', message: error.message });
    }
  }
  return { items, problems };
}

/** Sums the weight of items per kind, kinds without items left out. */
export function tonnesByKind(items) {
  const sums = {};
  for (const kind of KINDS) {
    const ofKind = items.filter((item) => item.kind === kind);
    if (ofKind.length === 0) continue;
    sums[kind] = Math.round(ofKind.reduce((sum, item) => sum + item.tonnes, 0) * 1000) / 1000;
  }
  return sums;
}
