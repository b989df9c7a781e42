import { loadingSheet } from '../src/report.js';
import { planVoyage } from '../src/voyage.js';
import { check, holds, same, suite, trace } from './harness.js';

/** Plans a voyage of the Skarv with three items. */
function sheetOn(date, zone = 'north-sea') {
  const plan = planVoyage({
    id: 'V-TEST',
    date,
    vessel: 'Skarv',
    zone,
    density: 1025,
    bookings: [
      { ref: 'SRK-00001', kind: 'truck', weight: '18 t', length: '11 m' },
      { ref: 'SRK-00002', kind: 'car', weight: '1450 kg', length: '4.4 m' },
      { ref: 'SRK-00003', kind: 'van', weight: '3.1 t', length: '6 m' },
    ],
  });
  const sheet = loadingSheet(plan);
  for (const line of sheet.split('\n')) trace(line);
  return sheet;
}

suite('report', () => {
  check('the sheet of a summer day', () => {
    same(sheetOn('2025-07-14').split('\n'), [
      'V-TEST  Skarv  2025-07-14  North Sea',
      'deck  | items | tonnes | limit | load',
      '------+-------+--------+-------+-----',
      'hold  |     2 |    4.5 |  38.0 | 12 %',
      'main  |     1 |   18.0 | 165.0 | 11 %',
      'upper |     0 |    0.0 |  32.0 |  0 %',
      'mark S, draught 4.02 m of 4.80 m',
      'nothing left behind',
      'MAY SAIL',
    ]);
  });

  check('the sheet of a winter day names the winter mark', () => {
    holds(sheetOn('2025-12-20').includes('mark W, draught 4.02 m of 4.70 m'), 'the sheet says W and 4.70 m');
  });

  check('the sheet names the zone by its title', () => {
    holds(sheetOn('2025-07-14', 'southern-ocean').includes('Southern Ocean'), 'the sheet says Southern Ocean');
  });
});
