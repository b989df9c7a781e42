import type { VNode } from 'preact';
import type { ContextView } from '../../src/protocol/contextPanel';
import { ESTIMATE_MARK, formatNumber, formatShare } from '../ui/tokens';
import { outlookWords, sourceWords } from './balanceWords';
import { Legend } from './legend';
import { MemoryLine } from './memoryLine';
import type { SendWish } from './panelStore';
import { segmentsOf } from './segments';
import { WindowBar } from './windowBar';

export interface WindowFillProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Says how full the window is: one number, one bar, and the sum that makes it up. */
export function WindowFill({ context, wish }: WindowFillProps): VNode {
  const { balance, memory, turn } = context;
  const { used, inputBudget, headroom } = balance;
  const segments = segmentsOf(balance);
  return (
    <section class="fill" aria-label="How full the context window is">
      <div class="figures">
        <strong class="used number" data-testid="used" data-tokens={used.tokens}>
          {!used.exact && <span class="guess">{ESTIMATE_MARK} </span>}
          {formatNumber(used.tokens)}
        </strong>
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
        <span class={headroom < 0 ? 'outlook number bad' : 'outlook number'}>
          {outlookWords(balance)}
        </span>
      </div>
      <WindowBar balance={balance} segments={segments} />
      <Legend
        segments={segments}
        contextWindowTokens={balance.contextWindowTokens}
        onEditScratchpad={turn === 0 ? undefined : () => wish({ type: 'fetchScratchpad' })}
      />
      <MemoryLine memory={memory} />
    </section>
  );
}
