import type { TravelView } from '../../../src/protocol/contextPanel';

/** A moment of the session: a step, or the request that would be sent next. */
export type Moment = TravelView['at'];

/** Where one can go from the moment shown; absent where the session ends. */
export interface Ways {
  readonly back?: number;
  readonly forward?: Moment;
}

/** Says whether there is a step to travel to. */
export function hasSteps({ first, last }: TravelView): boolean {
  return last >= first && last > 0;
}

/**
 * Finds the moments next to the one shown, behind the last step the present. `steps` are those
 * known, ascending; lost lines leave gaps, and nobody can travel into one.
 */
export function waysFrom(travel: TravelView, steps: readonly number[]): Ways {
  if (!hasSteps(travel)) return {};
  const { at, first, last } = travel;
  if (at === 'now') return { back: last };
  const before = steps.findLast((step) => step < at) ?? (at > first ? at - 1 : undefined);
  const after = steps.find((step) => step > at) ?? (at < last ? at + 1 : 'now');
  return { ...(before === undefined ? {} : { back: before }), forward: after };
}
