import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { DecisionView } from '../../src/protocol/contextPanel';
import { formatTokens } from '../ui/tokens';
import { formatCount } from './formatCount';
import type { SendWish } from './panelStore';
import { actionWords } from './passWords';

export interface DecisionListProps {
  readonly decisions: readonly DecisionView[];
  readonly wish: SendWish;
}

/** Unfolds every decision of a pass, kept blocks included; a click opens the block's text. */
export function DecisionList({ decisions, wish }: DecisionListProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="decisions"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-testid="decisions"
    >
      <summary>{formatCount(decisions.length, 'decision')}</summary>
      {/* Many passes over many blocks: rows are drawn only while they can be seen. */}
      {isOpen && (
        <ul>
          {decisions.map((decision) => (
            <DecisionRow key={decision.blockId} decision={decision} wish={wish} />
          ))}
        </ul>
      )}
    </details>
  );
}

function DecisionRow(props: { readonly decision: DecisionView; readonly wish: SendWish }): VNode {
  const { blockId, label, action, reason, before, after } = props.decision;
  const change =
    action === 'keep' ? formatTokens(before) : `${formatTokens(before)} → ${formatTokens(after)}`;
  return (
    <li
      class={`decision a-${action}`}
      data-testid="decision-row"
      data-block-id={blockId}
      data-action={action}
    >
      <button
        type="button"
        class="plain label ellipsis"
        title={label}
        onClick={() => props.wish({ type: 'openBlock', blockId })}
      >
        {label}
      </button>
      <span class="number">{change}</span>
      <span class="reason">
        <span class={`action a-${action}`}>{actionWords(action)}</span> · {reason}
      </span>
    </li>
  );
}
