import type { Signal } from '@preact/signals';

/** A state that is told whole, and then only what changed in it, each time with a number. */
export interface FollowedSnapshots<T, P> {
  /** Takes a whole state; no patch can follow one without a number. */
  readonly whole: (state: T, number?: number) => void;
  /** Takes what changed since the state with the number before. */
  readonly patched: (number: number, patch: P) => void;
}

/** So many patches may be on their way already when the whole is asked for; then it is lost, too. */
const PATIENCE = 10;

/**
 * Keeps `state` as it is told. A patch of a state that is not the one here changes nothing: the whole
 * is asked for instead, and patches are ignored until it is there.
 */
export function followSnapshots<T, P>(
  state: Signal<T | undefined>,
  apply: (before: T, patch: P) => T,
  askForWhole: () => void,
): FollowedSnapshots<T, P> {
  let known: number | undefined;
  /** How many patches did not fit since the whole was told. */
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
