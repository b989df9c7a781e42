import type { ScriptedAgent } from '../../support/scriptedAgent';

/** What the calls of a session came to, in order. */
export function resultsOf({ session }: ScriptedAgent) {
  return session.events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
}
