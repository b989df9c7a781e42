import type { ElsewhereView } from './elsewhereState';

/** How many sessions that are not shown wait for an answer, and how many others are at work. */
export interface Elsewhere {
  readonly waiting: number;
  readonly working: number;
}

/** Says what goes on in sessions that are not shown; undefined for nothing. */
export function elsewhereView({ waiting, working }: Elsewhere): ElsewhereView | undefined {
  const words = [
    ...(waiting === 0
      ? []
      : [`${others(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for your answer`]),
    ...(working === 0 ? [] : [`${others(working)} ${working === 1 ? 'is' : 'are'} at work`]),
  ].join(' · ');
  return words === '' ? undefined : { words, isWaiting: waiting > 0 };
}

function others(count: number): string {
  return count === 1 ? 'Another session' : `${count} other sessions`;
}
