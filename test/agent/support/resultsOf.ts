import type { ScriptedAgent } from '../../support/scriptedAgent';

/** The results of a session's calls, in order. */
export function resultsOf({ session }: ScriptedAgent) {
  return session.events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
}
