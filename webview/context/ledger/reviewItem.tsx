import type { VNode } from 'preact';
import type { DecisionView } from '../../../src/protocol/contextPanel';
import type { SendWish } from '../panelStore';
import { DecisionFacts } from './decisionRows';
import { plannedWords } from './passWords';

export interface ReviewItemProps {
  readonly decision: DecisionView;
  readonly spared: boolean;
  readonly onSpare: (blockId: string, isSpared: boolean) => void;
  readonly wish: SendWish;
}

/** Draws what a pass would do to one block, and asks whether to leave that block alone. */
export function ReviewItem({ decision, spared, onSpare, wish }: ReviewItemProps): VNode {
  const { blockId, label, action } = decision;
  return (
    <li
      class={spared ? 'decision spared' : 'decision'}
      data-testid="review-item"
      data-block-id={blockId}
      data-action={action}
    >
      <DecisionFacts decision={decision} words={plannedWords} wish={wish} />
      <label class="spare small">
        <input
          type="checkbox"
          checked={spared}
          aria-label={`Leave it: ${label}`}
          onChange={(event) => onSpare(blockId, event.currentTarget.checked)}
          data-testid="spare"
        />
        leave it
      </label>
    </li>
  );
}
