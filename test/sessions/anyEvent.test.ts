import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedEvent } from '../../src/sessions/storedEvent';
import { anyLog } from './support/anyEvent';
import { placesIn, placesOf } from './support/schemaPlaces';

it('random logs reach every field, kind and word of every event', () => {
  const missing = new Set(placesOf(storedEvent));
  for (const event of fc.sample(anyLog, { numRuns: 6_000, seed: 20_261_124 }).flat()) {
    for (const place of placesIn(storedEvent, event)) missing.delete(place);
  }
  expect([...missing]).toEqual([]);
});
