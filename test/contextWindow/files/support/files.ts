import type { BlockId } from '../../../../src/contextWindow/block';
import type { KnownFile, Sighting } from '../../../../src/contextWindow/files/knownFile';

/** A result that shows lines as a tool for reading files does; `first` is the number of the first one. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((text, index) => `${first + index}→${text}`).join('\n');
}

/** A look at lines in the result of the call of a step. */
export function seenAt(step: number): Sighting {
  return { step, use: `call-${step}` as BlockId, in: 'result' };
}

/** What is known, without who saw it. */
export function textsOf({ runs }: KnownFile): readonly object[] {
  return runs.map(({ first, lines }) => ({
    ...(first === undefined ? {} : { first }),
    lines: lines.map(({ text }) => text),
  }));
}
