import { DEFAULT_LOOK, type Look } from './look';
import type { Unsent } from './unsent';

/** Raise this whenever the form of `Look` or `Unsent` changes: older state is then dropped. */
const VERSION = 1;

/** The state that VS Code keeps while the panel is hidden, moved or reloaded. */
export interface KeptState {
  readonly look: Look;
  readonly unsent: Unsent;
}

/** Stamps the state with its version. */
export function stamped(kept: KeptState): unknown {
  return { version: VERSION, ...kept };
}

/** Reads the state back; another version starts with the defaults. */
export function keptState(state: unknown): KeptState {
  const isOurs =
    typeof state === 'object' && state !== null && Reflect.get(state, 'version') === VERSION;
  return isOurs ? (state as KeptState) : { look: DEFAULT_LOOK, unsent: {} };
}
