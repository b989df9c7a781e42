import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedEvent } from '../../src/sessions/storedEvent';
import { anyLog } from './support/anyEvent';
import { placesIn, placesOf } from './support/schemaPlaces';

it('random logs reach every field, kind and word of every event', () => {
  // The events of a sub-agent's window have the same places as any other.
  const isNested = (place: string) => place.startsWith('<subAgentEvent>.event<');
  const missing = new Set(placesOf(storedEvent).filter((place) => !isNested(place)));
  // The rarest take thousands of logs.
  for (let seed = 1; seed <= 60 && missing.size > 0; seed += 1) {
    for (const event of fc.sample(anyLog, { numRuns: 200, seed }).flat()) {
      for (const place of placesIn(storedEvent, event)) missing.delete(place);
    }
  }
  expect([...missing]).toEqual([]);
});
