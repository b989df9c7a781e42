import type { VNode } from 'preact';
import type { Problem } from '../../src/protocol/agentView';
import { Icon } from '../ui/icon';
import { Button } from '../ui/toolkit';
import { useAgent } from './agentContext';

/** Says what stands in the way, with the button that helps. */
export function ProblemBanner({ problem }: { readonly problem: Problem }): VNode {
  const store = useAgent();
  const { message, action } = problem;
  return (
    <div class="banner" role="alert" data-testid="problem">
      <Icon name="warning" />
      <p>{message}</p>
      {action && (
        <Button data-testid="problem-action" onClick={() => store.wish(action.wish)}>
          {action.label}
        </Button>
      )}
    </div>
  );
}
