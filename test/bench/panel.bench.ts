import { bench, describe } from 'vitest';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { applyEvent, fold } from '../../src/contextWindow/log/fold';
import { contextPatch, timelinePatch } from '../../src/protocol/statePatch';
import { inspecting, lookedAt, validWith } from '../views/support/inspecting';
import { dated, promptEvent, stepEvents } from '../support/drawing';

const STEPS = 5_000;
const EVENTS = dated([
  promptEvent('task'),
  ...Array.from({ length: STEPS }, (_, index) =>
    stepEvents([{ id: `tool_${index}`, name: `file${index % 50}.ts`, tokens: 300 }], 'Looking.'),
  ).flat(),
]);
const VALID = validWith({ windowTokens: 1_000_000, prepareWatermark: 0 });

const session: { events: typeof EVENTS; window: ContextWindow } = {
  events: EVENTS.slice(0, -1),
  window: fold(EVENTS.slice(0, -1)),
};
const { inspection } = inspecting(() => lookedAt(session, VALID));
const drawn = () => ({ view: inspection.view(), timeline: inspection.timeline() });
const before = drawn();
session.events = EVENTS;
session.window = EVENTS.slice(-1).reduce(applyEvent, session.window);
const after = drawn();

// What one more event costs to tell: read the ratio, not the milliseconds.
describe('tell the panel of one more result in 5,000 steps', () => {
  bench('all of it', () => void JSON.stringify([after.view, after.timeline]));
  bench(
    'what is other',
    () =>
      void JSON.stringify([
        contextPatch(before.view, after.view),
        timelinePatch(before.timeline, after.timeline),
      ]),
  );
});
