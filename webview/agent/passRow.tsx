import type { VNode } from 'preact';
import type { TurnItem } from '../../src/protocol/agentView';
import { Mark } from '../ui/mark';
import { formatTokens } from '../ui/tokens';
import { useAgent } from './agentContext';
import { triggerWords } from './triggerWords';

export type PassItem = Extract<TurnItem, { readonly type: 'pass' }>;

/** Says that the window was made smaller here, and by how much. */
export function PassRow({ pass }: { readonly pass: PassItem }): VNode {
  const store = useAgent();
  const { number, trigger, beforeTokens, afterTokens, exact, undone } = pass;
  return (
    <div class="pass small" data-testid="pass-row" data-pass={number}>
      <Mark size={14} />
      <span class="parts">
        <span>Pass {number}</span>
        <span>{triggerWords(trigger)}</span>
        <span>
          {formatTokens({ tokens: beforeTokens, exact })} →{' '}
          {formatTokens({ tokens: afterTokens, exact })} tokens
        </span>
        {undone === true && <span>undone</span>}
      </span>
      <button
        type="button"
        class="plain link"
        data-testid="pass-open"
        aria-label={`Show pass ${number} in the Context panel`}
        onClick={() => store.wish({ type: 'openContextPanel' })}
      >
        Show
      </button>
    </div>
  );
}
