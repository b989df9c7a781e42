/** The part of the old text (offsets in characters) to replace, and the replacement. */
export interface ChangedRange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * Finds the smallest single replacement that turns one text into the other, so that an edit leaves
 * cursors, folds and undo steps elsewhere alone. It never cuts a line break or a character in two.
 */
export function changedRange(before: string, after: string): ChangedRange {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  while (head > 0 && (isInside(before, head) || isInside(after, head))) head--;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const isCut = () =>
    isInside(before, before.length - tail) || isInside(after, after.length - tail);
  while (tail > 0 && isCut()) tail--;
  return {
    start: head,
    end: before.length - tail,
    replacement: after.slice(head, after.length - tail),
  };
}

/** Says whether an offset lies between CR and LF or in the middle of a surrogate pair. */
function isInside(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  return text[offset] === '\n' && text[offset - 1] === '\r';
}
