import { createHash } from 'node:crypto';

/** Names the version of a memory file. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
