import type { TranscriptEntry } from '../sessions/transcript';

/**
 * Says whether nothing asked for a reply: it follows one without calls, the prompt between them is
 * missing. Plimsoll would have sent no request there, and the API takes none that ends with a reply.
 */
export function isUnasked(entries: readonly TranscriptEntry[], index: number): boolean {
  if (entries[index]?.type !== 'reply') return false;
  const before = entries.slice(0, index).findLast(({ type }) => type !== 'compacted');
  return before?.type === 'reply' && before.results.length === 0;
}

/** Counts the replies nothing asked for. */
export function countUnasked(entries: readonly TranscriptEntry[]): number {
  return entries.filter((_, index) => isUnasked(entries, index)).length;
}
