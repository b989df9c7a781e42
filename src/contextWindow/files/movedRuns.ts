import type { KnownLine, KnownRun } from './knownFile';

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

/** A shorter line, such as a brace, is frequent and does not locate others. */
const SHORTEST_DISTINCT = 4;

/**
 * If lines that are known once appear at a different number, moves their run and all later ones by
 * the shift that most of them suggest. If earlier lines of the run are where they were, only the rest
 * of it moves.
 */
export function moved(
  runs: readonly KnownRun[],
  first: number,
  texts: readonly string[],
): readonly KnownRun[] {
  // Most reads show known lines where they were; none of them then suggests a shift.
  if (runs.some((run) => startIn(run, first, texts) !== undefined)) return runs;
  const said = shiftSaid(runs, first, texts);
  if (said === undefined || said.shift === 0) return runs;
  const { shift, begin } = said;
  return inOrder(
    runs
      .flatMap((run) => splitAt(run, said))
      .flatMap((run): KnownRun[] => {
        if (run.first === undefined) return [run];
        if (run.first >= begin) return ahead({ ...run, first: run.first + shift });
        const kept = run.lines.slice(0, Math.max(0, begin + shift - run.first));
        return kept.length === 0 ? [] : [{ first: run.first, lines: kept }];
      }),
  );
}

/** The shift of known lines from a certain run on, with the number of lines that suggest it. */
interface Shift {
  readonly shift: number;
  readonly begin: number;
  readonly times: number;
  /** The number at which the first of these lines was known. */
  readonly from: number;
}

/** Splits the run of which only the end moves. */
function splitAt(run: KnownRun, { begin }: Shift): readonly KnownRun[] {
  const { first, lines } = run;
  if (first === undefined || begin <= first || begin >= first + lines.length) return [run];
  return [
    { first, lines: lines.slice(0, begin - first) },
    { first: begin, lines: lines.slice(begin - first) },
  ];
}

function shiftSaid(
  runs: readonly KnownRun[],
  first: number,
  texts: readonly string[],
): Shift | undefined {
  const known = placesOf(runs);
  const said = new Map<number, Shift>();
  for (const [at, text] of texts.entries()) {
    const place = text.trim().length < SHORTEST_DISTINCT ? undefined : known.get(text);
    if (place === undefined || place === 'often') continue;
    const shift = first + at - place.number;
    const { begin, times, from } = said.get(shift) ?? { ...place, times: 0, from: place.number };
    said.set(shift, { shift, begin, times: times + 1, from });
  }
  const most = [...said.values()].reduce<Shift | undefined>(
    (before, each) => (before === undefined || each.times > before.times ? each : before),
    undefined,
  );
  const unmoved = said.get(0);
  if (most === undefined || unmoved === undefined) return most;
  const isPart = unmoved.begin === most.begin && unmoved.from < most.from;
  return isPart ? { ...most, begin: most.from } : most;
}

/** The index of lines in a run; undefined if the run has other lines there. */
export function startIn(
  { first: begin, lines }: KnownRun,
  first: number | undefined,
  texts: readonly string[],
): number | undefined {
  if ((begin === undefined) !== (first === undefined)) return undefined;
  const start = (first ?? 0) - (begin ?? 0);
  if (start < 0 || start + texts.length > lines.length) return undefined;
  return isSameAt(lines, texts, start, start, start + texts.length) ? start : undefined;
}

/** The number of each line that is known exactly once, and where its run begins. */
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

/** The part of a run from line 1 on. */
function ahead({ first = 1, lines }: KnownRun): KnownRun[] {
  const kept = lines.slice(Math.max(0, 1 - first));
  return kept.length === 0 ? [] : [{ first: Math.max(1, first), lines: kept }];
}

/**
 * The runs that remain known after a text that no run holds was replaced by one with `grows` more
 * lines. Lines of the old text at the ends of runs are forgotten. If later lines moved, only runs
 * from the first line of the file keep their numbers.
 */
export function beforeUnreadEdit(
  runs: readonly KnownRun[],
  wanted: string,
  grows: number,
): readonly KnownRun[] {
  const texts = wanted.split('\n');
  const kept = runs.flatMap((run): KnownRun[] => {
    if (indexOfLines(texts, run.lines) !== undefined) return [];
    const tail = mostShared(run.lines, texts);
    const head = mostShared(run.lines.toReversed(), texts.toReversed(), true);
    const lines = run.lines.slice(head, run.lines.length - tail);
    if (lines.length === 0) return [];
    return [{ first: run.first === undefined ? undefined : run.first + head, lines }];
  });
  return grows === 0 ? kept : withoutNumbers(kept);
}

/**
 * Removes the numbers of runs after lines were added or deleted at unknown places; a run from the
 * first line keeps its numbers.
 */
export function withoutNumbers(runs: readonly KnownRun[]): readonly KnownRun[] {
  const [begins, moved] = [runs.filter(isFirst), runs.filter((run) => !isFirst(run))];
  return [...begins, ...moved.map(({ lines }) => ({ lines }))];
}

function isFirst({ first }: KnownRun): boolean {
  return first === 1;
}

/**
 * The largest number of lines shared by the end of a run and the beginning of the texts, or, reversed,
 * by the beginning of a run and the end of the texts. The outermost text may be part of a line.
 */
function mostShared(
  lines: readonly KnownLine[],
  texts: readonly string[],
  isReversed = false,
): number {
  for (let count = Math.min(lines.length, texts.length); count > 0; count -= 1) {
    const some = texts.slice(0, count);
    // Blank lines alone do not locate anything.
    if (some.every((text) => text.trim() === '')) continue;
    const isShared = some.every((text, index) => {
      const line = lines[lines.length - count + index]?.text ?? '';
      if (index > 0) return line === text;
      return isReversed ? line.startsWith(text) : line.endsWith(text);
    });
    // Texts that begin or end with a line break contain no partial line.
    if (isShared) return texts[0] === '' ? count - 1 : count;
  }
  return 0;
}

/**
 * The rest of an unnumbered run after some of its lines were read with numbers; two runs if those
 * were in its middle.
 */
export function withoutRead({ lines }: KnownRun, texts: readonly string[]): readonly KnownRun[] {
  if (indexOfLines(texts, lines) !== undefined) return [];
  let [begin, end] = [0, 0];
  for (let start = 1 - texts.length; start < lines.length; start += 1) {
    const from = Math.max(0, start);
    const to = Math.min(lines.length, start + texts.length);
    if (to - from > end - begin && isSameAt(lines, texts, start, from, to))
      [begin, end] = [from, to];
  }
  if (end === 0) return [{ lines }];
  return [{ lines: lines.slice(0, begin) }, { lines: lines.slice(end) }].filter(
    (run) => run.lines.length > 0,
  );
}

function isSameAt(
  lines: readonly KnownLine[],
  texts: readonly string[],
  start: number,
  from: number,
  to: number,
): boolean {
  for (let at = from; at < to; at += 1) if (lines[at]?.text !== texts[at - start]) return false;
  return true;
}

/** The index at which the texts contain all of these lines consecutively. */
function indexOfLines(texts: readonly string[], lines: readonly KnownLine[]): number | undefined {
  for (let start = 0; start + lines.length <= texts.length; start += 1)
    if (lines.every(({ text }, index) => text === texts[start + index])) return start;
  return undefined;
}
