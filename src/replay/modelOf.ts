import type { Transcript } from '../sessions/transcript';

/** The model most replies of a recording come from; undefined where it names none. */
export function modelOf({ entries }: Transcript): string | undefined {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type !== 'reply' || entry.model === '') continue;
    counts.set(entry.model, (counts.get(entry.model) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0];
}
