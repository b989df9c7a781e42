import type { FileResult } from '../agent/workspace';
import { hitHeading } from '../contextWindow/recallHit';
import { excerpt } from './excerpt';
import type { LineMatch, LineSearch } from './lineSearch';
import type { Recallable } from './recallable';

/** Most matching lines one search answers, and the lines shown on either side of each. */
const MOST_MATCHES = 50;
const AROUND = 2;

/** Searches texts and answers the matching lines with their surroundings, grouped by handle. */
export function searchRecallable(
  texts: readonly Recallable[],
  pattern: string,
  search: LineSearch,
): FileResult<{ readonly text: string }> {
  const places = texts.map((text) => ({ ...text, lines: text.text.split('\n') }));
  // All at once, so that the time a pattern may take is that of one search however many texts.
  const matches = search.matchesIn(places.flatMap(({ lines }) => lines));
  if (matches === 'tooSlow') {
    return { ok: false, message: 'The pattern takes too long; use a simpler one, or a literal.' };
  }
  const quoted = JSON.stringify(pattern);
  if (matches.length === 0) {
    const where = texts.map(({ handle }) => handle).join(', ');
    return { ok: true, text: `No matches for ${quoted} in ${where}.` };
  }
  const shown = matches.slice(0, MOST_MATCHES);
  const more = matches.length > shown.length ? `; the first ${shown.length} are shown` : '';
  const lines = matches.length === 1 ? '1 line matches' : `${matches.length} lines match`;
  const found: string[] = [];
  let before = 0;
  for (const place of places) {
    const own = shown
      .map((match) => ({ ...match, line: match.line - before }))
      .filter(({ line }) => line >= 1 && line <= place.lines.length);
    before += place.lines.length;
    if (own.length > 0) found.push(drawPlace(place, own));
  }
  return { ok: true, text: [`${lines} ${quoted}${more}.`, ...found].join('\n\n') };
}

type Place = Recallable & { readonly lines: readonly string[] };

/** As grep does: `12:` before a matching line, `12-` before one around it, `--` over a gap. */
function drawPlace({ handle, label, lines }: Place, matches: readonly LineMatch[]): string {
  const matchOn = new Map(matches.map((match) => [match.line, match]));
  const wanted = new Set<number>();
  for (const { line } of matches) {
    for (let near = line - AROUND; near <= line + AROUND; near++) {
      if (near >= 1 && near <= lines.length) wanted.add(near);
    }
  }
  const drawn: string[] = [];
  let last = 0;
  for (const line of [...wanted].toSorted((a, b) => a - b)) {
    if (last > 0 && line > last + 1) drawn.push('--');
    const match = matchOn.get(line);
    const text = excerpt((lines[line - 1] ?? '').replace(/\r$/, ''), match?.at ?? 0);
    drawn.push(`${line}${match === undefined ? '-' : ':'}${text}`);
    last = line;
  }
  const line = matches[0]?.line ?? 1;
  const offset = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  return [hitHeading({ handle, label, line, offset }), ...drawn].join('\n');
}
