import type { VNode } from 'preact';
import {
  type Balance,
  type ContextView,
  estimatesIn,
} from '../../../src/editor/contextPanel/state';
import type { WhatIfView } from '../../../src/editor/contextPanel/whatIf/state';
import type { PlanView } from '../../../src/editor/contextPanel/ledger/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { formatCount } from '../parts/format';
import type { SendWish } from '../store/panelStore';
import { PlanBody } from '../ledger/planBody';
import { segmentsOf } from '../map/segments';
import { ReadBar } from '../map/windowBar';

export interface WhatIfResultProps {
  readonly whatIf: WhatIfView;
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Shows what the scratch settings would do: the window, and what would stay and go. */
export function WhatIfResult({ whatIf, context, wish }: WhatIfResultProps): VNode {
  if (!whatIf.ok) {
    return (
      <p class="refused" role="alert" data-testid="what-if-problem">
        {whatIf.message}
      </p>
    );
  }
  const { balance, recent, plan, due, whyTooFull } = whatIf;
  return (
    <div data-testid="what-if-result">
      <p role="status" data-testid="what-if-words">
        {resultWords(balance, plan, due)}
      </p>
      {whyTooFull !== undefined && (
        <p class="refused" data-testid="what-if-too-full">
          {whyTooFull}
        </p>
      )}
      <ReadBar
        balance={balance}
        segments={segmentsOf(balance, estimatesIn(context.blocks))}
        recent={recent}
        resting={fillWords(balance)}
      />
      <PlanBody
        plan={plan}
        inputBudget={balance.inputBudget}
        whyReadOnly="This is a scratch copy: say it in the tab Files"
        wish={wish}
      />
    </div>
  );
}

function resultWords({ used, highTokens }: Balance, plan: PlanView, due: boolean): string {
  const count = plan.decisions.length;
  const blocks = count === 0 ? 'nothing' : formatCount(count, 'block');
  if (due) return `A pass would begin before the next step. It would change ${blocks}.`;
  const room = formatTokens({ tokens: Math.max(0, highTokens - used.tokens), exact: used.exact });
  return `No pass would be due: ${room} tokens to the high watermark. Asked for, one would change ${blocks}.`;
}

function fillWords({ used, inputBudget }: Balance): string {
  return `${formatTokens(used)} of ${formatNumber(inputBudget)} tokens of input budget`;
}
