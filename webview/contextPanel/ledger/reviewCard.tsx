import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type {
  ReviewView,
  DecisionView,
  ProposedSummaryView,
} from '../../../src/editor/contextPanel/ledger/state';
import type { BlockView } from '../../../src/editor/contextPanel/state';
import { Button } from '../../kit/toolkit';
import { RefusedNote, useAnswer } from '../dialogs/modal';
import { nameIn } from '../parts/format';
import { isTyping, shownTabPanel, useFocusAfterRemoval } from '../parts/keyboardFocus';
import { ShownExcerpts } from '../files/shownExcerpts';
import { showsWords } from '../files/words';
import type { PanelStore, SendWish } from '../store/panelStore';
import { editsOf } from '../store/keptState';
import { triggerWords, plannedWords } from './words';
import { DecisionFacts, PlannedSum } from './planBody';

interface ReviewCardProps {
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
  const {
    proposedPassId,
    isPlanning,
    toWrite,
    before,
    after,
    reach,
    decisions,
    summaries,
    policy,
    shows,
  } = review;
  const blocks = store.context.value?.blocks ?? [];
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const edits = editsOf(store.unsent.value, session, review);
  const spared = review.spared.map(({ blockId }) => blockId);
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
    send(
      word === 'applyPass'
        ? { type: word, proposedPassId, spared, summaries: textsOf(edits) }
        : { type: word, proposedPassId },
    );
  };
  // The host plans the pass again, so that what is shown is what runs.
  const spare = (blockId: string, isSpared: boolean): void => {
    const others = spared.filter((id) => id !== blockId);
    wish({
      type: 'sparePass',
      proposedPassId,
      spared: isSpared ? [...others, blockId] : others,
      summaries: textsOf(edits),
    });
  };
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
      <PlannedSum before={before} after={after} reach={reach} />
      {review.cold !== undefined && <p data-testid="cold">{review.cold}</p>}
      <p class="group">Would change: {countText(decisions.length, 'block')}</p>
      <ul class="items" aria-label="What would change">
        {decisions.map((decision) => (
          <ReviewItem
            key={decision.blockId}
            decision={decision}
            blocks={blocks}
            spared={false}
            isPlanning={isPlanning}
            onSpare={spare}
            wish={wish}
          />
        ))}
      </ul>
      {review.spared.length > 0 && (
        <>
          <p class="group">Spared in this pass: {countText(review.spared.length, 'block')}</p>
          <ul class="items" aria-label="Spared in this pass">
            {review.spared.map((decision) => (
              <ReviewItem
                key={decision.blockId}
                decision={decision}
                blocks={blocks}
                spared
                isPlanning={isPlanning}
                onSpare={spare}
                wish={wish}
              />
            ))}
          </ul>
        </>
      )}
      {shows !== undefined && (
        <details class="decisions" data-testid="review-shows">
          <summary>{showsWords(shows)}</summary>
          <ShownExcerpts
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
            store.begin('review', { ...edits, summaries: { ...edits.summaries, ...edited } });
          }}
        />
      ))}
      <p class="quiet small" role="status">
        {isPlanning ? 'Planning again around the blocks you spare…' : writeWords(toWrite)}
      </p>
      <RefusedNote message={refusal} data-testid="review-refusal" />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={isWaiting || isPlanning}
          onClick={() => answer('applyPass')}
          data-testid="review-apply"
        >
          {toWrite === 0 ? 'Apply' : 'Write Summary'}
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

/** Says what follows if a summary of the pass is not written yet. */
function writeWords(toWrite: number): string {
  if (toWrite === 0) return '';
  return `The model writes ${toWrite === 1 ? 'a summary' : `${toWrite} summaries`} first; you then see the pass again.`;
}

function textsOf({ summaries }: ReturnType<typeof editsOf>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(summaries).map(([id, { text }]) => [id, text]));
}

interface ReviewItemProps {
  readonly decision: DecisionView;
  readonly blocks: readonly BlockView[];
  readonly spared: boolean;
  /** The plan is about to change. */
  readonly isPlanning: boolean;
  readonly onSpare: (blockId: string, isSpared: boolean) => void;
  readonly wish: SendWish;
}

/** Draws the decision on one block, with the choice to spare it. */
function ReviewItem(props: ReviewItemProps): VNode {
  const { decision, blocks, spared, isPlanning, onSpare, wish } = props;
  const { blockId, action } = decision;
  return (
    <li
      class={spared ? 'decision spared' : 'decision'}
      data-testid="review-item"
      data-block-id={blockId}
      data-action={action}
    >
      <DecisionFacts decision={decision} blocks={blocks} words={plannedWords} wish={wish} />
      <label class="spare small">
        <input
          type="checkbox"
          checked={spared}
          disabled={isPlanning}
          aria-label={`Spare this one: ${nameIn(blocks, decision)}`}
          onChange={(event) => onSpare(blockId, event.currentTarget.checked)}
          data-testid="spare"
        />
        Spare this one
      </label>
    </li>
  );
}

interface ProposedSummaryProps {
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
        Summary of {countText(summary.covers, 'block')}{' '}
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
      {summary.checked !== '' && edited === '' && (
        <p class="quiet small" data-testid="proposed-check">
          {summary.checked}
        </p>
      )}
    </div>
  );
}
