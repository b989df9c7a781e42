import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type {
  ReviewView,
  DecisionView,
  ProposedSummaryView,
} from '../../../src/editor/contextPanel/ledger/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { Refused, useAnswer } from '../dialogs/modal';
import { isTyping, shownTabPanel, useFocusAfterRemoval } from '../parts/keyboardFocus';
import { Excerpts } from '../files/shownExcerpts';
import { showsWords } from '../files/words';
import type { PanelStore, SendWish } from '../store/panelStore';
import { editsOf } from '../store/keptState';
import { triggerWords, plannedWords } from './words';
import { DecisionFacts } from './planBody';
import { formatCount } from '../parts/format';

export interface ReviewCardProps {
  readonly store: PanelStore;
  readonly session: string;
  readonly review: ReviewView;
  /** False while another tab is open. */
  readonly isShown: boolean;
}

/**
 * Shows a pass before it applies: what it would remove, what would replace it, and the question.
 * The store keeps the user's choices and edits, whatever they look at meanwhile.
 */
export function ReviewCard({ store, session, review, isShown }: ReviewCardProps): VNode {
  const { wish } = store;
  const { proposedPassId, before, after, target, decisions, summaries, policy, shows } = review;
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const edits = editsOf(store.unsent.value, session, review);
  const { spared } = edits;
  const edit = (changes: Partial<Pick<typeof edits, 'spared' | 'summaries'>>): void => {
    store.begin('review', { ...edits, ...changes });
  };
  // The card is gone once the answer is accepted.
  const { send, isWaiting, refusal } = useAnswer(store);
  useFocusAfterRemoval(card, { within: () => card.current, gone: shownTabPanel });
  // The agent waits for the answer, so the card scrolls into view. The focus moves to it if the
  // user works in this panel, but never away from a text being typed.
  const wasShown = useRef(false);
  useLayoutEffect(() => {
    if (!isShown || wasShown.current) return;
    wasShown.current = true;
    if (isTyping()) return;
    card.current?.scrollIntoView({ block: 'start' });
    if (document.hasFocus()) card.current?.focus();
  }, [isShown]);
  const answer = (word: 'applyPass' | 'postponePass'): void => {
    const texts = Object.entries(edits.summaries).map(([id, { text }]) => [id, text] as const);
    send(
      word === 'applyPass'
        ? { type: word, proposedPassId, spared, summaries: Object.fromEntries(texts) }
        : { type: word, proposedPassId },
    );
  };
  const leave = (blockId: string, isSpared: boolean): void =>
    edit({ spared: isSpared ? [...spared, blockId] : spared.filter((id) => id !== blockId) });
  return (
    <section
      ref={card}
      class="pass review"
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-testid="review"
      data-proposed-pass={proposedPassId}
    >
      <h3 class="head">
        <strong id={titleId} role="alert">
          Review this pass
        </strong>
      </h3>
      <p class="quiet">
        {triggerWords(review)} · policy {policy}
      </p>
      <p class="sum">
        <strong class="number">
          {formatTokens(before)} → {formatTokens(after)}
        </strong>{' '}
        <span class="quiet">target {formatNumber(target)}</span>
      </p>
      <p class="group">Would change: {formatCount(decisions.length, 'block')}</p>
      <ul class="items" aria-label="What would change">
        {decisions.map((decision) => (
          <ReviewItem
            key={decision.blockId}
            decision={decision}
            spared={spared.includes(decision.blockId)}
            onSpare={leave}
            wish={wish}
          />
        ))}
      </ul>
      {shows !== undefined && (
        <details class="decisions" data-testid="review-shows">
          <summary>{showsWords(shows)}</summary>
          <Excerpts
            shown={shows}
            whyReadOnly="A pass is waiting for your review: apply or postpone it first"
            wish={wish}
          />
        </details>
      )}
      {summaries.map((summary) => (
        <ProposedSummary
          key={summary.id}
          summary={summary}
          text={edits.summaries[summary.id]?.text ?? summary.text}
          onText={(text) => {
            const edited = { [summary.id]: { from: summary.text, text } };
            edit({ summaries: { ...edits.summaries, ...edited } });
          }}
        />
      ))}
      <p class="quiet small" role="status">
        {spared.length === 0 ? '' : 'The pass will be planned again without the blocks you spare.'}
      </p>
      <Refused message={refusal} data-testid="review-refusal" />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={isWaiting || spared.length === decisions.length}
          onClick={() => answer('applyPass')}
          data-testid="review-apply"
        >
          Apply
        </Button>
        <Button
          disabled={isWaiting}
          onClick={() => answer('postponePass')}
          data-testid="review-postpone"
        >
          Postpone
        </Button>
      </div>
    </section>
  );
}

export interface ReviewItemProps {
  readonly decision: DecisionView;
  readonly spared: boolean;
  readonly onSpare: (blockId: string, isSpared: boolean) => void;
  readonly wish: SendWish;
}

/** Draws the decision on one block, with the choice to spare it. */
function ReviewItem({ decision, spared, onSpare, wish }: ReviewItemProps): VNode {
  const { blockId, label, action } = decision;
  return (
    <li
      class={spared ? 'decision spared' : 'decision'}
      data-testid="review-item"
      data-block-id={blockId}
      data-action={action}
    >
      <DecisionFacts decision={decision} words={plannedWords} wish={wish} />
      <label class="spare small">
        <input
          type="checkbox"
          checked={spared}
          aria-label={`Spare this one: ${label}`}
          onChange={(event) => onSpare(blockId, event.currentTarget.checked)}
          data-testid="spare"
        />
        Spare this one
      </label>
    </li>
  );
}

export interface ProposedSummaryProps {
  readonly summary: ProposedSummaryView;
  /** The text with the user's edits. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Shows a summary that would replace a run of blocks, for editing. */
function ProposedSummary({ summary, text, onText }: ProposedSummaryProps): VNode {
  const id = useId();
  const edited = text === summary.text ? '' : ', edited by you';
  return (
    <div class="proposed-summary">
      <label for={id}>
        Summary of {formatCount(summary.covers, 'block')}{' '}
        <span class="quiet">
          ({summary.writtenBy}
          {edited})
        </span>
      </label>
      <textarea
        id={id}
        rows={8}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        data-testid="proposed-summary"
        data-summary-id={summary.id}
      />
    </div>
  );
}
