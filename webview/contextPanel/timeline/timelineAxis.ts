import type { BudgetLevels, TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';

/** A level further above the largest request than this many times it would press the areas flat. */
const NEAR = 1.7;

type Level = Exclude<keyof BudgetLevels, 'ofToday'>;

const LEVELS: readonly Level[] = ['lowTokens', 'highTokens', 'inputBudget'];

/**
 * Where the axis ends, in tokens: a little above the largest request (`mostOwn`, or what a recorded
 * agent's own held), and above each watermark and budget that is not far beyond it.
 */
export function axisTop(
  points: readonly Pick<TimelinePoint, 'budget' | 'recordedTokens'>[],
  mostOwn: number,
): number {
  const most = points.reduce(
    (all, { recordedTokens = 0 }) => Math.max(all, recordedTokens),
    mostOwn,
  );
  let top = most;
  for (const { budget } of points) {
    for (const level of LEVELS) {
      const tokens = budget[level];
      if (tokens > top && tokens <= NEAR * most) top = tokens;
    }
  }
  return 1.06 * top;
}

/** At most as many numbers stand at the axis, beside its beginning. */
const TICKS = 3;

/** Round numbers along the axis, in tokens, ascending; none at 0. */
export function axisTicks(top: number): readonly number[] {
  const least = top / (TICKS + 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const apart = power * ([1, 2, 5, 10].find((each) => each * power >= least) ?? 10);
  const ticks: number[] = [];
  for (let tick = apart; tick < top * 0.97; tick += apart) ticks.push(tick);
  return ticks;
}

/** A number at the axis: "500", "2.5k", "40k", "1.2M". */
export function tickText(tokens: number): string {
  const short = (size: number): string => `${Math.round((tokens / size) * 10) / 10}`;
  if (tokens >= 1_000_000) return `${short(1_000_000)}M`;
  return tokens >= 1_000 ? `${short(1_000)}k` : `${tokens}`;
}
