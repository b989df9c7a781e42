import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PassView, SummaryFindingsView } from '../../../src/editor/contextPanel/ledger/state';
import { formatNumber } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import { useMore } from '../parts/useMore';
import type { PanelStore } from '../store/panelStore';

interface SummaryFindingsProps {
  readonly store: PanelStore;
  readonly pass: Pick<PassView, 'number' | 'beforeStep'>;
  /** The last step so far: a later one may have needed something. */
  readonly until: number;
}

/**
 * Says what the check of the summaries found, what they dropped, and what later work needed of it; all of
 * it is fetched.
 */
export function SummaryFindings({ store, pass, until }: SummaryFindingsProps): VNode | null {
  const { number, beforeStep } = pass;
  const [fetched, setFetched] = useState<SummaryFindingsView | undefined>(undefined);
  useEffect(
    () => store.wish({ type: 'fetchSummaryFindings', number }, { answered: setFetched }),
    [number, beforeStep, until],
  );
  if (fetched === undefined) return null;
  const { checked, removed, droppedText, dropped, usedText, needed } = fetched;
  const isEmpty = checked.length === 0 && droppedText === '' && usedText === '';
  if (isEmpty) return null;
  return (
    <section class="summary-findings small" aria-label="Summary" data-testid="summary-findings">
      {checked.map((sentence, index) => (
        <p key={index} data-testid="summary-checked">
          {sentence}
        </p>
      ))}
      <Some of={removed}>
        {({ text, why }) => (
          <span data-testid="summary-removed">
            <del>{text}</del> <span class="quiet">{why}</span>
          </span>
        )}
      </Some>
      {droppedText !== '' && <p data-testid="summary-dropped">{droppedText}</p>}
      <Some of={dropped}>
        {({ kind, blockId, text }) => (
          <>
            {kind}:{' '}
            <LinkButton
              hint="Opens the block in an editor"
              onClick={() => store.wish({ type: 'openBlock', blockId })}
              data-testid="dropped-text"
            >
              {text}
            </LinkButton>
          </>
        )}
      </Some>
      {usedText !== '' && <p data-testid="summary-used">{usedText}</p>}
      <Some of={needed}>
        {({ step, text }) => (
          <LinkButton
            hint={`Goes to step ${formatNumber(step)}`}
            onClick={() => store.wish({ type: 'travelTo', at: step })}
            data-testid="summary-need"
          >
            {text}
          </LinkButton>
        )}
      </Some>
    </section>
  );
}

/** Rows drawn at first. */
const PAGE = 5;

interface SomeProps<T> {
  readonly of: readonly T[];
  readonly children: (item: T) => ComponentChildren;
}

/** Lists the first rows, and the others on demand. */
function Some<T>({ of, children: draw }: SomeProps<T>): VNode | null {
  const { shown, rest, showMore } = useMore(of.length, PAGE);
  if (of.length === 0) return null;
  return (
    <ul class="needed-again">
      {of.slice(0, shown).map((item, index) => (
        <li key={index}>{draw(item)}</li>
      ))}
      {rest > 0 && (
        <li>
          <LinkButton onClick={showMore}>Show more ({formatNumber(rest)} left)</LinkButton>
        </li>
      )}
    </ul>
  );
}
