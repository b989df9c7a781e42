import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedEvent } from '../../src/sessions/storedEvent';
import { anyLog, EVENTS_BY_TYPE } from './support/anyEvent';
import { placesIn, placesOf } from './support/schemaPlaces';

it('random logs reach every field, kind and word of every event', () => {
  // The events of a sub-agent's window have the same places as any other.
  const isNested = (place: string) => place.startsWith('<subAgentEvent>.event<');
  const missing = new Set(placesOf(storedEvent).filter((place) => !isNested(place)));
  const reach = (events: readonly unknown[]) => {
    for (const event of events)
      for (const place of placesIn(storedEvent, event)) missing.delete(place);
  };
  reach(fc.sample(anyLog, { numRuns: 200, seed: 1 }).flat());
  // Then only events of the types that have missing places; the rarest take thousands.
  for (let seed = 2; seed <= 60 && missing.size > 0; seed += 1) {
    for (const [type, events] of EVENTS_BY_TYPE) {
      const isWanted = [...missing].some((place) => place.startsWith(`<${type}>`));
      if (isWanted) reach(fc.sample(events, { numRuns: 300, seed }));
    }
  }
  expect([...missing]).toEqual([]);
});
