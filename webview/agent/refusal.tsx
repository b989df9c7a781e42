import type { VNode } from 'preact';
import { Icon } from '../ui/icon';
import { useAgent } from './agentContext';

/** Says why the host refused the last wish, until it is put away or another is made. */
export function Refusal(): VNode | null {
  const { refusal } = useAgent();
  if (refusal.value === undefined) return null;
  return (
    <div class="banner" role="alert" data-testid="refusal">
      <Icon name="warning" />
      <p>{refusal.value}</p>
      <button
        type="button"
        class="plain quiet"
        aria-label="Dismiss"
        title="Dismiss"
        onClick={() => (refusal.value = undefined)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}
