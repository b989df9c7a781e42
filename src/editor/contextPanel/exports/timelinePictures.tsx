import { amountText, tokenText } from '../../../contextWindow/amount';
import type { ComponentChildren } from 'preact';
import type { TimelinePoint, TimelineView } from '../timeline/state';
import { fillOf } from './viewRows';

/** Size of the pictures in their own units; the page stretches them. */
const WIDTH = 1_000;
const TIERS_HEIGHT = 120;
const BILLED_HEIGHT = 30;

/** Room above the highest value. */
const ROOM = 1.06;

type Value = (point: TimelinePoint) => number;

/** One area of a picture: its name, its colour and its upper edge, above the areas below it. */
interface Area<Point = TimelinePoint> {
  readonly name: string;
  readonly colour: string;
  readonly top: (point: Point) => number;
}

/** From the top down: each area is drawn over the lower part of the previous one. */
const TIERS: readonly Area[] = [
  { name: 'working', colour: '#4fa3d4', top: fillOf },
  { name: 'archive', colour: '#3f6b8f', top: ({ system, archive }) => system + archive },
  { name: 'system', colour: '#8c7bbd', top: ({ system }) => system },
];

/** Colours of input tokens by what the prompt cache did with them. */
export const BILLED_COLOURS = { fresh: '#c2703d', toCache: '#d9b46a', fromCache: '#5f9e6e' };

const BILLED: readonly Area[] = [
  {
    name: 'fresh',
    colour: BILLED_COLOURS.fresh,
    top: ({ billed }) =>
      (billed?.fresh ?? 0) + (billed?.cacheWrite ?? 0) + (billed?.cacheRead ?? 0),
  },
  {
    name: 'to cache',
    colour: BILLED_COLOURS.toCache,
    top: ({ billed }) => (billed?.cacheWrite ?? 0) + (billed?.cacheRead ?? 0),
  },
  {
    name: 'from cache',
    colour: BILLED_COLOURS.fromCache,
    top: ({ billed }) => billed?.cacheRead ?? 0,
  },
];

interface TimelinePicturesProps {
  /** Has at least one step. */
  readonly points: TimelineView['points'];
  /** The displayed step. */
  readonly at: number | 'now';
}

/** Draws how the window filled, step by step, as pictures within the page. */
export function TimelinePictures({ points, at }: TimelinePicturesProps) {
  return (
    <>
      <TiersPicture points={points} at={at} />
      <Key
        items={[
          ...TIERS.toReversed(),
          ...(points.some(({ exact }) => !exact) ? [{ name: 'estimated', look: 'estimated' }] : []),
          { name: 'low watermark', look: 'low' },
          { name: 'high watermark', look: 'high' },
          { name: 'input budget', look: 'budget' },
          ...(points.some(({ recordedTokens }) => recordedTokens !== undefined)
            ? [{ name: "the recorded agent's requests, as counted", look: 'recorded' }]
            : []),
          { name: 'something happened, see below', look: 'mark' },
          ...(at === 'now' ? [] : [{ name: `step ${at}, shown here`, look: 'shown' }]),
        ]}
      />
      <p class="quiet">The split into tiers is always an estimate.</p>
      {points.some(({ billed }) => billed !== null) ? (
        <>
          <Picture height={BILLED_HEIGHT} words={billedWords(points)}>
            <Areas
              points={points}
              areas={BILLED}
              height={BILLED_HEIGHT}
              y={scaleOf(points, BILLED, BILLED_HEIGHT, 1)}
            />
          </Picture>
          <Key
            items={BILLED.toReversed().map((area) => ({
              ...area,
              name: `${isSimulated(points) ? 'would be billed' : 'billed'} ${area.name}`,
            }))}
          />
          {isSimulated(points) && (
            <p class="quiet">
              Plimsoll’s own requests with a simulated cache; they were never billed.
            </p>
          )}
        </>
      ) : (
        <p class="quiet">The API reported no usage.</p>
      )}
    </>
  );
}

function isSimulated(points: TimelineView['points']): boolean {
  return points.some(({ simulated }) => simulated === true);
}

function TiersPicture({ points, at }: TimelinePicturesProps) {
  const budgetOf: Value = ({ budget }) => budget.inputBudget;
  const recordedOf: Value = ({ recordedTokens = 0 }) => recordedTokens;
  const counted = points.filter(({ recordedTokens }) => recordedTokens !== undefined);
  const tops = [...TIERS, { top: budgetOf }, { top: recordedOf }];
  const y = scaleOf(points, tops, TIERS_HEIGHT, ROOM);
  const levels: readonly (readonly [string, Value])[] = [
    ['low', ({ budget }) => budget.lowTokens],
    ['high', ({ budget }) => budget.highTokens],
    ['budget', budgetOf],
  ];
  return (
    <Picture height={TIERS_HEIGHT} words={tiersWords(points)}>
      <Areas points={points} areas={TIERS} height={TIERS_HEIGHT} y={y} />
      <Guesses points={points} />
      {levels.map(([look, value]) => (
        <polyline class={look} points={line(points, (point) => y(value(point)))} />
      ))}
      {counted.length > 1 && (
        <polyline
          class="recorded"
          points={counted
            .map((point) => `${short(xOf(points, point.step))},${short(y(recordedOf(point)))}`)
            .join(' ')}
        />
      )}
      {points
        .filter(({ marks }) => marks.length > 0)
        .map(({ step, marks }) => (
          <g>
            <Upright look="mark" x={xOf(points, step)} />
            <title>{`Step ${tokenText(step)}: ${marks.map(({ words }) => words).join(' · ')}`}</title>
          </g>
        ))}
      {at !== 'now' && <Upright look="shown" x={xOf(points, at)} />}
    </Picture>
  );
}

function tiersWords(points: readonly TimelinePoint[]): string {
  const top = points.reduce<TimelinePoint | undefined>(
    (fullest, point) =>
      fullest === undefined || fillOf(point) > fillOf(fullest) ? point : fullest,
    undefined,
  );
  const say = (point: TimelinePoint | undefined) =>
    point === undefined ? '0' : amountText({ tokens: fillOf(point), exact: point.exact });
  const steps = `from step ${tokenText(points[0]?.step ?? 0)} to ${tokenText(points.at(-1)?.step ?? 0)}`;
  return `Tokens in the window ${steps}: at most ${say(top)}, ${say(points.at(-1))} at the end`;
}

function billedWords(points: readonly TimelinePoint[]): string {
  const all = BILLED[0]?.top ?? fillOf;
  const sum = points.reduce((total, point) => total + all(point), 0);
  const read = points.reduce((total, { billed }) => total + (billed?.cacheRead ?? 0), 0);
  const what = isSimulated(points)
    ? 'Input tokens that Plimsoll would have been billed for'
    : 'Input tokens billed';
  return `${what}: ${tokenText(sum)} in all, ${tokenText(read)} of them read from the cache`;
}

/** A point of a picture; its step is its place. */
interface Placed {
  readonly step: number;
}

interface AreasProps<Point extends Placed> {
  readonly points: readonly Point[];
  readonly areas: readonly Area<Point>[];
  readonly height: number;
  /** The height of a number of tokens. */
  readonly y: (tokens: number) => number;
}

/** Draws areas on top of each other. */
export function Areas<Point extends Placed>({ points, areas, height, y }: AreasProps<Point>) {
  return (
    <>
      {areas.map(({ colour, top }) => (
        <polygon
          fill={colour}
          points={`0,${height} ${line(points, (point) => y(top(point)))} ${WIDTH},${height}`}
        />
      ))}
    </>
  );
}

/** A dashed line below the steps whose numbers are estimates. */
function Guesses({ points }: Pick<TimelinePicturesProps, 'points'>) {
  const half = points.length < 2 ? WIDTH / 2 : WIDTH / (points.length - 1) / 2;
  const foot = TIERS_HEIGHT - 1;
  return (
    <>
      {points
        .filter(({ exact }) => !exact)
        .map(({ step }) => {
          const x = xOf(points, step);
          return (
            <line class="estimated" x1={short(x - half)} x2={short(x + half)} y1={foot} y2={foot} />
          );
        })}
    </>
  );
}

/** One point makes no line, so it is drawn across the whole picture. */
function line<Point extends Placed>(points: readonly Point[], y: (point: Point) => number): string {
  const [only] = points;
  if (points.length === 1 && only !== undefined) {
    return `0,${short(y(only))} ${WIDTH},${short(y(only))}`;
  }
  return points.map((point) => `${short(xOf(points, point.step))},${short(y(point))}`).join(' ');
}

function Upright({ look, x }: { readonly look: string; readonly x: number }) {
  return <line class={look} x1={short(x)} x2={short(x)} y1={0} y2={TIERS_HEIGHT} />;
}

function xOf(points: readonly Placed[], step: number): number {
  const first = points[0]?.step ?? 0;
  const last = points.at(-1)?.step ?? 0;
  return last === first ? WIDTH / 2 : ((step - first) / (last - first)) * WIDTH;
}

function scaleOf(
  points: readonly TimelinePoint[],
  values: readonly { readonly top: Value }[],
  height: number,
  room: number,
): (tokens: number) => number {
  const top = Math.max(1, most(values.map((value) => most(points.map(value.top))))) * room;
  return (value) => height - (value / top) * height;
}

function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

function short(value: number): number {
  return Number(value.toFixed(2));
}

interface PictureProps {
  readonly height: number;
  /** Describes the picture for screen readers. */
  readonly words: string;
  readonly children: ComponentChildren;
}

/** A picture of its own height; the page stretches its width. */
export function Picture({ height, words, children }: PictureProps) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      {children}
    </svg>
  );
}

interface KeyItem {
  readonly name: string;
  readonly colour?: string;
  readonly look?: string;
}

/** Names the colours and lines of a picture. */
export function Key({ items }: { readonly items: readonly KeyItem[] }) {
  return (
    <p class="key">
      {items.map(({ name, colour, look }) => (
        <span>
          <span
            class={look === undefined ? 'swatch' : `swatch ${look}`}
            style={colour === undefined ? {} : { background: colour }}
          />
          {name}
        </span>
      ))}
    </p>
  );
}
