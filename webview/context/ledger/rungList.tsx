import type { VNode } from 'preact';
import type { PassView } from '../../../src/protocol/contextPanel';
import { ESTIMATE_MARK, formatNumber } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';
import { rungSumWords, rungWords } from './passWords';

export interface RungListProps {
  readonly rungs: PassView['rungs'];
  /** Blocks that change. */
  readonly changed: number;
  /** Blocks that stayed; left out where they are told of elsewhere. */
  readonly kept?: number;
}

/** Lists what each rung takes and gives. */
export function RungList({ rungs, changed, kept }: RungListProps): VNode {
  const sum = rungSumWords(rungs, changed);
  return (
    <>
      <dl class="rungs">
        {rungs.map(({ rung, blocks, tokens }) => (
          <div key={rung} class="rung" data-testid="rung" data-rung={rung}>
            <dt>{rungWords(rung)}</dt>
            <dd class="number quiet">{formatCount(blocks, 'block')}</dd>
            {/* What a rung gives is planned on estimates. */}
            <dd class="number gain">
              {ESTIMATE_MARK}&nbsp;{formatNumber(-tokens)}
            </dd>
          </div>
        ))}
        {kept !== undefined && (
          <div class="rung">
            <dt>Kept</dt>
            <dd class="number quiet">{formatCount(kept, 'block')}, with reasons</dd>
          </div>
        )}
      </dl>
      {sum !== '' && (
        <p class="quiet small" data-testid="rung-sum">
          {sum}
        </p>
      )}
    </>
  );
}
