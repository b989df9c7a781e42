import { readBooking, readManifest, tonnesByKind } from '../src/manifest.js';
import { parseQuantity, toMetres, toTonnes } from '../src/units.js';
import { check, same, suite, throws, trace } from './harness.js';

const GOOD = { ref: 'SRK-00017', kind: 'truck', weight: '14500 kg', length: '10.5 m' };

suite('manifest', () => {
  check('quantities are a number and a unit', () => {
    for (const text of ['14.5 t', '900kg', ' 12 FT ', '3 cwt']) trace(`${text} is ${JSON.stringify(parseQuantity(text))}`);
    same(parseQuantity('14.5 t'), { value: 14.5, unit: 't' });
    same(parseQuantity(' 12 FT '), { value: 12, unit: 'ft' });
    throws(() => parseQuantity('heavy'), 'cannot read the quantity');
    throws(() => parseQuantity('12'), 'cannot read the quantity');
  });

  check('weights become tonnes, to the kilogram', () => {
    same(toTonnes(14500, 'kg'), 14.5);
    same(toTonnes(2000, 'lb'), 0.907);
    same(toTonnes(10, 'cwt'), 0.508);
    throws(() => toTonnes(1, 'stone'), 'unknown weight unit');
  });

  check('lengths become metres, to the millimetre', () => {
    same(toMetres(40, 'ft'), 12.192);
    same(toMetres(455, 'cm'), 4.55);
    throws(() => toMetres(1, 'fathom'), 'unknown length unit');
  });

  check('a booking becomes an item', () => {
    same(readBooking(GOOD), { ref: 'SRK-00017', kind: 'truck', tonnes: 14.5, lengthMetres: 10.5 });
  });

  check('a bad booking says what is bad', () => {
    throws(() => readBooking({ ...GOOD, ref: '17' }), 'bad reference');
    throws(() => readBooking({ ...GOOD, kind: 'balloon' }), 'unknown kind');
    throws(() => readBooking({ ...GOOD, weight: '0 kg' }), 'weighs nothing');
    throws(() => readBooking({ ...GOOD, length: '0 m' }), 'has no length');
  });

  check('bad bookings do not spoil the manifest', () => {
    const { items, problems } = readManifest([GOOD, GOOD, { ...GOOD, ref: 'SRK-00018', kind: 'van' }, {}]);
    for (const problem of problems) trace(`problem with ${problem.ref}: ${problem.message}`);
    same(items.map((item) => item.ref), ['SRK-00017', 'SRK-00018']);
    same(problems.map((problem) => problem.ref), ['SRK-00017', '(none)']);
  });

  check('weights are summed per kind', () => {
    const { items } = readManifest([GOOD, { ...GOOD, ref: 'SRK-00018' }, { ...GOOD, ref: 'SRK-00019', kind: 'car' }]);
    same(tonnesByKind(items), { car: 14.5, truck: 29 });
  });
});
