/**
 * Where a sequence of characters or lines occurs in another, overlapping occurrences too, the first
 * `most` of them (Knuth, Morris and Pratt). It takes as long as both are together: trying every place
 * anew takes hours for the thousand equal lines that a model may send.
 */
export function occurrences<T extends string | readonly string[]>(
  whole: T,
  sought: T,
  most: number,
): readonly number[] {
  if (sought.length === 0) return [];
  const backs = backsOf(sought);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < whole.length && found.length < most; at += 1) {
    while (matched > 0 && whole[at] !== sought[matched]) matched = backs[matched - 1] ?? 0;
    if (whole[at] === sought[matched]) matched += 1;
    if (matched === sought.length) {
      found.push(at - matched + 1);
      matched = backs[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each beginning of a sequence, how much of its end is again a beginning. */
function backsOf(sought: string | readonly string[]): Uint32Array {
  const backs = new Uint32Array(sought.length);
  let matched = 0;
  for (let at = 1; at < sought.length; at += 1) {
    while (matched > 0 && sought[at] !== sought[matched]) matched = backs[matched - 1] ?? 0;
    if (sought[at] === sought[matched]) matched += 1;
    backs[at] = matched;
  }
  return backs;
}
