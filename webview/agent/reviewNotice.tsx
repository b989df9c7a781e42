import type { VNode } from 'preact';
import { Mark } from '../ui/mark';
import { Button } from '../ui/toolkit';
import { useAgent } from './agentContext';

/** Says that a pass waits for the user's word, and leads to where it is given. */
export function ReviewNotice(): VNode {
  const store = useAgent();
  return (
    <div class="banner" data-testid="review-notice">
      <Mark size={16} />
      <p>A pass waits for your word: see what would leave the window.</p>
      <Button
        appearance="primary"
        data-testid="review-open"
        onClick={() => store.wish({ type: 'openContextPanel' })}
      >
        Show
      </Button>
    </div>
  );
}
