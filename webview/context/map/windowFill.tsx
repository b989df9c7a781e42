import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { estimatesIn } from '../../../src/protocol/estimates';
import { ESTIMATE_MARK, formatNumber, formatShare } from '../../ui/tokens';
import { outlookWords, sourceWords } from './balanceWords';
import { Legend } from './legend';
import { MemoryLine } from './memoryLine';
import type { SendWish } from '../panelStore';
import { segmentsOf } from './segments';
import { WindowBar } from './windowBar';

export interface WindowFillProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Says how full the window is: one number, one bar, and the sum that makes it up. */
export function WindowFill({ context, wish }: WindowFillProps): VNode {
  const { balance, blocks, memory, policy, windowSource } = context;
  const { used, inputBudget, headroom, contextWindowTokens } = balance;
  const [read, setRead] = useState<string | undefined>(undefined);
  const segments = segmentsOf(balance, estimatesIn(blocks));
  const isOver = headroom < 0;
  return (
    <section class="fill" aria-label="How full the context window is">
      <div class="figures">
        <strong class="used number" data-testid="used" data-tokens={used.tokens}>
          {!used.exact && <span class="guess">{ESTIMATE_MARK} </span>}
          {formatNumber(used.tokens)}
        </strong>
        <div class={read === undefined ? 'takes-turns' : 'takes-turns other'}>
          <p class="resting">
            <span class="of">
              <span class="number">of {formatNumber(inputBudget)} input budget</span>
              {' · '}
              <span class="number">{formatShare(used.tokens, inputBudget)}</span>
              {' · '}
              <span
                class={`source ${used.exact ? 'exact' : 'estimated'}`}
                data-testid="source"
                data-exact={String(used.exact)}
              >
                {used.exact ? <span class="dot">● </span> : `${ESTIMATE_MARK} `}
                {sourceWords(balance)}
              </span>
            </span>
            <span class={isOver ? 'outlook number bad' : 'outlook number'} data-testid="outlook">
              {outlookWords(balance)}
            </span>
          </p>
          <p class="readout" data-testid="bar-readout" title={read}>
            {read}
          </p>
        </div>
      </div>
      <WindowBar balance={balance} segments={segments} onRead={setRead} />
      <Legend
        segments={segments}
        contextWindowTokens={contextWindowTokens}
        windowSource={windowSource}
        onEditScratchpad={canEdit(context) ? () => wish({ type: 'fetchScratchpad' }) : undefined}
      />
      {policy === 'server' && (
        <p class="quiet small" data-testid="server-note">
          The API edits the window itself, above the high watermark: drawn is what is sent, and the
          model may have read less. It answers with counts, never which blocks.
        </p>
      )}
      <MemoryLine memory={memory} />
    </section>
  );
}

function canEdit({ turn, whyReadOnly }: ContextView): boolean {
  return turn > 0 && whyReadOnly === undefined;
}
