import { promptTokens } from '../../../src/contextWindow/account/spending';
import { textsOfEntry } from '../../../src/replay/recording';
import { readTranscript } from './plimsollPass';

/** A session that grew by fewer tokens says little. */
const LEAST_GROWTH = 10_000;

/**
 * How many tokens the recorded API counted for what a session added to its requests until its agent
 * compacted, in units of characters / 4; undefined for a session without counts, or a small one.
 * System prompt and tools, which the file lacks, are in every count and in no growth.
 */
export function distanceOf(file: string): number | undefined {
  let chars = 0;
  let first: { readonly chars: number; readonly tokens: number } | undefined;
  let last = first;
  for (const entry of readTranscript(file).entries) {
    if (entry.type === 'compacted') break;
    const tokens =
      entry.type === 'reply' && entry.usage !== undefined ? promptTokens(entry.usage) : 0;
    if (tokens > 0) {
      last = { chars, tokens };
      first ??= last;
    }
    for (const text of textsOfEntry(entry)) chars += text.length;
  }
  if (first === undefined || last === undefined) return undefined;
  const grown = last.tokens - first.tokens;
  return grown < LEAST_GROWTH ? undefined : grown / ((last.chars - first.chars) / 4);
}
