import type { Block } from '../block';
import type { KnownLine } from './knownFile';

/** Says of lines whether one of these blocks shows them, each as it is sent. */
export function visibleLines(blocks: readonly Block[]): (line: KnownLine) => boolean {
  const calls = new Set<string>();
  const results = new Set<string>();
  const views = new Set<string>();
  for (const block of blocks) {
    if (block.kind === 'excerpts') views.add(block.id);
    if (block.kind !== 'step') continue;
    for (const { use, cleared } of block.pairs) {
      calls.add(use.id);
      if (!cleared) results.add(use.id);
    }
  }
  const showing = { call: calls, result: results, view: views };
  return ({ seen }) => seen.in !== 'cut' && seen.in !== 'unseen' && showing[seen.in].has(seen.use);
}
