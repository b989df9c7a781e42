import type { PersistentList } from './persistentList';

/** A fold that was begun with `before`, and came to `after`. */
interface Folded<S> {
  readonly before: S;
  readonly after: S;
}

/**
 * Makes a fold of lists that goes on from where a list with the same beginning was folded before, so
 * that a list that grew costs what it grew by. `take` gives the state after one more item; states are
 * values that never change.
 */
export function rememberedFold<T, S>(
  start: S,
  take: (state: S, item: T) => S,
): (list: PersistentList<T>) => S {
  const chunks = new WeakMap<readonly T[], Folded<S>>();
  // The last chunk is another with each item: of the list folded last it is known item by item.
  let items: readonly T[] = [];
  let states: S[] = [start];

  const foldLast = (before: S, chunk: readonly T[]): S => {
    let same = 0;
    if (states[0] === before) while (same < chunk.length && items[same] === chunk[same]) same += 1;
    else states = [before];
    states.length = same + 1;
    items = chunk;
    for (let at = same; at < chunk.length; at += 1) {
      states.push(take(states[at] as S, chunk[at] as T));
    }
    return states.at(-1) as S;
  };

  return (list) => {
    let state = start;
    for (const chunk of list.chunks) {
      const known = chunks.get(chunk);
      const before = state;
      state = known?.before === before ? known.after : foldLast(before, chunk);
      chunks.set(chunk, { before, after: state });
    }
    return state;
  };
}
