import type { Signal } from '@preact/signals';

/** A state that is sent whole, and then only its changes, each time with a number. */
export interface FollowedSnapshots<T, P> {
  /** Takes a whole state; without a number, no patch can follow it. */
  readonly whole: (state: T, number?: number) => void;
  /** Takes the changes since the state with the number before. */
  readonly patched: (number: number, patch: P) => void;
}

/**
 * This many patches may already be on their way when the whole is asked for; after that it is asked
 * for again.
 */
const PATIENCE = 10;

/**
 * Keeps `state` up to date. A patch of another state changes nothing: the whole is asked for
 * instead, and patches are ignored until it is there.
 */
export function followSnapshots<T, P>(
  state: Signal<T | undefined>,
  apply: (before: T, patch: P) => T,
  askForWhole: () => void,
): FollowedSnapshots<T, P> {
  let known: number | undefined;
  /** How many patches did not fit since the whole was sent. */
  let misfits = 0;
  return {
    whole: (whole, number) => {
      known = number;
      misfits = 0;
      state.value = whole;
    },
    patched: (number, patch) => {
      const { value: before } = state;
      if (before !== undefined && known === number - 1) {
        known = number;
        state.value = apply(before, patch);
        return;
      }
      known = undefined;
      misfits += 1;
      if (misfits % PATIENCE === 1) askForWhole();
    },
  };
}
