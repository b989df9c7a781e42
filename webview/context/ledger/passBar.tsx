import type { VNode } from 'preact';
import type { PassView } from '../../../src/protocol/contextPanel';
import { share } from '../../ui/tokens';

export type PassBarProps = Pick<PassView, 'before' | 'after' | 'target' | 'inputBudget'>;

/** Draws how far down a pass takes the window, and where it is to go; the words beside say it too. */
export function PassBar({ before, after, target, inputBudget }: PassBarProps): VNode {
  const scale = Math.max(inputBudget, before.tokens, after.tokens);
  const width = (tokens: number): string => `${share(tokens, scale) * 100}%`;
  return (
    <div class="drop" aria-hidden="true">
      <span class="before" style={{ width: width(before.tokens) }} />
      <span class="after" style={{ width: width(after.tokens) }} />
      <span class="target" style={{ left: width(target) }} />
    </div>
  );
}
