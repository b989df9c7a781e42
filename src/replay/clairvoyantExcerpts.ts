import type { KnownRun } from '../contextWindow/files/knownFile';
import { byWish, type Region, regionsOf, regionTokens } from '../contextWindow/files/regions';
import { takeable, weightIn, type Draft, type Rung } from '../contextWindow/passes/rungs/draft';
import { evictOldest } from '../contextWindow/passes/rungs/evict';
import { climb } from '../contextWindow/passes/rungs/planOf';
import type { Policy } from '../contextWindow/passes/rungs/policyInput';
import {
  clearHeld,
  evictFormerView,
  showRegions,
} from '../contextWindow/passes/rungs/showExcerpts';
import type { Transcript } from '../sessions/transcript';
import { isStillNeeded, keepNeeded, needsOf, worthNow, type FutureNeed } from './clairvoyant';

/**
 * Knows what the rest of the recording will need, shows the lines of files that it will edit, and keeps
 * what else is needed. Closer to what can be had than `clairvoyant`, since it brings back what had left;
 * it is no bound, since it plans each pass for itself. `now` is the index of the entry that the next
 * request is for.
 */
export function clairvoyantExcerpts(transcript: Transcript, now: () => number): Policy {
  const needs = needsOf(transcript);
  return (input) => climb(input, 'clairvoyantExcerpts', [showNeeded(needs, now)]);
}

function showNeeded(all: readonly FutureNeed[], now: () => number): Rung {
  return (draft) => {
    if (draft.used <= draft.target) return draft;
    const needs = all.filter((need) => isStillNeeded(need, now()));
    const regions = regionsNeeded(draft, needs, now());
    const isHeld = ({ text, of }: FutureNeed) => of !== undefined && holders(draft, of, text) > 0;
    const others = needs.filter((need) => !isHeld(need));
    const without = evictFormerView(draft);
    const below = { ...without, target: without.target - reserveFor(without, regions) };
    const made = evictOldest(keepNeeded(others, now)(clearHeld(below)));
    return showRegions({ ...made, target: draft.target }, regions.toSorted(byWish), draft.target);
  };
}

/** What the regions take, as far as there can be room for them; tokens. */
function reserveFor(draft: Draft, regions: readonly Region[]): number {
  const free = takeable(draft).reduce((sum, { id }) => sum + weightIn(draft, id), 0);
  const room = Math.max(0, draft.target - (draft.used - free));
  const { estimate } = draft.input;
  return Math.min(
    room,
    regions.reduce((sum, region) => sum + regionTokens(region, estimate), 0),
  );
}

/** The regions that hold what will be edited, worth more the sooner that is. */
function regionsNeeded(
  { input: { window } }: Draft,
  needs: readonly FutureNeed[],
  from: number,
): readonly Region[] {
  const paths = new Set(needs.flatMap(({ of }) => of ?? []));
  return [...paths].flatMap((path) => {
    const file = window.files.get(path);
    if (file === undefined) return [];
    const wanted = needs.filter(({ of }) => of === path);
    const placesOf = file.runs.map((run) =>
      wanted.flatMap((need) => {
        const place = placeIn(run, need.text);
        return place === undefined ? [] : [{ ...place, worth: worthNow(need, from) }];
      }),
    );
    return regionsOf(file, window.step, false, window.fileChoices).flatMap((region) => {
      const end = region.start + region.lines.length;
      const worths = (placesOf[region.run] ?? [])
        .filter(({ first, last }) => first < end && last >= region.start)
        .map(({ worth }) => worth);
      return worths.length === 0 ? [] : [{ ...region, score: Math.max(...worths) }];
    });
  });
}

function holders({ input: { window } }: Draft, path: string, text: string): number {
  const runs = window.files.get(path)?.runs ?? [];
  return runs.filter((run) => placeIn(run, text) !== undefined).length;
}

/** The lines of a run that hold a text, counted from 0. */
function placeIn(
  { lines }: KnownRun,
  text: string,
): { readonly first: number; readonly last: number } | undefined {
  const all = lines.map((line) => `${line.text}\n`).join('');
  const start = all.indexOf(text);
  if (start === -1) return undefined;
  const first = all.slice(0, start).split('\n').length - 1;
  return { first, last: first + text.trimEnd().split('\n').length - 1 };
}
