import type { TimelinePoint, TimelineView } from '../../protocol/timeline';
import { escapeHtml, fillOf } from './exported';
import { number, tokens } from './viewRows';

/** Size of the drawings in their own units; the page stretches them. */
const WIDTH = 1_000;
const TIERS_HEIGHT = 120;
const BILLED_HEIGHT = 30;

/** Room above the highest number. */
const ROOM = 1.06;

type Value = (point: TimelinePoint) => number;

/** One area of a drawing: its name, its colour and where it ends above the ones below it. */
interface Area {
  readonly name: string;
  readonly colour: string;
  readonly top: Value;
}

/** From the top down: each covers of the one before what lies below. */
const TIERS: readonly Area[] = [
  { name: 'working', colour: '#4fa3d4', top: fillOf },
  { name: 'archive', colour: '#3f6b8f', top: ({ system, archive }) => system + archive },
  { name: 'system', colour: '#8c7bbd', top: ({ system }) => system },
];

const BILLED: readonly Area[] = [
  {
    name: 'fresh',
    colour: '#c2703d',
    top: ({ billed }) =>
      (billed?.fresh ?? 0) + (billed?.cacheWrite ?? 0) + (billed?.cacheRead ?? 0),
  },
  {
    name: 'to cache',
    colour: '#d9b46a',
    top: ({ billed }) => (billed?.cacheWrite ?? 0) + (billed?.cacheRead ?? 0),
  },
  { name: 'from cache', colour: '#5f9e6e', top: ({ billed }) => billed?.cacheRead ?? 0 },
];

/**
 * Draws how the window filled, step after step, as pictures that are part of the page; `at` is the
 * step shown. There must be a step.
 */
export function timelineSvg({ points }: TimelineView, at: number | 'now'): string {
  const hasBills = points.some(({ billed }) => billed !== null);
  return [
    tiersSvg(points, at),
    key([
      ...TIERS.toReversed(),
      ...(points.some(({ exact }) => !exact) ? [{ name: 'estimated', look: 'estimated' }] : []),
      { name: 'low watermark', look: 'low' },
      { name: 'high watermark', look: 'high' },
      { name: 'input budget', look: 'budget' },
      { name: 'something happened, see below', look: 'mark' },
      ...(at === 'now' ? [] : [{ name: `step ${at}, shown here`, look: 'shown' }]),
    ]),
    '<p class="quiet">The split into tiers is worked out, never counted.</p>',
    ...(hasBills
      ? [
          svg(BILLED_HEIGHT, billedWords(points), areas(points, BILLED, BILLED_HEIGHT, 1)),
          key(BILLED.toReversed().map(({ name, colour }) => ({ name: `billed ${name}`, colour }))),
        ]
      : ['<p class="quiet">Nobody reported what was billed.</p>']),
  ].join('\n');
}

function tiersSvg(points: readonly TimelinePoint[], at: number | 'now'): string {
  const y = scaleOf(points, [fillOf, ({ budget }) => budget.inputBudget], TIERS_HEIGHT, ROOM);
  const level = (look: string, value: Value) =>
    `<polyline class="${look}" points="${line(points, (point) => y(value(point)))}"/>`;
  const marks = points
    .filter((point) => point.marks.length > 0)
    .map((point) => {
      const words = `Step ${number(point.step)}: ${point.marks.map((mark) => mark.words).join(' · ')}`;
      return `<g>${upright('mark', xOf(points, point.step))}<title>${escapeHtml(words)}</title></g>`;
    });
  const drawn = [
    areas(points, TIERS, TIERS_HEIGHT, ROOM, [({ budget }) => budget.inputBudget]),
    ...guesses(points),
    level('low', ({ budget }) => budget.lowTokens),
    level('high', ({ budget }) => budget.highTokens),
    level('budget', ({ budget }) => budget.inputBudget),
    ...marks,
    ...(at === 'now' ? [] : [upright('shown', xOf(points, at))]),
  ];
  return svg(TIERS_HEIGHT, tiersWords(points), drawn.join('\n'));
}

function tiersWords(points: readonly TimelinePoint[]): string {
  const top = points.reduce<TimelinePoint | undefined>(
    (fullest, point) =>
      fullest === undefined || fillOf(point) > fillOf(fullest) ? point : fullest,
    undefined,
  );
  const say = (point: TimelinePoint | undefined) =>
    point === undefined ? '0' : tokens({ tokens: fillOf(point), exact: point.exact });
  const steps = `from step ${number(points[0]?.step ?? 0)} to ${number(points.at(-1)?.step ?? 0)}`;
  return `Tokens in the window ${steps}: at most ${say(top)}, ${say(points.at(-1))} at the end`;
}

function billedWords(points: readonly TimelinePoint[]): string {
  const all = BILLED[0]?.top ?? fillOf;
  const sum = points.reduce((total, point) => total + all(point), 0);
  const read = points.reduce((total, { billed }) => total + (billed?.cacheRead ?? 0), 0);
  return `Input tokens billed: ${number(sum)} in all, ${number(read)} of them read from the cache`;
}

function areas(
  points: readonly TimelinePoint[],
  each: readonly Area[],
  height: number,
  room: number,
  besides: readonly Value[] = [],
): string {
  const y = scaleOf(points, [...each.map(({ top }) => top), ...besides], height, room);
  return each
    .map(
      ({ colour, top }) =>
        `<polygon fill="${colour}" points="0,${height} ${line(points, (point) => y(top(point)))} ${WIDTH},${height}"/>`,
    )
    .join('\n');
}

/** A dashed foot under the steps whose numbers nobody counted. */
function guesses(points: readonly TimelinePoint[]): readonly string[] {
  const half = points.length < 2 ? WIDTH / 2 : WIDTH / (points.length - 1) / 2;
  return points
    .filter(({ exact }) => !exact)
    .map(({ step }) => {
      const x = xOf(points, step);
      return `<line class="estimated" x1="${short(x - half)}" x2="${short(x + half)}" y1="${TIERS_HEIGHT - 1}" y2="${TIERS_HEIGHT - 1}"/>`;
    });
}

/** One step makes no line: it is drawn as wide as the picture. */
function line(points: readonly TimelinePoint[], y: Value): string {
  const [only] = points;
  if (points.length === 1 && only !== undefined) {
    return `0,${short(y(only))} ${WIDTH},${short(y(only))}`;
  }
  return points.map((point) => `${short(xOf(points, point.step))},${short(y(point))}`).join(' ');
}

function upright(look: string, x: number): string {
  return `<line class="${look}" x1="${short(x)}" x2="${short(x)}" y1="0" y2="${TIERS_HEIGHT}"/>`;
}

function xOf(points: readonly TimelinePoint[], step: number): number {
  const first = points[0]?.step ?? 0;
  const last = points.at(-1)?.step ?? 0;
  return last === first ? WIDTH / 2 : ((step - first) / (last - first)) * WIDTH;
}

function scaleOf(
  points: readonly TimelinePoint[],
  values: readonly Value[],
  height: number,
  room: number,
): (value: number) => number {
  const top = Math.max(1, most(values.map((value) => most(points.map(value))))) * room;
  return (value) => height - (value / top) * height;
}

function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

function short(value: number): number {
  return Number(value.toFixed(2));
}

function svg(height: number, words: string, drawn: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(words)}">
${drawn}
</svg>`;
}

interface KeyItem {
  readonly name: string;
  readonly colour?: string;
  readonly look?: string;
}

function key(items: readonly KeyItem[]): string {
  const swatches = items.map(({ name, colour, look }) => {
    const fill = colour === undefined ? '' : ` style="background:${colour}"`;
    return `<span><span class="swatch${look === undefined ? '' : ` ${look}`}"${fill}></span>${name}</span>`;
  });
  return `<p class="key">${swatches.join(' ')}</p>`;
}
