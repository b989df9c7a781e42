import type { ShownLines } from '../block';
import type { Estimate } from '../truncate';
import type { Region, RegionScore } from './regions';

/** Lines that are shown, with the best score of the regions they are made of. */
export type ScoredLines = ShownLines & RegionScore;

/** A region with what `regionTokens` says of it. */
export interface WeighedRegion {
  readonly region: Region;
  readonly tokens: number;
}

/**
 * Takes regions, the best first as `byWish` sorts them, as many as fit; `room` and `estimate` are in
 * tokens.
 */
export function bestRegions(
  regions: Iterable<Region>,
  room: number,
  estimate: Estimate,
): readonly WeighedRegion[] {
  const chosen: WeighedRegion[] = [];
  let left = room;
  const around = estimate('\n');
  for (const region of regions) {
    const tokens = tokensOf(region, estimate, around);
    left -= tokens;
    if (left < 0) break;
    chosen.push({ region, tokens });
  }
  return chosen;
}

/** Those that the user wants shown come first, then the best ones. */
export function byWish(a: Region, b: Region): number {
  return Number(b.why.chosen ?? false) - Number(a.why.chosen ?? false) || b.score - a.score;
}

/**
 * Estimated tokens of a region among others: without what is added around each text, which is there
 * once for all of them.
 */
export function regionTokens(region: Region, estimate: Estimate): number {
  return tokensOf(region, estimate, estimate('\n'));
}

/** `around`: the tokens that are added around each text. */
function tokensOf(region: Region, estimate: Estimate, around: number): number {
  return Math.max(1, estimate(regionText(region)) - around);
}

/** A cache, since a run is cut into the same pieces each time, and each plan weighs them. */
const TEXTS = new WeakMap<Region['lines'], string>();

/** The lines of a region as they are weighed. */
export function regionText({ lines }: Pick<Region, 'lines'>): string {
  const known = TEXTS.get(lines);
  if (known !== undefined) return known;
  const text = `${textOf(lines)}\n`;
  TEXTS.set(lines, text);
  return text;
}

function textOf(lines: Region['lines']): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Joins regions that follow one another in a file; by path, then as they stand in it. */
export function joinedRegions(regions: readonly Region[]): readonly ScoredLines[] {
  return groupsOf(regions).map(linesOf);
}

/** The headings of what `joinedRegions` gives: the same without their texts. */
export function headingsOf(regions: readonly Region[]): readonly ShownLines[] {
  return groupsOf(regions).map(([one]) => ({ path: one.path, ...firstOf(one), text: '' }));
}

/** Regions that follow one another, at least one. */
type Group = readonly [Region, ...Region[]];

function groupsOf(regions: readonly Region[]): readonly Group[] {
  const sorted = regions.toSorted(
    (a, b) => comparePaths(a.path, b.path) || a.run - b.run || a.start - b.start,
  );
  const groups: [Region, ...Region[]][] = [];
  for (const region of sorted) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && follows(last, region)) group.push(region);
    else groups.push([region]);
  }
  return groups;
}

function follows(one: Region, next: Region): boolean {
  const isSameRun = one.path === next.path && one.run === next.run;
  const isSameWish = one.why.chosen === next.why.chosen;
  return isSameRun && isSameWish && one.start + one.lines.length === next.start;
}

function firstOf({ first }: Region): Pick<ShownLines, 'first'> {
  return first === undefined ? {} : { first };
}

function linesOf(group: Group): ScoredLines {
  const [first] = group;
  const best = group.reduce((most, each) => (each.score > most.score ? each : most), first);
  return {
    path: first.path,
    ...firstOf(first),
    text: group.map(({ lines }) => textOf(lines)).join('\n'),
    why: best.why,
    score: best.score,
    touch: best.touch,
    near: best.near,
    seen: best.seen,
  };
}

function comparePaths(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
