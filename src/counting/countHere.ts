import { loadRawTokens } from './rawTokens';

/** Characters counted before the event loop gets a turn. */
const CHARACTERS_AT_ONCE = 100_000;

/** Counts in the thread it is called in, loading the tokenizer on first use; the worker's own work. */
export async function countHere(texts: readonly string[]): Promise<readonly number[]> {
  const rawTokens = await loadRawTokens();
  const counts: number[] = [];
  let characters = 0;
  for (const text of texts) {
    counts.push(rawTokens(text));
    characters += text.length;
    if (characters >= CHARACTERS_AT_ONCE) {
      characters = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return counts;
}
