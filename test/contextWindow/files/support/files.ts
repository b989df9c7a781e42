import type { BlockId } from '../../../../src/contextWindow/block';
import type { KnownFile, Sighting } from '../../../../src/contextWindow/files/knownFile';

/** A result like that of a file-reading tool; `first` is the number of the first line. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((text, index) => `${first + index}→${text}`).join('\n');
}

/** A sighting of lines in the result of a step's call. */
export function seenAt(step: number): Sighting {
  return { step, use: `call-${step}` as BlockId, in: 'result' };
}

/** The known lines, without the sightings. */
export function textsOf({ runs }: KnownFile): readonly object[] {
  return runs.map(({ first, lines }) => ({
    ...(first === undefined ? {} : { first }),
    lines: lines.map(({ text }) => text),
  }));
}
