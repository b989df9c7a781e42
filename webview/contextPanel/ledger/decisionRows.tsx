import type { VNode } from 'preact';
import type { DecisionView } from '../../../src/editor/contextPanel/ledger/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';
import { factorWords, salienceWords } from './ledgerWords';
import { useMore } from '../parts/useMore';

/** Decisions drawn at once, since a window may have thousands of blocks. */
const PAGE = 200;

export interface DecisionRowsProps {
  readonly decisions: readonly DecisionView[];
  /** Names what is done to a block. */
  readonly words: (action: DecisionView['action']) => string;
  readonly wish: SendWish;
}

/** Lists decisions, each with its reason and its numbers; a click opens the block's text. */
export function DecisionRows({ decisions, words, wish }: DecisionRowsProps): VNode {
  const { shown, rest, showMore } = useMore(decisions.length, PAGE);
  return (
    <>
      <ul class="decision-rows">
        {decisions.slice(0, shown).map((decision) => (
          <DecisionRow key={decision.blockId} decision={decision} words={words} wish={wish} />
        ))}
      </ul>
      {rest > 0 && (
        <LinkButton onClick={showMore} data-testid="more-decisions">
          Show more ({formatNumber(rest)} left)
        </LinkButton>
      )}
    </>
  );
}

type DecisionRowProps = Omit<DecisionRowsProps, 'decisions'> & { readonly decision: DecisionView };

function DecisionRow({ decision, words, wish }: DecisionRowProps): VNode {
  const { blockId, action } = decision;
  return (
    <li
      class={`decision a-${action}`}
      data-testid="decision-row"
      data-block-id={blockId}
      data-action={action}
    >
      <DecisionFacts decision={decision} words={words} wish={wish} />
    </li>
  );
}

/** Draws one decision: the block, its tokens before and after, what is done, and why. */
export function DecisionFacts({ decision, words, wish }: DecisionRowProps): VNode {
  const { blockId, label, action, reason, before, after, salience } = decision;
  const change =
    action === 'keep' ? formatTokens(before) : `${formatTokens(before)} → ${formatTokens(after)}`;
  return (
    <>
      <button
        type="button"
        class="plain label ellipsis"
        title={label}
        onClick={() => wish({ type: 'openBlock', blockId })}
      >
        {label}
      </button>
      <span class="number">{change}</span>
      <span class="reason">
        <span class={`action a-${action}`}>{words(action)}</span> · {reason}
        {salience !== undefined && (
          <span class="salience" title={factorWords(salience)}>
            {' · '}
            {salienceWords(salience)}
          </span>
        )}
      </span>
    </>
  );
}
