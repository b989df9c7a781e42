import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { tellBytes } from '../support/costs';
import { HostedSession } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// The heap that an open session holds after garbage collection; bytes.

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  for (let round = 0; round < 3; round += 1) collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Measures the additional memory that a new object holds while its predecessor is held, too. */
function held<T>(what: string, make: () => T): T {
  const before = heldBytes();
  const made = make();
  tellBytes(what, heldBytes() - before);
  return made;
}

const linesOf = (): readonly string[] => longLog().events.map((event) => JSON.stringify(event));

function toldAll(hosted: HostedSession): void {
  hosted.hydrate('context');
  hosted.hydrate('agent');
}

const lines = linesOf();
tellBytes('its log, which is on disk', lines.join('\n').length);
// A first session loads the code.
toldAll(
  new HostedSession(
    'context',
    lines.map((line) => JSON.parse(line) as SessionEvent),
  ),
);

const events = held('its events', () => lines.map((line) => JSON.parse(line) as SessionEvent));
const hosted = held('its window', () => new HostedSession('context', events));
held('what the Context panel received', () => void hosted.hydrate('context'));
held('what the Agent view received', () => void hosted.hydrate('agent'));
held('1,000 more times that, with nothing new', () => {
  for (let time = 0; time < 1_000; time += 1) hosted.publish();
});
