/**
 * Load line zones and their seasons.
 *
 * A season is a pair of month-days, both ends included. `winterNorthAtlantic` marks the zone in which ships of up to
 * 100 metres take the WNA mark in winter. A zone with `always` has one mark all year.
 */
export const ZONES = Object.freeze({
  'north-atlantic': {
    title: 'North Atlantic',
    winter: { from: '10-16', to: '04-15' },
    winterNorthAtlantic: true,
  },
  'north-sea': {
    title: 'North Sea',
    winter: { from: '11-01', to: '03-31' },
  },
  'inner-sound': {
    title: 'Inner Sound',
    winter: { from: '11-01', to: '03-31' },
  },
  'middle-sea': {
    title: 'Middle Sea',
    winter: { from: '12-16', to: '03-15' },
  },
  'southern-ocean': {
    title: 'Southern Ocean',
    winter: { from: '04-16', to: '10-15' },
  },
  'monsoon-coast': {
    title: 'Monsoon Coast',
    tropical: { from: '09-01', to: '05-31' },
  },
  'coral-islands': {
    title: 'Coral Islands',
    tropical: { from: '04-01', to: '11-30' },
  },
  equator: {
    title: 'Equator',
    always: 'T',
  },
});

/** Looks a zone up; throws when there is none, because guessing one could put a ship too deep. */
export function zoneNamed(name) {
  const zone = ZONES[name];
  if (zone === undefined) throw new RangeError(`unknown load line zone "${name}"`);
  return zone;
}
