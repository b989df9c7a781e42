import type { OnDemand } from './loading';
import type { PlimsollApi } from './plimsollApi';

/** Says why no state can be set before the host is loaded, or if it failed to load. */
const NOT_LOADED =
  'No session is shown: Plimsoll is not loaded. Nothing was set. A session starts with the first prompt.';

/**
 * The API for other extensions, before and after the host is loaded. Before that no session is
 * shown, so there is no state, but listeners already hear of every session.
 */
export function apiOnDemand(
  host: Pick<OnDemand<{ readonly api: PlimsollApi }>, 'whenThere'>,
): PlimsollApi {
  let there: PlimsollApi | undefined;
  host.whenThere(({ api }) => (there = api));
  return {
    onSessionClosed(listener) {
      let isListening = true;
      let listening: ReturnType<PlimsollApi['onSessionClosed']> | undefined;
      host.whenThere(({ api }) => {
        if (isListening) listening = api.onSessionClosed(listener);
      });
      return {
        dispose() {
          isListening = false;
          listening?.dispose();
        },
      };
    },
    sessionState: (key) => there?.sessionState(key),
    setSessionState: (key, value) =>
      there?.setSessionState(key, value) ?? { ok: false, reason: NOT_LOADED },
  };
}
