import { identifiersIn } from '../../contextWindow/passes/rungs/identifiers';
import { numbersIn, wordsIn } from '../measures/soughtTexts';

/** Stands for what is asked. */
export const GAP = '____';

const SHORTEST_NUMBER = 3;

/** What is left of a line around the gap must say where it is from; characters of words. */
const LEAST_AROUND = 12;

/** The names in code and the numbers of three characters or more that a text says, in order. */
export function valuesIn(text: string): readonly string[] {
  const words = wordsIn(text);
  const names = identifiersIn(text).filter((name) => words.has(name) && !name.includes('/'));
  const numbers = [...numbersIn(text)].filter((number) => number.length >= SHORTEST_NUMBER);
  return [...new Set([...names, ...numbers])];
}

/**
 * A line with a gap wherever it says a value; undefined where the rest says too little, still gives
 * the value away, or could as well be another of the lines.
 */
export function clozeOf(
  line: string,
  value: string,
  lines: ReadonlySet<string>,
): string | undefined {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const parts = line.split(new RegExp(`(?<![\\w])${escaped}(?![\\w])`, 'g'));
  const [before, after] = [parts[0] ?? '', parts.at(-1) ?? ''];
  if (parts.length === 1) return undefined;
  if (parts.join(' ').replaceAll(/\W/g, '').length < LEAST_AROUND) return undefined;
  if (parts.join(GAP).toLowerCase().includes(value.toLowerCase())) return undefined;
  for (const other of lines) {
    if (other !== line && other.startsWith(before) && other.endsWith(after)) return undefined;
  }
  return parts.join(GAP);
}
