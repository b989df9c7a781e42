import type { VNode } from 'preact';
import type { BlockView } from '../../../src/editor/contextPanel/state';
import { ESTIMATE_MARK, formatNumber, formatTokens, originOfTokens } from '../../kit/tokens';
import { isOut } from './blockWords';

export interface BlockWeightProps {
  readonly block: BlockView;
  /** True for the one row that the Tab key stops at. */
  readonly current: boolean;
  /** It is of a recording, in which nothing can be changed. */
  readonly isRecorded: boolean;
  /** Why it cannot be restored; absent where it can. */
  readonly whyNotRestored: string | undefined;
}

/** Says what the block takes; where it has left, what bringing it back would. */
export function BlockWeight({
  block,
  current,
  isRecorded,
  whyNotRestored,
}: BlockWeightProps): VNode {
  const { label, tokens, left } = block;
  if (!isOut(block)) {
    return (
      <span class="weight number" role="gridcell" title={originOfTokens(tokens.exact)}>
        {formatTokens(tokens)}
      </span>
    );
  }
  const whole =
    left === undefined
      ? ''
      : `${left.whole.exact ? '' : `${ESTIMATE_MARK} `}+${formatNumber(left.whole.tokens)}`;
  if (isRecorded) {
    return (
      <span class="weight number quiet" role="gridcell" title="Not sent; whole, it would add this">
        {whole === '' ? '–' : whole}
      </span>
    );
  }
  const more = whole === '' ? '' : ` (${whole})`;
  return (
    <span class="weight number" role="gridcell" title="Not sent">
      {block.canComeBack ? (
        <button
          type="button"
          class="plain link restore"
          aria-label={`Restore ${label}${more}`}
          title={whyNotRestored ?? 'Back in its place (R)'}
          disabled={whyNotRestored !== undefined}
          tabIndex={current ? 0 : -1}
          data-testid="restore"
        >
          Restore{more}
        </button>
      ) : (
        '–'
      )}
    </span>
  );
}
