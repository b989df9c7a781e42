/*
 * PORTBOOK - port book of the loading desk, release 1
 *
 * Ported by machine from the old desk system. Style kept, one big module, no tests of its own.
 * Everything lives in module-wide tables; the functions at the end read them by port code.
 *
 * Still in use: harbourDues (by src/tariff.js). The rest is kept because nobody dares to delete it:
 * the harbour office looks things up in it by hand.
 *
 * Times are minutes after midnight, depths are decimetres, money is cents.
 */

/* eslint-disable */

var BOOK_VERSION = '1.94';
var MINUTES_PER_DAY = 1440;

/* ------------------------------------------------------------------ */
/* the port table                                                       */
/* ------------------------------------------------------------------ */

var PORTS = [];

function def(code, rec) {
  rec.code = code;
  PORTS.push(rec);
}

def('SRK', {
  name: 'Skarvik',
  zone: 'north-atlantic',
  lat: 58.15, lon: -3.25,
  density: 1022,
  tide: { mean: 28, spring: 50, first: 356 },
  berths: [{ no: 1, depth: 54, ramp: 'stern' }, { no: 2, depth: 60, ramp: 'side' }, { no: 3, depth: 64, ramp: 'bow' }],
  dues: { base: 7600, perTonne: 24, night: 25 },
  open: 330, shut: 1439,
  pilot: true,
  note: 'ice in hard winters'
});

def('SSD', {
  name: 'Skarsund',
  zone: 'north-sea',
  lat: 57.63, lon: 8.55,
  density: 1020,
  tide: { mean: 14, spring: 48, first: 285 },
  berths: [{ no: 1, depth: 47, ramp: 'stern' }, { no: 2, depth: 54, ramp: 'bow' }, { no: 3, depth: 40, ramp: 'stern' }],
  dues: { base: 8000, perTonne: 22, night: 15 },
  open: 360, shut: 1380,
  pilot: true,
  note: 'mind the bar at low water'
});

def('SRS', {
  name: 'Skarnes',
  zone: 'inner-sound',
  lat: 56.48, lon: 12.60,
  density: 1008,
  tide: { mean: 26, spring: 22, first: 168 },
  berths: [{ no: 1, depth: 72, ramp: 'side' }, { no: 2, depth: 59, ramp: 'stern' }, { no: 3, depth: 51, ramp: 'bow' }],
  dues: { base: 4900, perTonne: 45, night: 25 },
  open: 0, shut: 1380,
  pilot: true,
  note: 'ice in hard winters'
});

def('SHN', {
  name: 'Skarhavn',
  zone: 'north-atlantic',
  lat: 59.80, lon: -2.60,
  density: 1023,
  tide: { mean: 30, spring: 26, first: 348 },
  berths: [{ no: 1, depth: 59, ramp: 'bow' }, { no: 2, depth: 82, ramp: 'side' }],
  dues: { base: 6600, perTonne: 20, night: 15 },
  open: 300, shut: 1320,
  pilot: false,
  note: ''
});

def('SRY', {
  name: 'Skaroy',
  zone: 'north-sea',
  lat: 59.08, lon: 6.71,
  density: 1022,
  tide: { mean: 34, spring: 42, first: 274 },
  berths: [{ no: 1, depth: 54, ramp: 'stern' }, { no: 2, depth: 76, ramp: 'bow' }],
  dues: { base: 8800, perTonne: 20, night: 15 },
  open: 360, shut: 1320,
  pilot: false,
  note: ''
});

def('HMK', {
  name: 'Holmvik',
  zone: 'inner-sound',
  lat: 58.05, lon: 12.69,
  density: 1008,
  tide: { mean: 26, spring: 38, first: 179 },
  berths: [{ no: 1, depth: 63, ramp: 'stern' }],
  dues: { base: 10100, perTonne: 31, night: 25 },
  open: 300, shut: 1380,
  pilot: false,
  note: 'ice in hard winters'
});

def('HSD', {
  name: 'Holmsund',
  zone: 'north-atlantic',
  lat: 60.16, lon: -3.04,
  density: 1021,
  tide: { mean: 12, spring: 41, first: 87 },
  berths: [{ no: 1, depth: 69, ramp: 'side' }, { no: 2, depth: 79, ramp: 'stern' }],
  dues: { base: 4900, perTonne: 47, night: 25 },
  open: 0, shut: 1320,
  pilot: true,
  note: 'ice in hard winters'
});

def('HMS', {
  name: 'Holmnes',
  zone: 'north-sea',
  lat: 57.59, lon: 7.55,
  density: 1017,
  tide: { mean: 16, spring: 32, first: 178 },
  berths: [{ no: 1, depth: 75, ramp: 'bow' }],
  dues: { base: 6200, perTonne: 18, night: 25 },
  open: 0, shut: 1320,
  pilot: false,
  note: ''
});

def('HHN', {
  name: 'Holmhavn',
  zone: 'inner-sound',
  lat: 58.42, lon: 13.98,
  density: 1010,
  tide: { mean: 22, spring: 43, first: 289 },
  berths: [{ no: 1, depth: 79, ramp: 'bow' }, { no: 2, depth: 73, ramp: 'side' }, { no: 3, depth: 50, ramp: 'stern' }],
  dues: { base: 5400, perTonne: 18, night: 15 },
  open: 300, shut: 1439,
  pilot: false,
  note: 'ice in hard winters'
});

def('HMY', {
  name: 'Holmoy',
  zone: 'north-atlantic',
  lat: 58.19, lon: -5.77,
  density: 1021,
  tide: { mean: 36, spring: 36, first: 334 },
  berths: [{ no: 1, depth: 61, ramp: 'side' }, { no: 2, depth: 87, ramp: 'bow' }],
  dues: { base: 5500, perTonne: 23, night: 15 },
  open: 300, shut: 1439,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('LGK', {
  name: 'Langvik',
  zone: 'north-sea',
  lat: 59.83, lon: 6.43,
  density: 1021,
  tide: { mean: 31, spring: 33, first: 119 },
  berths: [{ no: 1, depth: 49, ramp: 'bow' }, { no: 2, depth: 80, ramp: 'side' }, { no: 3, depth: 50, ramp: 'bow' }],
  dues: { base: 6000, perTonne: 22, night: 25 },
  open: 330, shut: 1320,
  pilot: false,
  note: 'ice in hard winters'
});

def('LSD', {
  name: 'Langsund',
  zone: 'inner-sound',
  lat: 59.98, lon: 11.22,
  density: 1008,
  tide: { mean: 24, spring: 47, first: 283 },
  berths: [{ no: 1, depth: 52, ramp: 'stern' }, { no: 2, depth: 86, ramp: 'bow' }],
  dues: { base: 5800, perTonne: 18, night: 25 },
  open: 330, shut: 1320,
  pilot: false,
  note: 'ramp out of order since release 0.8'
});

def('LGS', {
  name: 'Langnes',
  zone: 'north-atlantic',
  lat: 58.34, lon: -4.94,
  density: 1020,
  tide: { mean: 21, spring: 19, first: 185 },
  berths: [{ no: 1, depth: 67, ramp: 'stern' }],
  dues: { base: 7000, perTonne: 22, night: 25 },
  open: 330, shut: 1439,
  pilot: true,
  note: 'ice in hard winters'
});

def('LHN', {
  name: 'Langhavn',
  zone: 'north-sea',
  lat: 58.17, lon: 5.97,
  density: 1021,
  tide: { mean: 31, spring: 51, first: 228 },
  berths: [{ no: 1, depth: 70, ramp: 'bow' }],
  dues: { base: 9800, perTonne: 20, night: 15 },
  open: 300, shut: 1439,
  pilot: false,
  note: 'swell with wind from the south-west'
});

def('LGY', {
  name: 'Langoy',
  zone: 'inner-sound',
  lat: 56.76, lon: 14.64,
  density: 1008,
  tide: { mean: 14, spring: 42, first: 36 },
  berths: [{ no: 1, depth: 49, ramp: 'bow' }, { no: 2, depth: 52, ramp: 'stern' }],
  dues: { base: 8300, perTonne: 23, night: 25 },
  open: 330, shut: 1439,
  pilot: false,
  note: 'swell with wind from the south-west'
});

def('GVK', {
  name: 'Gravik',
  zone: 'north-atlantic',
  lat: 59.63, lon: -2.94,
  density: 1025,
  tide: { mean: 17, spring: 39, first: 189 },
  berths: [{ no: 1, depth: 45, ramp: 'bow' }, { no: 2, depth: 39, ramp: 'side' }, { no: 3, depth: 81, ramp: 'side' }],
  dues: { base: 8200, perTonne: 34, night: 15 },
  open: 0, shut: 1439,
  pilot: true,
  note: ''
});

def('GSD', {
  name: 'Grasund',
  zone: 'north-sea',
  lat: 58.39, lon: 5.80,
  density: 1018,
  tide: { mean: 30, spring: 38, first: 80 },
  berths: [{ no: 1, depth: 64, ramp: 'side' }, { no: 2, depth: 40, ramp: 'side' }],
  dues: { base: 6100, perTonne: 41, night: 15 },
  open: 300, shut: 1380,
  pilot: false,
  note: 'swell with wind from the south-west'
});

def('GNS', {
  name: 'Granes',
  zone: 'inner-sound',
  lat: 58.56, lon: 12.76,
  density: 1008,
  tide: { mean: 32, spring: 33, first: 110 },
  berths: [{ no: 1, depth: 48, ramp: 'bow' }, { no: 2, depth: 48, ramp: 'side' }],
  dues: { base: 9100, perTonne: 25, night: 25 },
  open: 330, shut: 1320,
  pilot: false,
  note: 'mind the bar at low water'
});

def('GHN', {
  name: 'Grahavn',
  zone: 'north-atlantic',
  lat: 59.84, lon: -4.00,
  density: 1022,
  tide: { mean: 25, spring: 49, first: 295 },
  berths: [{ no: 1, depth: 51, ramp: 'side' }],
  dues: { base: 8600, perTonne: 32, night: 15 },
  open: 300, shut: 1320,
  pilot: false,
  note: 'no trailers over 16 m on berth 1'
});

def('GAY', {
  name: 'Graoy',
  zone: 'north-sea',
  lat: 59.96, lon: 7.16,
  density: 1022,
  tide: { mean: 12, spring: 38, first: 115 },
  berths: [{ no: 1, depth: 62, ramp: 'bow' }],
  dues: { base: 9000, perTonne: 44, night: 15 },
  open: 0, shut: 1439,
  pilot: false,
  note: ''
});

def('SDK', {
  name: 'Sandvik',
  zone: 'inner-sound',
  lat: 59.91, lon: 13.03,
  density: 1011,
  tide: { mean: 14, spring: 20, first: 241 },
  berths: [{ no: 1, depth: 81, ramp: 'stern' }, { no: 2, depth: 68, ramp: 'side' }],
  dues: { base: 7900, perTonne: 45, night: 25 },
  open: 330, shut: 1320,
  pilot: false,
  note: 'no trailers over 16 m on berth 1'
});

def('SAB', {
  name: 'Sandsund',
  zone: 'north-atlantic',
  lat: 58.19, lon: -4.49,
  density: 1025,
  tide: { mean: 18, spring: 18, first: 276 },
  berths: [{ no: 1, depth: 64, ramp: 'stern' }],
  dues: { base: 7400, perTonne: 45, night: 25 },
  open: 360, shut: 1380,
  pilot: false,
  note: ''
});

def('SDS', {
  name: 'Sandnes',
  zone: 'north-sea',
  lat: 59.87, lon: 8.29,
  density: 1017,
  tide: { mean: 17, spring: 37, first: 51 },
  berths: [{ no: 1, depth: 60, ramp: 'bow' }, { no: 2, depth: 70, ramp: 'stern' }, { no: 3, depth: 50, ramp: 'side' }],
  dues: { base: 7300, perTonne: 29, night: 25 },
  open: 0, shut: 1380,
  pilot: false,
  note: ''
});

def('SNC', {
  name: 'Sandhavn',
  zone: 'inner-sound',
  lat: 56.26, lon: 12.84,
  density: 1010,
  tide: { mean: 8, spring: 31, first: 45 },
  berths: [{ no: 1, depth: 84, ramp: 'side' }],
  dues: { base: 10100, perTonne: 25, night: 15 },
  open: 360, shut: 1320,
  pilot: false,
  note: 'mind the bar at low water'
});

def('SDY', {
  name: 'Sandoy',
  zone: 'north-atlantic',
  lat: 59.73, lon: -5.68,
  density: 1023,
  tide: { mean: 22, spring: 14, first: 256 },
  berths: [{ no: 1, depth: 38, ramp: 'side' }, { no: 2, depth: 66, ramp: 'bow' }, { no: 3, depth: 54, ramp: 'bow' }],
  dues: { base: 4500, perTonne: 24, night: 15 },
  open: 300, shut: 1380,
  pilot: true,
  note: 'ice in hard winters'
});

def('UVK', {
  name: 'Ulvvik',
  zone: 'north-sea',
  lat: 60.75, lon: 6.55,
  density: 1017,
  tide: { mean: 13, spring: 45, first: 75 },
  berths: [{ no: 1, depth: 51, ramp: 'bow' }, { no: 2, depth: 42, ramp: 'side' }],
  dues: { base: 8000, perTonne: 32, night: 25 },
  open: 330, shut: 1439,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('USD', {
  name: 'Ulvsund',
  zone: 'inner-sound',
  lat: 57.49, lon: 14.85,
  density: 1007,
  tide: { mean: 9, spring: 19, first: 303 },
  berths: [{ no: 1, depth: 74, ramp: 'stern' }, { no: 2, depth: 82, ramp: 'bow' }],
  dues: { base: 8800, perTonne: 36, night: 15 },
  open: 360, shut: 1380,
  pilot: false,
  note: ''
});

def('UNS', {
  name: 'Ulvnes',
  zone: 'north-atlantic',
  lat: 58.64, lon: -2.69,
  density: 1025,
  tide: { mean: 30, spring: 31, first: 84 },
  berths: [{ no: 1, depth: 84, ramp: 'bow' }],
  dues: { base: 9000, perTonne: 20, night: 15 },
  open: 300, shut: 1439,
  pilot: false,
  note: 'call the bridge an hour ahead'
});

def('UHN', {
  name: 'Ulvhavn',
  zone: 'north-sea',
  lat: 59.89, lon: 7.97,
  density: 1021,
  tide: { mean: 25, spring: 51, first: 145 },
  berths: [{ no: 1, depth: 59, ramp: 'bow' }, { no: 2, depth: 41, ramp: 'bow' }, { no: 3, depth: 38, ramp: 'bow' }],
  dues: { base: 7000, perTonne: 36, night: 15 },
  open: 300, shut: 1439,
  pilot: false,
  note: 'no trailers over 16 m on berth 1'
});

def('UVY', {
  name: 'Ulvoy',
  zone: 'inner-sound',
  lat: 57.92, lon: 13.35,
  density: 1007,
  tide: { mean: 11, spring: 29, first: 283 },
  berths: [{ no: 1, depth: 61, ramp: 'bow' }, { no: 2, depth: 51, ramp: 'bow' }],
  dues: { base: 6000, perTonne: 44, night: 25 },
  open: 330, shut: 1439,
  pilot: false,
  note: 'ramp out of order since release 0.8'
});

def('AVK', {
  name: 'Askvik',
  zone: 'north-atlantic',
  lat: 59.48, lon: -5.85,
  density: 1022,
  tide: { mean: 23, spring: 49, first: 279 },
  berths: [{ no: 1, depth: 51, ramp: 'stern' }],
  dues: { base: 8100, perTonne: 44, night: 15 },
  open: 360, shut: 1320,
  pilot: false,
  note: 'ice in hard winters'
});

def('ASD', {
  name: 'Asksund',
  zone: 'north-sea',
  lat: 60.73, lon: 5.17,
  density: 1021,
  tide: { mean: 37, spring: 14, first: 40 },
  berths: [{ no: 1, depth: 64, ramp: 'stern' }, { no: 2, depth: 66, ramp: 'stern' }, { no: 3, depth: 60, ramp: 'bow' }],
  dues: { base: 8200, perTonne: 37, night: 15 },
  open: 360, shut: 1439,
  pilot: false,
  note: 'mind the bar at low water'
});

def('ANS', {
  name: 'Asknes',
  zone: 'inner-sound',
  lat: 57.90, lon: 12.02,
  density: 1008,
  tide: { mean: 28, spring: 44, first: 22 },
  berths: [{ no: 1, depth: 54, ramp: 'stern' }, { no: 2, depth: 66, ramp: 'side' }],
  dues: { base: 4400, perTonne: 24, night: 15 },
  open: 360, shut: 1320,
  pilot: true,
  note: 'ramp out of order since release 0.8'
});

def('AHN', {
  name: 'Askhavn',
  zone: 'north-atlantic',
  lat: 58.37, lon: -4.07,
  density: 1022,
  tide: { mean: 15, spring: 43, first: 329 },
  berths: [{ no: 1, depth: 75, ramp: 'stern' }, { no: 2, depth: 81, ramp: 'side' }],
  dues: { base: 7500, perTonne: 33, night: 25 },
  open: 0, shut: 1320,
  pilot: true,
  note: 'no trailers over 16 m on berth 1'
});

def('AKY', {
  name: 'Askoy',
  zone: 'north-sea',
  lat: 57.64, lon: 6.34,
  density: 1022,
  tide: { mean: 18, spring: 18, first: 220 },
  berths: [{ no: 1, depth: 80, ramp: 'side' }, { no: 2, depth: 77, ramp: 'side' }, { no: 3, depth: 51, ramp: 'stern' }],
  dues: { base: 7300, perTonne: 21, night: 25 },
  open: 0, shut: 1320,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('MVK', {
  name: 'Marvik',
  zone: 'inner-sound',
  lat: 59.58, lon: 13.70,
  density: 1012,
  tide: { mean: 20, spring: 31, first: 339 },
  berths: [{ no: 1, depth: 47, ramp: 'bow' }],
  dues: { base: 9500, perTonne: 47, night: 25 },
  open: 330, shut: 1380,
  pilot: true,
  note: 'no trailers over 16 m on berth 1'
});

def('MSD', {
  name: 'Marsund',
  zone: 'north-atlantic',
  lat: 60.04, lon: -5.98,
  density: 1021,
  tide: { mean: 32, spring: 18, first: 188 },
  berths: [{ no: 1, depth: 54, ramp: 'side' }, { no: 2, depth: 44, ramp: 'stern' }, { no: 3, depth: 43, ramp: 'bow' }],
  dues: { base: 4500, perTonne: 47, night: 15 },
  open: 360, shut: 1320,
  pilot: false,
  note: 'ramp out of order since release 0.8'
});

def('MNS', {
  name: 'Marnes',
  zone: 'north-sea',
  lat: 58.70, lon: 5.57,
  density: 1019,
  tide: { mean: 16, spring: 50, first: 356 },
  berths: [{ no: 1, depth: 54, ramp: 'side' }],
  dues: { base: 5400, perTonne: 36, night: 15 },
  open: 300, shut: 1320,
  pilot: true,
  note: 'call the bridge an hour ahead'
});

def('MHN', {
  name: 'Marhavn',
  zone: 'inner-sound',
  lat: 58.63, lon: 13.35,
  density: 1007,
  tide: { mean: 25, spring: 29, first: 163 },
  berths: [{ no: 1, depth: 39, ramp: 'side' }, { no: 2, depth: 66, ramp: 'stern' }],
  dues: { base: 9500, perTonne: 31, night: 25 },
  open: 330, shut: 1320,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('MRY', {
  name: 'Maroy',
  zone: 'north-atlantic',
  lat: 59.15, lon: -4.91,
  density: 1025,
  tide: { mean: 32, spring: 22, first: 120 },
  berths: [{ no: 1, depth: 58, ramp: 'bow' }, { no: 2, depth: 76, ramp: 'bow' }],
  dues: { base: 7700, perTonne: 47, night: 15 },
  open: 360, shut: 1439,
  pilot: false,
  note: 'swell with wind from the south-west'
});

def('TVK', {
  name: 'Torvik',
  zone: 'north-sea',
  lat: 57.89, lon: 8.57,
  density: 1019,
  tide: { mean: 13, spring: 23, first: 109 },
  berths: [{ no: 1, depth: 39, ramp: 'stern' }, { no: 2, depth: 52, ramp: 'stern' }, { no: 3, depth: 46, ramp: 'stern' }],
  dues: { base: 5100, perTonne: 37, night: 15 },
  open: 300, shut: 1439,
  pilot: true,
  note: 'call the bridge an hour ahead'
});

def('TSD', {
  name: 'Torsund',
  zone: 'inner-sound',
  lat: 57.83, lon: 11.11,
  density: 1011,
  tide: { mean: 32, spring: 34, first: 334 },
  berths: [{ no: 1, depth: 66, ramp: 'side' }, { no: 2, depth: 68, ramp: 'bow' }, { no: 3, depth: 52, ramp: 'side' }],
  dues: { base: 9600, perTonne: 33, night: 25 },
  open: 330, shut: 1380,
  pilot: false,
  note: 'call the bridge an hour ahead'
});

def('TNS', {
  name: 'Tornes',
  zone: 'north-atlantic',
  lat: 60.71, lon: -3.89,
  density: 1024,
  tide: { mean: 15, spring: 21, first: 11 },
  berths: [{ no: 1, depth: 42, ramp: 'side' }],
  dues: { base: 7200, perTonne: 18, night: 25 },
  open: 300, shut: 1439,
  pilot: false,
  note: 'ice in hard winters'
});

def('THN', {
  name: 'Torhavn',
  zone: 'north-sea',
  lat: 57.80, lon: 7.99,
  density: 1017,
  tide: { mean: 15, spring: 37, first: 43 },
  berths: [{ no: 1, depth: 59, ramp: 'bow' }, { no: 2, depth: 53, ramp: 'side' }],
  dues: { base: 8100, perTonne: 43, night: 25 },
  open: 0, shut: 1380,
  pilot: false,
  note: ''
});

def('TRY', {
  name: 'Toroy',
  zone: 'inner-sound',
  lat: 57.64, lon: 13.44,
  density: 1007,
  tide: { mean: 21, spring: 45, first: 262 },
  berths: [{ no: 1, depth: 74, ramp: 'stern' }, { no: 2, depth: 68, ramp: 'bow' }],
  dues: { base: 7600, perTonne: 20, night: 25 },
  open: 0, shut: 1439,
  pilot: true,
  note: 'ramp out of order since release 0.8'
});

def('FLK', {
  name: 'Fuglvik',
  zone: 'north-atlantic',
  lat: 61.42, lon: -4.58,
  density: 1024,
  tide: { mean: 32, spring: 34, first: 111 },
  berths: [{ no: 1, depth: 83, ramp: 'bow' }, { no: 2, depth: 52, ramp: 'bow' }],
  dues: { base: 7600, perTonne: 32, night: 15 },
  open: 360, shut: 1380,
  pilot: false,
  note: 'ramp out of order since release 0.8'
});

def('FSD', {
  name: 'Fuglsund',
  zone: 'north-sea',
  lat: 60.77, lon: 8.52,
  density: 1022,
  tide: { mean: 12, spring: 22, first: 24 },
  berths: [{ no: 1, depth: 54, ramp: 'bow' }, { no: 2, depth: 80, ramp: 'bow' }, { no: 3, depth: 61, ramp: 'stern' }],
  dues: { base: 6400, perTonne: 32, night: 15 },
  open: 360, shut: 1380,
  pilot: true,
  note: 'no trailers over 16 m on berth 1'
});

def('FLS', {
  name: 'Fuglnes',
  zone: 'inner-sound',
  lat: 59.01, lon: 11.20,
  density: 1008,
  tide: { mean: 26, spring: 50, first: 12 },
  berths: [{ no: 1, depth: 74, ramp: 'stern' }, { no: 2, depth: 60, ramp: 'side' }, { no: 3, depth: 69, ramp: 'bow' }],
  dues: { base: 6900, perTonne: 29, night: 25 },
  open: 360, shut: 1380,
  pilot: false,
  note: 'no trailers over 16 m on berth 1'
});

def('FHN', {
  name: 'Fuglhavn',
  zone: 'coral-islands',
  lat: -5.54, lon: 151.10,
  density: 1025,
  tide: { mean: 22, spring: 52, first: 246 },
  berths: [{ no: 1, depth: 38, ramp: 'stern' }, { no: 2, depth: 62, ramp: 'bow' }],
  dues: { base: 7200, perTonne: 29, night: 25 },
  open: 330, shut: 1439,
  pilot: false,
  note: ''
});

def('FLY', {
  name: 'Fugloy',
  zone: 'equator',
  lat: 2.79, lon: 104.55,
  density: 1014,
  tide: { mean: 10, spring: 46, first: 187 },
  berths: [{ no: 1, depth: 67, ramp: 'stern' }],
  dues: { base: 8900, perTonne: 33, night: 25 },
  open: 0, shut: 1320,
  pilot: true,
  note: ''
});

def('HLK', {
  name: 'Hvalvik',
  zone: 'middle-sea',
  lat: 40.30, lon: 15.98,
  density: 1025,
  tide: { mean: 34, spring: 36, first: 249 },
  berths: [{ no: 1, depth: 63, ramp: 'stern' }, { no: 2, depth: 63, ramp: 'side' }],
  dues: { base: 4600, perTonne: 31, night: 25 },
  open: 0, shut: 1320,
  pilot: true,
  note: 'no trailers over 16 m on berth 1'
});

def('HVB', {
  name: 'Hvalsund',
  zone: 'southern-ocean',
  lat: -41.38, lon: 171.00,
  density: 1025,
  tide: { mean: 10, spring: 50, first: 12 },
  berths: [{ no: 1, depth: 50, ramp: 'stern' }, { no: 2, depth: 48, ramp: 'side' }, { no: 3, depth: 64, ramp: 'side' }],
  dues: { base: 7900, perTonne: 43, night: 25 },
  open: 0, shut: 1439,
  pilot: false,
  note: ''
});

def('HLS', {
  name: 'Hvalnes',
  zone: 'monsoon-coast',
  lat: 17.13, lon: 75.53,
  density: 1018,
  tide: { mean: 12, spring: 14, first: 272 },
  berths: [{ no: 1, depth: 41, ramp: 'stern' }, { no: 2, depth: 57, ramp: 'stern' }],
  dues: { base: 7800, perTonne: 46, night: 25 },
  open: 0, shut: 1320,
  pilot: false,
  note: 'swell with wind from the south-west'
});

def('HAC', {
  name: 'Hvalhavn',
  zone: 'coral-islands',
  lat: -4.16, lon: 153.52,
  density: 1023,
  tide: { mean: 28, spring: 17, first: 359 },
  berths: [{ no: 1, depth: 55, ramp: 'stern' }, { no: 2, depth: 65, ramp: 'side' }],
  dues: { base: 10100, perTonne: 31, night: 25 },
  open: 0, shut: 1439,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('HLY', {
  name: 'Hvaloy',
  zone: 'equator',
  lat: 1.02, lon: 105.17,
  density: 1014,
  tide: { mean: 27, spring: 15, first: 349 },
  berths: [{ no: 1, depth: 49, ramp: 'stern' }, { no: 2, depth: 63, ramp: 'bow' }],
  dues: { base: 5100, perTonne: 27, night: 25 },
  open: 330, shut: 1320,
  pilot: true,
  note: 'call the bridge an hour ahead'
});

def('SNK', {
  name: 'Steinvik',
  zone: 'middle-sea',
  lat: 40.57, lon: 14.37,
  density: 1022,
  tide: { mean: 8, spring: 30, first: 40 },
  berths: [{ no: 1, depth: 38, ramp: 'stern' }, { no: 2, depth: 47, ramp: 'stern' }, { no: 3, depth: 48, ramp: 'stern' }],
  dues: { base: 6400, perTonne: 30, night: 15 },
  open: 360, shut: 1380,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('SND', {
  name: 'Steinsund',
  zone: 'southern-ocean',
  lat: -43.01, lon: 170.13,
  density: 1022,
  tide: { mean: 31, spring: 21, first: 331 },
  berths: [{ no: 1, depth: 74, ramp: 'bow' }, { no: 2, depth: 64, ramp: 'stern' }, { no: 3, depth: 69, ramp: 'stern' }],
  dues: { base: 7000, perTonne: 28, night: 15 },
  open: 360, shut: 1380,
  pilot: true,
  note: 'ramp out of order since release 0.8'
});

def('SNS', {
  name: 'Steinnes',
  zone: 'monsoon-coast',
  lat: 16.90, lon: 75.42,
  density: 1018,
  tide: { mean: 14, spring: 39, first: 52 },
  berths: [{ no: 1, depth: 82, ramp: 'stern' }, { no: 2, depth: 60, ramp: 'side' }, { no: 3, depth: 52, ramp: 'bow' }],
  dues: { base: 8500, perTonne: 37, night: 15 },
  open: 360, shut: 1439,
  pilot: true,
  note: 'call the bridge an hour ahead'
});

def('SNN', {
  name: 'Steinhavn',
  zone: 'coral-islands',
  lat: -4.43, lon: 151.61,
  density: 1024,
  tide: { mean: 23, spring: 27, first: 193 },
  berths: [{ no: 1, depth: 69, ramp: 'stern' }, { no: 2, depth: 86, ramp: 'side' }],
  dues: { base: 5400, perTonne: 42, night: 25 },
  open: 0, shut: 1439,
  pilot: false,
  note: ''
});

def('SIY', {
  name: 'Steinoy',
  zone: 'equator',
  lat: 1.58, lon: 104.93,
  density: 1012,
  tide: { mean: 32, spring: 32, first: 162 },
  berths: [{ no: 1, depth: 80, ramp: 'side' }, { no: 2, depth: 77, ramp: 'side' }],
  dues: { base: 7400, perTonne: 23, night: 25 },
  open: 0, shut: 1380,
  pilot: true,
  note: ''
});

def('VTK', {
  name: 'Vestvik',
  zone: 'middle-sea',
  lat: 41.16, lon: 15.48,
  density: 1021,
  tide: { mean: 12, spring: 18, first: 223 },
  berths: [{ no: 1, depth: 86, ramp: 'stern' }],
  dues: { base: 4800, perTonne: 40, night: 25 },
  open: 330, shut: 1320,
  pilot: false,
  note: ''
});

def('VSD', {
  name: 'Vestsund',
  zone: 'southern-ocean',
  lat: -43.40, lon: 170.92,
  density: 1024,
  tide: { mean: 29, spring: 37, first: 171 },
  berths: [{ no: 1, depth: 41, ramp: 'bow' }, { no: 2, depth: 57, ramp: 'stern' }],
  dues: { base: 8900, perTonne: 45, night: 25 },
  open: 0, shut: 1439,
  pilot: false,
  note: ''
});

def('VTS', {
  name: 'Vestnes',
  zone: 'monsoon-coast',
  lat: 18.50, lon: 75.42,
  density: 1020,
  tide: { mean: 35, spring: 27, first: 255 },
  berths: [{ no: 1, depth: 60, ramp: 'stern' }],
  dues: { base: 7600, perTonne: 40, night: 25 },
  open: 300, shut: 1439,
  pilot: false,
  note: ''
});

def('VHN', {
  name: 'Vesthavn',
  zone: 'coral-islands',
  lat: -4.08, lon: 152.64,
  density: 1021,
  tide: { mean: 20, spring: 22, first: 248 },
  berths: [{ no: 1, depth: 70, ramp: 'side' }, { no: 2, depth: 46, ramp: 'bow' }],
  dues: { base: 6600, perTonne: 44, night: 15 },
  open: 360, shut: 1439,
  pilot: false,
  note: ''
});

def('VTY', {
  name: 'Vestoy',
  zone: 'equator',
  lat: 4.89, lon: 104.49,
  density: 1012,
  tide: { mean: 30, spring: 34, first: 356 },
  berths: [{ no: 1, depth: 50, ramp: 'side' }, { no: 2, depth: 79, ramp: 'side' }],
  dues: { base: 4800, perTonne: 28, night: 15 },
  open: 330, shut: 1380,
  pilot: false,
  note: 'ice in hard winters'
});

def('SVK', {
  name: 'stvik',
  zone: 'middle-sea',
  lat: 39.88, lon: 13.83,
  density: 1022,
  tide: { mean: 35, spring: 26, first: 220 },
  berths: [{ no: 1, depth: 84, ramp: 'bow' }, { no: 2, depth: 86, ramp: 'stern' }, { no: 3, depth: 87, ramp: 'bow' }],
  dues: { base: 6500, perTonne: 43, night: 25 },
  open: 0, shut: 1439,
  pilot: false,
  note: 'ice in hard winters'
});

def('SUD', {
  name: 'stsund',
  zone: 'southern-ocean',
  lat: -40.35, lon: 173.88,
  density: 1023,
  tide: { mean: 34, spring: 18, first: 172 },
  berths: [{ no: 1, depth: 68, ramp: 'bow' }],
  dues: { base: 7200, perTonne: 40, night: 15 },
  open: 360, shut: 1439,
  pilot: false,
  note: 'ice in hard winters'
});

def('STB', {
  name: 'stnes',
  zone: 'monsoon-coast',
  lat: 17.50, lon: 75.65,
  density: 1019,
  tide: { mean: 23, spring: 26, first: 166 },
  berths: [{ no: 1, depth: 42, ramp: 'bow' }, { no: 2, depth: 70, ramp: 'stern' }],
  dues: { base: 7100, perTonne: 43, night: 25 },
  open: 330, shut: 1439,
  pilot: true,
  note: 'swell with wind from the south-west'
});

def('SAN', {
  name: 'sthavn',
  zone: 'coral-islands',
  lat: -7.51, lon: 150.29,
  density: 1020,
  tide: { mean: 22, spring: 26, first: 20 },
  berths: [{ no: 1, depth: 66, ramp: 'stern' }],
  dues: { base: 9400, perTonne: 20, night: 15 },
  open: 300, shut: 1320,
  pilot: false,
  note: 'call the bridge an hour ahead'
});

def('SOY', {
  name: 'stoy',
  zone: 'equator',
  lat: 2.79, lon: 106.95,
  density: 1010,
  tide: { mean: 29, spring: 44, first: 284 },
  berths: [{ no: 1, depth: 60, ramp: 'side' }],
  dues: { base: 6600, perTonne: 33, night: 25 },
  open: 0, shut: 1320,
  pilot: true,
  note: ''
});

def('KKK', {
  name: 'Krakvik',
  zone: 'middle-sea',
  lat: 41.15, lon: 15.78,
  density: 1021,
  tide: { mean: 10, spring: 46, first: 104 },
  berths: [{ no: 1, depth: 76, ramp: 'bow' }, { no: 2, depth: 78, ramp: 'stern' }, { no: 3, depth: 76, ramp: 'bow' }],
  dues: { base: 4600, perTonne: 34, night: 15 },
  open: 300, shut: 1439,
  pilot: true,
  note: ''
});

def('KSD', {
  name: 'Kraksund',
  zone: 'southern-ocean',
  lat: -40.53, lon: 171.43,
  density: 1022,
  tide: { mean: 13, spring: 49, first: 263 },
  berths: [{ no: 1, depth: 42, ramp: 'bow' }, { no: 2, depth: 63, ramp: 'bow' }],
  dues: { base: 9500, perTonne: 35, night: 25 },
  open: 330, shut: 1380,
  pilot: false,
  note: 'no trailers over 16 m on berth 1'
});

def('KKS', {
  name: 'Kraknes',
  zone: 'monsoon-coast',
  lat: 16.60, lon: 74.40,
  density: 1016,
  tide: { mean: 34, spring: 38, first: 120 },
  berths: [{ no: 1, depth: 40, ramp: 'bow' }],
  dues: { base: 10100, perTonne: 27, night: 25 },
  open: 360, shut: 1439,
  pilot: false,
  note: 'call the bridge an hour ahead'
});

def('KHN', {
  name: 'Krakhavn',
  zone: 'coral-islands',
  lat: -4.03, lon: 150.89,
  density: 1020,
  tide: { mean: 15, spring: 35, first: 20 },
  berths: [{ no: 1, depth: 70, ramp: 'stern' }, { no: 2, depth: 64, ramp: 'stern' }, { no: 3, depth: 56, ramp: 'bow' }],
  dues: { base: 8000, perTonne: 36, night: 15 },
  open: 360, shut: 1380,
  pilot: false,
  note: ''
});

def('KKY', {
  name: 'Krakoy',
  zone: 'equator',
  lat: 2.38, lon: 104.18,
  density: 1013,
  tide: { mean: 20, spring: 16, first: 218 },
  berths: [{ no: 1, depth: 60, ramp: 'side' }, { no: 2, depth: 41, ramp: 'bow' }],
  dues: { base: 5500, perTonne: 25, night: 25 },
  open: 300, shut: 1380,
  pilot: false,
  note: ''
});

def('LMK', {
  name: 'Lommvik',
  zone: 'middle-sea',
  lat: 40.68, lon: 12.76,
  density: 1021,
  tide: { mean: 36, spring: 26, first: 340 },
  berths: [{ no: 1, depth: 64, ramp: 'stern' }],
  dues: { base: 8900, perTonne: 29, night: 25 },
  open: 0, shut: 1320,
  pilot: false,
  note: ''
});

def('LOB', {
  name: 'Lommsund',
  zone: 'southern-ocean',
  lat: -41.90, lon: 173.14,
  density: 1021,
  tide: { mean: 33, spring: 46, first: 208 },
  berths: [{ no: 1, depth: 43, ramp: 'stern' }, { no: 2, depth: 46, ramp: 'bow' }],
  dues: { base: 9600, perTonne: 19, night: 25 },
  open: 330, shut: 1320,
  pilot: true,
  note: 'mind the bar at low water'
});

def('LMS', {
  name: 'Lommnes',
  zone: 'monsoon-coast',
  lat: 18.64, lon: 75.48,
  density: 1018,
  tide: { mean: 16, spring: 34, first: 116 },
  berths: [{ no: 1, depth: 86, ramp: 'side' }, { no: 2, depth: 80, ramp: 'stern' }],
  dues: { base: 8500, perTonne: 19, night: 25 },
  open: 0, shut: 1439,
  pilot: true,
  note: 'call the bridge an hour ahead'
});

def('LMC', {
  name: 'Lommhavn',
  zone: 'coral-islands',
  lat: -4.58, lon: 152.76,
  density: 1023,
  tide: { mean: 30, spring: 40, first: 197 },
  berths: [{ no: 1, depth: 45, ramp: 'side' }, { no: 2, depth: 42, ramp: 'stern' }],
  dues: { base: 5800, perTonne: 44, night: 15 },
  open: 360, shut: 1439,
  pilot: false,
  note: ''
});

def('LMY', {
  name: 'Lommoy',
  zone: 'equator',
  lat: 1.49, lon: 106.53,
  density: 1012,
  tide: { mean: 31, spring: 31, first: 261 },
  berths: [{ no: 1, depth: 43, ramp: 'bow' }],
  dues: { base: 8800, perTonne: 18, night: 15 },
  open: 360, shut: 1320,
  pilot: false,
  note: 'call the bridge an hour ahead'
});

/* ------------------------------------------------------------------ */
/* seasons, by zone                                                     */
/* ------------------------------------------------------------------ */

var SEASONS = {
  'north-atlantic': { start: '10-16', end: '04-15' },
  'north-sea': { start: '11-01', end: '03-31' },
  'inner-sound': { start: '11-01', end: '03-31' },
  'middle-sea': { start: '12-16', end: '03-15' },
  'southern-ocean': { start: '04-16', end: '10-15' }
};

var MONTH_NAMES = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December'
];

var DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/* ------------------------------------------------------------------ */
/* distances in nautical miles, measured on the chart                   */
/* ------------------------------------------------------------------ */

var DISTANCES = [
  ['HMY', 'HAC', 55],
  ['VSD', 'TSD', 43],
  ['GNS', 'VSD', 47],
  ['SOY', 'LOB', 146],
  ['KKS', 'KHN', 126],
  ['SND', 'GAY', 173],
  ['SIY', 'GVK', 9],
  ['HMS', 'MVK', 93],
  ['THN', 'GVK', 89],
  ['MRY', 'SIY', 69],
  ['SHN', 'MRY', 33],
  ['KKY', 'SDY', 158],
  ['KKS', 'KHN', 41],
  ['SNC', 'SIY', 85],
  ['LMC', 'LGS', 66],
  ['LGS', 'LOB', 98],
  ['TRY', 'VTK', 98],
  ['LOB', 'MRY', 104],
  ['LGK', 'FLK', 111],
  ['GSD', 'GNS', 22],
  ['ANS', 'FHN', 214],
  ['GSD', 'FHN', 70],
  ['SDS', 'SRY', 90],
  ['UHN', 'UVY', 146],
  ['TRY', 'LGS', 34],
  ['MRY', 'LMK', 69],
  ['HVB', 'MRY', 241],
  ['LMY', 'GAY', 88],
  ['LGK', 'SUD', 96],
  ['FLK', 'SNS', 214],
  ['KKK', 'FHN', 38],
  ['SIY', 'HLY', 100],
  ['KKK', 'FSD', 188],
  ['AVK', 'HLY', 68],
  ['MHN', 'AVK', 12],
  ['LGY', 'SVK', 131],
  ['HMY', 'HMK', 55],
  ['LHN', 'TSD', 155],
  ['SVK', 'KKS', 222],
  ['KKS', 'HHN', 110],
  ['SDY', 'SHN', 52],
  ['HSD', 'VTS', 188],
  ['LMC', 'KKK', 127],
  ['UNS', 'GNS', 67],
  ['KHN', 'SRK', 41],
  ['HMS', 'LSD', 229],
  ['HVB', 'SNK', 209],
  ['VHN', 'HVB', 61],
  ['LMK', 'VHN', 89],
  ['SNC', 'SIY', 85],
  ['SHN', 'HMS', 17],
  ['FLS', 'VTS', 108],
  ['TSD', 'MNS', 242],
  ['GHN', 'LGK', 152],
  ['LGK', 'SUD', 104],
  ['TNS', 'SUD', 187],
  ['SSD', 'MSD', 74],
  ['FLS', 'GAY', 56],
  ['SNN', 'GHN', 192],
  ['SNN', 'GVK', 75],
  ['AHN', 'FLK', 202],
  ['LGK', 'SDK', 74],
  ['MSD', 'ASD', 25],
  ['SNC', 'LSD', 197],
  ['STB', 'HMS', 33],
  ['ASD', 'GAY', 109],
  ['SDS', 'MSD', 218],
  ['GVK', 'HVB', 221],
  ['THN', 'VHN', 52],
  ['HSD', 'LMC', 76],
  ['FSD', 'HSD', 15],
  ['SOY', 'SVK', 222],
  ['SDY', 'HHN', 153],
  ['SNK', 'SIY', 149],
  ['MVK', 'MRY', 49],
  ['GVK', 'MVK', 93],
  ['LMK', 'LGK', 152],
  ['SNN', 'AKY', 144],
  ['HLK', 'KKY', 56],
  ['AKY', 'LGK', 148],
  ['HLY', 'FSD', 108],
  ['LGY', 'HLY', 196],
  ['MHN', 'VTS', 204],
  ['FSD', 'KKK', 116],
  ['SDS', 'LGY', 44],
  ['VTS', 'GNS', 67],
  ['UVK', 'SOY', 167],
  ['UVY', 'HLS', 10],
  ['MSD', 'GVK', 57],
  ['HMS', 'UNS', 96],
  ['SRS', 'SNN', 232],
  ['KKY', 'LMS', 223],
  ['MNS', 'AHN', 83],
  ['KKS', 'HHN', 158],
  ['SND', 'SDY', 206],
  ['VTY', 'GSD', 118],
  ['ANS', 'UNS', 197],
  ['VTS', 'HSD', 228],
  ['KKK', 'AVK', 119],
  ['VSD', 'SDK', 10],
  ['SDK', 'MSD', 58],
  ['SDK', 'FHN', 22],
  ['VTY', 'UNS', 197],
  ['SHN', 'MRY', 65],
  ['MRY', 'TVK', 116],
  ['HLY', 'LGY', 212],
  ['MHN', 'MRY', 196],
  ['HLY', 'VTS', 28],
  ['LGY', 'HLY', 132],
  ['GNS', 'VSD', 63],
  ['MNS', 'SVK', 238],
  ['LMK', 'SDY', 190],
  ['SND', 'SNS', 238],
  ['HHN', 'KKS', 142],
  ['SDY', 'UVK', 105],
  ['KKY', 'AKY', 64],
  ['GHN', 'USD', 88],
  ['MNS', 'SVK', 46],
  ['KKS', 'HHN', 174],
  ['HHN', 'HMY', 238],
  ['SND', 'TVK', 94],
  ['TVK', 'SND', 233],
  ['SNC', 'THN', 245],
  ['SHN', 'KSD', 49],
  ['LMY', 'SHN', 125],
  ['UNS', 'LMY', 89],
  ['KSD', 'THN', 101],
  ['STB', 'KSD', 129],
  ['LMY', 'SHN', 237],
  ['LMK', 'LMY', 153],
  ['SNC', 'SDS', 36],
  ['HSD', 'VTS', 44],
  ['HMY', 'MNS', 23],
  ['LMS', 'UVK', 235],
  ['FLY', 'HVB', 243],
  ['FHN', 'ANS', 118],
  ['GSD', 'LSD', 59],
  ['HVB', 'SNC', 145],
  ['USD', 'HHN', 68],
  ['TVK', 'TSD', 62],
  ['HHN', 'HVB', 173],
  ['SIY', 'USD', 88],
  ['USD', 'GHN', 128],
  ['LHN', 'TSD', 27],
  ['SVK', 'TVK', 78],
  ['SDY', 'SND', 206],
  ['HVB', 'SNC', 161],
  ['ASD', 'MVK', 205],
  ['SIY', 'FLS', 89],
  ['GHN', 'GSD', 39]
];

/* ------------------------------------------------------------------ */
/* look-ups                                                             */
/* ------------------------------------------------------------------ */

function findPort(code) {
  var i;
  for (i = 0; i < PORTS.length; i++) {
    if (PORTS[i].code === code) {
      return PORTS[i];
    }
  }
  throw new RangeError('no port with the code "' + code + '"');
}

function findPortByName(name) {
  var i;
  var wanted = String(name).toLowerCase();
  for (i = 0; i < PORTS.length; i++) {
    if (PORTS[i].name.toLowerCase() === wanted) {
      return PORTS[i];
    }
  }
  return null;
}

function portsInZone(zone) {
  var found = [];
  var i;
  for (i = 0; i < PORTS.length; i++) {
    if (PORTS[i].zone === zone) {
      found.push(PORTS[i].code);
    }
  }
  return found.sort();
}

function distanceBetween(from, to) {
  var i;
  if (from === to) {
    return 0;
  }
  for (i = 0; i < DISTANCES.length; i++) {
    var d = DISTANCES[i];
    if ((d[0] === from && d[1] === to) || (d[0] === to && d[1] === from)) {
      return d[2];
    }
  }
  return -1;
}

function berthsFor(code, draughtDm, ramp) {
  var port = findPort(code);
  var fit = [];
  var i;
  for (i = 0; i < port.berths.length; i++) {
    var berth = port.berths[i];
    if (berth.depth < draughtDm + 5) {
      continue;
    }
    if (ramp && berth.ramp !== ramp) {
      continue;
    }
    fit.push(berth.no);
  }
  return fit;
}

/* ------------------------------------------------------------------ */
/* seasons                                                              */
/* ------------------------------------------------------------------ */

/* is it winter at this port? day is 'MM-DD' */
function isWinterAt(code, day) {
  var season = SEASONS[findPort(code).zone];
  if (!season) {
    return false;
  }
  /* a winter that runs over new year has its start after its end */
  if (season.start > season.end) {
    return day >= season.start || day <= season.end;
  }
  return day >= season.start && day <= season.end;
}

/* the word printed on the port card; FIXME not the same rule as isWinterAt? */
function seasonLabel(code, day) {
  var season = SEASONS[findPort(code).zone];
  if (!season) {
    return 'no season';
  }
  if (day >= season.start && day <= season.end) {
    return 'winter';
  }
  return 'summer';
}

function dayOfYear(day) {
  var month = parseInt(day.slice(0, 2), 10);
  var date = parseInt(day.slice(3, 5), 10);
  return DAYS_BEFORE[month - 1] + date;
}

/* how many days a winter lasts; over new year the rest of the year is added */
function winterDays(zone) {
  var season = SEASONS[zone];
  if (!season) {
    return 0;
  }
  var from = dayOfYear(season.start);
  var to = dayOfYear(season.end);
  if (from > to) {
    return 365 - from + 1 + to;
  }
  return to - from + 1;
}

function spokenDay(day) {
  return parseInt(day.slice(3, 5), 10) + ' ' + MONTH_NAMES[parseInt(day.slice(0, 2), 10) - 1];
}

/* ------------------------------------------------------------------ */
/* tides, the rough way: two highs a day, 12 h 25 min apart             */
/* ------------------------------------------------------------------ */

function highWaters(code, day) {
  var port = findPort(code);
  var shift = (dayOfYear(day) * 50) % 745;
  var first = (port.tide.first + shift) % 745;
  return [first, first + 745];
}

function tideAt(code, day, minute) {
  var port = findPort(code);
  var highs = highWaters(code, day);
  var nearest = Math.min(Math.abs(minute - highs[0]), Math.abs(minute - highs[1]));
  var share = Math.cos((Math.min(nearest, 372) / 372) * (Math.PI / 2));
  return Math.round(port.tide.mean * share);
}

function depthAt(code, berthNo, day, minute) {
  var port = findPort(code);
  var i;
  for (i = 0; i < port.berths.length; i++) {
    if (port.berths[i].no === berthNo) {
      return port.berths[i].depth + tideAt(code, day, minute);
    }
  }
  throw new RangeError('no berth ' + berthNo + ' in ' + code);
}

/* ------------------------------------------------------------------ */
/* opening hours                                                        */
/* ------------------------------------------------------------------ */

function isOpen(code, minute) {
  var port = findPort(code);
  return minute >= port.open && minute <= port.shut;
}

function nextOpening(code, minute) {
  var port = findPort(code);
  if (isOpen(code, minute)) {
    return minute;
  }
  if (minute < port.open) {
    return port.open;
  }
  return port.open + MINUTES_PER_DAY;
}

/* ------------------------------------------------------------------ */
/* money                                                                */
/* ------------------------------------------------------------------ */

/* base plus so much a started tonne */
function harbourDues(code, tonnes) {
  var port = findPort(code);
  return port.dues.base + port.dues.perTonne * Math.ceil(tonnes);
}

function nightDues(code, tonnes) {
  var port = findPort(code);
  var day = harbourDues(code, tonnes);
  return day + Math.round((day * port.dues.night) / 100);
}

/* ------------------------------------------------------------------ */
/* the port card, as it hangs on the wall                               */
/* ------------------------------------------------------------------ */

function pad(text, width) {
  var s = String(text);
  while (s.length < width) {
    s = s + ' ';
  }
  return s;
}

function portCard(code, day) {
  var port = findPort(code);
  var lines = [];
  var i;
  lines.push(pad(port.name, 20) + port.code);
  lines.push(pad('zone', 20) + port.zone + ' (' + seasonLabel(code, day) + ')');
  lines.push(pad('density', 20) + port.density);
  for (i = 0; i < port.berths.length; i++) {
    lines.push(pad('berth ' + port.berths[i].no, 20) + port.berths[i].depth / 10 + ' m, ' + port.berths[i].ramp);
  }
  if (port.pilot) {
    lines.push('pilot compulsory');
  }
  if (port.note) {
    lines.push('note: ' + port.note);
  }
  return lines.join('\n');
}

export {
  BOOK_VERSION,
  findPort,
  findPortByName,
  portsInZone,
  distanceBetween,
  berthsFor,
  isWinterAt,
  seasonLabel,
  winterDays,
  spokenDay,
  highWaters,
  tideAt,
  depthAt,
  isOpen,
  nextOpening,
  harbourDues,
  nightDues,
  portCard
};
