import type { OnDemand } from './loading';
import type { PlimsollApi } from './plimsollApi';

/** Names why there is no state to set before the host is there, or where it cannot be loaded. */
const NOT_LOADED =
  'No session is shown: Plimsoll is not loaded. Nothing was set. A session starts with the first prompt.';

/**
 * What other extensions may use, whether or not the host is there. No session is shown before it is, so
 * there is no state either; who listens already hears of every session.
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
