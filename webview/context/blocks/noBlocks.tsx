import type { VNode } from 'preact';
import type { ContextView } from '../../../src/protocol/contextPanel';
import type { SendWish } from '../panelStore';

export interface NoBlocksProps {
  readonly context: Pick<ContextView, 'blocks' | 'source'>;
  readonly wish: SendWish;
  /** Lets every block through the filter. */
  readonly onShowAll: () => void;
}

/** Says why there is nothing to list, and what can be done about it. */
export function NoBlocks({ context, wish, onShowAll }: NoBlocksProps): VNode {
  const { blocks, source } = context;
  if (blocks.length > 0) {
    return (
      <p class="empty quiet">
        No block matches.{' '}
        <button type="button" class="plain link" onClick={onShowAll} data-testid="show-all">
          Show all
        </button>
      </p>
    );
  }
  if (source.type === 'recording') return <p class="empty quiet">Nothing is said in this file.</p>;
  return (
    <p class="empty quiet">
      Nothing has been said yet.{' '}
      <button
        type="button"
        class="plain link"
        onClick={() => wish({ type: 'openAgentView' })}
        data-testid="open-agent"
      >
        Give the agent a task
      </button>
    </p>
  );
}
