import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedEvent } from '../../src/sessions/storedEvent';
import { anyLog } from './support/anyEvent';
import { placesIn, placesOf } from './support/schemaPlaces';

it('any log has at some time each field, each kind and each word that an event can have', () => {
  const missing = new Set(placesOf(storedEvent));
  for (const event of fc.sample(anyLog, { numRuns: 3_000, seed: 20_261_122 }).flat()) {
    for (const place of placesIn(storedEvent, event)) missing.delete(place);
  }
  expect([...missing]).toEqual([]);
});
