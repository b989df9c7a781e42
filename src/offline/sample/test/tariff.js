import { formatCents, freightCents } from '../src/tariff.js';
import { harbourDues, isWinterAt } from '../legacy/portbook.js';
import { check, same, suite, throws, trace } from './harness.js';

const CAR = { ref: 'SRK-00001', kind: 'car', tonnes: 1.4, lengthMetres: 4.4 };

suite('tariff', () => {
  check('freight is taken for each started metre', () => {
    same(freightCents(CAR, '2025-03-02'), 5750);
    same(freightCents({ ...CAR, lengthMetres: 5.01 }, '2025-03-02'), 6900);
  });

  check('the high season costs 18 percent more', () => {
    for (let month = 1; month <= 12; month += 1) {
      const date = `2025-${String(month).padStart(2, '0')}-09`;
      trace(`a car on ${date}: ${formatCents(freightCents(CAR, date))}`);
    }
    same(freightCents(CAR, '2025-07-09'), 6785);
  });

  check('an unknown kind has no rate', () => {
    throws(() => freightCents({ ...CAR, kind: 'balloon' }, '2025-03-02'), 'no rate');
  });

  check('harbour dues are a base and so much a started tonne', () => {
    same(harbourDues('SRK', 0), 7600);
    same(harbourDues('SRK', 10.2), 7864);
  });

  check('the port book knows winter', () => {
    same(isWinterAt('SRK', '01-10'), true);
    same(isWinterAt('SRK', '07-10'), false);
  });

  check('amounts have two decimals and commas', () => {
    same(formatCents(0), '0.00');
    same(formatCents(123456789), '1,234,567.89');
    same(formatCents(-905), '-9.05');
  });
});
