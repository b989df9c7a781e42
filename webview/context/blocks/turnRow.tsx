import type { VNode } from 'preact';
import { Icon } from '../../ui/icon';
import { formatTokens, originOfTokens } from '../../ui/tokens';
import type { VirtualRow } from '../../ui/useVirtualRows';
import { formatCount } from '../parts/formatCount';
import type { TurnSum } from './listRows';
import { rowPlace } from './rowPlace';

export interface TurnRowProps {
  readonly sum: TurnSum;
  readonly place: VirtualRow;
  /** True for the one row the Tab key stops at. */
  readonly current: boolean;
}

/** Draws the row above the blocks of a turn; the list hears its clicks and keys. */
export function TurnRow({ sum, place, current }: TurnRowProps): VNode {
  const { turn, prompt, blocks, tokens, collapsed } = sum;
  return (
    <div
      {...rowPlace(place)}
      class="turn-row"
      role="row"
      aria-level={1}
      aria-expanded={!collapsed}
      tabIndex={current ? 0 : -1}
      data-testid="turn-row"
      data-turn={turn}
    >
      <span class="fold" aria-hidden="true">
        <Icon name={collapsed ? 'chevron' : 'open'} />
      </span>
      <span class="turn-name ellipsis" role="gridcell" title={prompt}>
        <span class="number">Turn {turn}</span> <span class="quiet">{prompt}</span>
      </span>
      <span class="turn-sum quiet small" role="gridcell" title={originOfTokens(tokens.exact)}>
        {formatCount(blocks, 'block')} · {formatTokens(tokens)} tokens
      </span>
    </div>
  );
}
