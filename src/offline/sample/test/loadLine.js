import { dockWaterAllowance, draughtAtMark, markFor, maxDraughtMm } from '../src/loadLine.js';
import { fleetNames, vesselNamed } from '../src/vessel.js';
import { ZONES } from '../src/zones.js';
import { check, same, suite, throws, trace } from './harness.js';

/** Marks of a ship of 84 metres on the fifteenth of each month, January first. */
const YEAR = {
  'north-atlantic': 'WNA WNA WNA WNA S S S S S S WNA WNA',
  'north-sea': 'W W W S S S S S S S W W',
  'inner-sound': 'W W W S S S S S S S W W',
  'middle-sea': 'W W W S S S S S S S S S',
  'southern-ocean': 'S S S S W W W W W W S S',
  'monsoon-coast': 'T T T T T S S S T T T T',
  'coral-islands': 'S S S T T T T T T T T S',
  equator: 'T T T T T T T T T T T T',
};

/** First and last day of seasons, and the days beside them. */
const EDGES = [
  ['southern-ocean', '2025-04-15', 'S'],
  ['southern-ocean', '2025-04-16', 'W'],
  ['southern-ocean', '2025-10-15', 'W'],
  ['southern-ocean', '2025-10-16', 'S'],
  ['coral-islands', '2025-03-31', 'S'],
  ['coral-islands', '2025-04-01', 'T'],
  ['coral-islands', '2025-11-30', 'T'],
  ['coral-islands', '2025-12-01', 'S'],
];

/** The same for seasons that run over new year. */
const EDGES_OVER_NEW_YEAR = [
  ['north-sea', '2025-10-31', 'S'],
  ['north-sea', '2025-11-01', 'W'],
  ['north-sea', '2025-12-31', 'W'],
  ['north-sea', '2026-01-01', 'W'],
  ['north-sea', '2026-03-31', 'W'],
  ['north-sea', '2026-04-01', 'S'],
  ['monsoon-coast', '2025-08-31', 'S'],
  ['monsoon-coast', '2025-09-01', 'T'],
  ['monsoon-coast', '2026-05-31', 'T'],
  ['monsoon-coast', '2026-06-01', 'S'],
];

/** Lists the marks of a zone on the fifteenth of each month of 2025. */
function marksOfYear(zone, lengthMetres) {
  return Array.from({ length: 12 }, (_, i) => {
    const date = `2025-${String(i + 1).padStart(2, '0')}-15`;
    const mark = markFor(zone, date, lengthMetres);
    trace(`${zone} on ${date}, ${lengthMetres} m: mark ${mark}`);
    return mark;
  }).join(' ');
}

suite('loadLine', () => {
  for (const zone of Object.keys(ZONES)) {
    check(`the year of ${zone}`, () => same(marksOfYear(zone, 84), YEAR[zone], 'marks'));
  }

  check('seasons begin and end on their days', () => {
    for (const [zone, date, mark] of EDGES) {
      trace(`edge ${zone} ${date}: wants ${mark}`);
      same(markFor(zone, date, 84), mark, `${zone} on ${date}`);
    }
  });

  check('seasons over new year begin and end on their days', () => {
    for (const [zone, date, mark] of EDGES_OVER_NEW_YEAR) {
      trace(`edge ${zone} ${date}: wants ${mark}`);
      same(markFor(zone, date, 84), mark, `${zone} on ${date}`);
    }
  });

  check('ships over 100 metres take W in the north Atlantic winter', () => {
    same(markFor('north-atlantic', '2025-01-20', 100), 'WNA', '100 m');
    same(markFor('north-atlantic', '2025-01-20', 100.5), 'W', '100.5 m');
  });

  check('the marks are a forty-eighth of the summer draught apart', () => {
    for (const name of fleetNames()) {
      const vessel = vesselNamed(name);
      const step = Math.round(vessel.summerDraughtMm / 48);
      for (const mark of ['T', 'S', 'W', 'WNA']) {
        trace(`${name} at ${mark}: ${draughtAtMark(vessel, mark)} mm`);
      }
      same(draughtAtMark(vessel, 'T') - draughtAtMark(vessel, 'S'), step, `${name} T`);
      same(draughtAtMark(vessel, 'S') - draughtAtMark(vessel, 'W'), step, `${name} W`);
      same(draughtAtMark(vessel, 'W') - draughtAtMark(vessel, 'WNA'), 50, `${name} WNA`);
    }
  });

  check('dock water gives its share of the fresh water allowance', () => {
    const skarv = vesselNamed('Skarv');
    same(dockWaterAllowance(skarv, 1025), 0, 'sea water');
    same(dockWaterAllowance(skarv, 1010), 63, 'brackish water');
    same(dockWaterAllowance(skarv, 1000), 105, 'fresh water');
    throws(() => dockWaterAllowance(skarv, 990), 'not believable');
  });

  check('the greatest draught joins mark and dock water', () => {
    const skarv = vesselNamed('Skarv');
    same(maxDraughtMm(skarv, 'north-sea', '2025-07-01'), 4800, 'summer');
    same(maxDraughtMm(skarv, 'southern-ocean', '2025-07-01', 1010), 4763, 'southern winter');
  });

  check('the winter draught is smaller in January', () => {
    const alke = vesselNamed('Alke');
    same(maxDraughtMm(alke, 'north-sea', '2025-01-10'), 5532, 'Alke in January');
  });

  check('an unreadable zone or date is an error, not summer', () => {
    throws(() => markFor('narnia', '2025-01-01', 80), 'unknown load line zone');
    throws(() => markFor('north-sea', '1 January', 80), 'cannot read the date');
    throws(() => markFor('north-sea', '2025-13-01', 80), 'no such day');
  });
});
