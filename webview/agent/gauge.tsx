import type { VNode } from 'preact';
import type { Conversation } from '../../src/protocol/agentView';
import { formatNumber, formatShare, formatTokens, originOfTokens, share } from '../ui/tokens';
import { useAgent } from './agentContext';

/** Shows how full the window is, and opens the Context panel. */
export function Gauge({ gauge }: { readonly gauge: Conversation['gauge'] }): VNode {
  const store = useAgent();
  const { usedTokens, exact, inputBudget } = gauge;
  const isOver = usedTokens > inputBudget;
  const words = `${formatTokens({ tokens: usedTokens, exact })} of ${formatNumber(inputBudget)} tokens`;
  const title =
    `Context window: ${words} (${formatShare(usedTokens, inputBudget)}), ` +
    `${originOfTokens(exact)}. Open the Context panel`;
  return (
    <button
      type="button"
      class="gauge plain number"
      data-testid="gauge"
      data-exact={exact}
      data-over={isOver}
      aria-label={title}
      title={title}
      onClick={() => store.wish({ type: 'openContextPanel' })}
    >
      <span>
        {formatTokens({ tokens: usedTokens, exact })}
        <span class="quiet"> / {formatNumber(inputBudget)}</span>
      </span>
      <span class="gauge-track">
        <span class="gauge-fill" style={{ width: `${share(usedTokens, inputBudget) * 100}%` }} />
      </span>
    </button>
  );
}
