import type { ContextView } from '../../../src/protocol/contextPanel';

/** Says why no pass can be run by hand now; undefined where one can. */
export function whyNotCompact({ whyReadOnly, busy, turn }: ContextView): string | undefined {
  if (whyReadOnly !== undefined) return whyReadOnly;
  if (turn === 0) return 'There is nothing in the window yet.';
  return busy ? 'The agent is working: wait until it has stopped.' : undefined;
}
