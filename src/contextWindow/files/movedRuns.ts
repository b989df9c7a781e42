import type { KnownRun } from '../fileFacts';

/** Sorts runs by number and joins those that touch. */
export function inOrder(runs: readonly KnownRun[]): readonly KnownRun[] {
  const placed = runs
    .filter((run): run is Required<KnownRun> => run.first !== undefined)
    .toSorted((a, b) => a.first - b.first);
  const joined: Required<KnownRun>[] = [];
  for (const run of placed) {
    const before = joined.at(-1);
    if (before === undefined || before.first + before.lines.length !== run.first) joined.push(run);
    else
      joined[joined.length - 1] = { first: before.first, lines: [...before.lines, ...run.lines] };
  }
  return [...joined, ...runs.filter(({ first }) => first === undefined)];
}

/** A shorter line, such as a brace, is often in a file, and tells nothing of where others stand. */
const SHORTEST_TELLING = 4;

/**
 * Where lines that are known once stand at another number than was thought, moves their run, and those
 * behind it, by as many lines as most of them say.
 */
export function moved(
  runs: readonly KnownRun[],
  first: number,
  texts: readonly string[],
): readonly KnownRun[] {
  const said = shiftSaid(runs, first, texts);
  if (said === undefined || said.shift === 0) return runs;
  const { shift, begin } = said;
  return inOrder(
    runs.flatMap((run): KnownRun[] => {
      if (run.first === undefined) return [run];
      if (run.first >= begin) return ahead({ ...run, first: run.first + shift });
      const kept = run.lines.slice(0, Math.max(0, begin + shift - run.first));
      return kept.length === 0 ? [] : [{ first: run.first, lines: kept }];
    }),
  );
}

/** By how many lines what is known has moved from the run on that begins at a number; the most said. */
interface Shift {
  readonly shift: number;
  readonly begin: number;
  readonly times: number;
}

function shiftSaid(
  runs: readonly KnownRun[],
  first: number,
  texts: readonly string[],
): Shift | undefined {
  const known = placesOf(runs);
  const said = new Map<number, Shift>();
  for (const [at, text] of texts.entries()) {
    const place = text.trim().length < SHORTEST_TELLING ? undefined : known.get(text);
    if (place === undefined || place === 'often') continue;
    const shift = first + at - place.number;
    const { begin, times } = said.get(shift) ?? { begin: place.begin, times: 0 };
    said.set(shift, { shift, begin, times: times + 1 });
  }
  return [...said.values()].reduce<Shift | undefined>(
    (most, each) => (most === undefined || each.times > most.times ? each : most),
    undefined,
  );
}

/** The number of each line that is known once, and where its run begins. */
function placesOf(
  runs: readonly KnownRun[],
): ReadonlyMap<string, { readonly number: number; readonly begin: number } | 'often'> {
  const found = new Map<string, { readonly number: number; readonly begin: number } | 'often'>();
  for (const { first: begin, lines } of runs) {
    if (begin === undefined) continue;
    for (const [index, { text }] of lines.entries())
      found.set(text, found.has(text) ? 'often' : { number: begin + index, begin });
  }
  return found;
}

/** What of a run stands at line 1 or behind it. */
function ahead({ first = 1, lines }: KnownRun): KnownRun[] {
  const kept = lines.slice(Math.max(0, 1 - first));
  return kept.length === 0 ? [] : [{ first: Math.max(1, first), lines: kept }];
}
