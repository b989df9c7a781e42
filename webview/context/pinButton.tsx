import type { VNode } from 'preact';
import type { BlockView } from '../../src/protocol/contextPanel';
import { isOut } from './blockWords';

export interface PinButtonProps {
  readonly block: BlockView;
  /** Tab stops at the pin of the row the keyboard is on, and at no other. */
  readonly reachable: boolean;
}

/** Draws the pin of a block; the list hears its click. */
export function PinButton({ block, reachable }: PinButtonProps): VNode {
  const { pinned, label } = block;
  const disabled = !canTogglePin(block);
  return (
    <button
      type="button"
      class="plain pin"
      aria-pressed={pinned}
      aria-label={`Pin ${label}`}
      title={disabled ? 'Out of the window: nothing to pin' : pinned ? UNPIN : PIN}
      disabled={disabled}
      tabIndex={reachable ? 0 : -1}
      data-testid="pin"
    >
      <svg class="icon" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
        <path
          d="M5.5 2h5M6.2 2v4.2L4 9h8L9.8 6.2V2M8 9v5"
          fill={pinned ? 'currentColor' : 'none'}
          stroke="currentColor"
          stroke-width="1.3"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}

const PIN = 'Pin (P): never cleared, compacted or evicted';
const UNPIN = 'Unpin (P): passes may take it again';

/** Says whether a wish to pin or unpin the block makes sense: what is out cannot be held in. */
export function canTogglePin(block: Pick<BlockView, 'state' | 'pinned'>): boolean {
  return block.pinned || !isOut(block);
}
