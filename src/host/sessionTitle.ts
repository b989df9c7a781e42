import type { ContextWindow } from '../contextWindow/contextWindow';

/** Longest title in characters. */
const LONGEST = 60;

/** Names a session after its first prompt. */
export function sessionTitle(window: ContextWindow): string {
  const first = window.blocks.find((block) => block.kind === 'anchor');
  if (first?.kind !== 'anchor') return 'New session';
  const line = first.text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
