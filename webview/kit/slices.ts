/** Some units of a long text that are drawn together. */
export interface Slice {
  /** Index of its first unit, and of the first behind it. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Most units of the first slice, and of each further one. */
const UNITS = { first: 50, further: 250 };
/** Most characters of a slice, unless one unit alone has more. */
const CHARS = 16_000;

/**
 * Takes the first `count` slices of a long text. A slice that is full stays the same while units are
 * added behind it.
 */
export function slicesOf(
  settled: readonly string[],
  unsettled: readonly string[],
  count: number,
): readonly Slice[] {
  const slices: Slice[] = [];
  const unit = (at: number) => settled[at] ?? unsettled[at - settled.length];
  for (let start = 0; slices.length < count && unit(start) !== undefined;) {
    const most = slices.length === 0 ? UNITS.first : UNITS.further;
    let text = unit(start) ?? '';
    let end = start + 1;
    for (let next = unit(end); next !== undefined && end - start < most; next = unit(end)) {
      if (text.length + next.length > CHARS) break;
      text += next;
      end += 1;
    }
    slices.push({ start, end, text });
    start = end;
  }
  return slices;
}
