import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReviewView } from '../../../src/protocol/contextPanel';
import { formatNumber, formatTokens } from '../../ui/tokens';
import { Button } from '../../ui/toolkit';
import { DraftSummary } from './draftSummary';
import { isTyping } from '../parts/isTyping';
import type { SendWish } from '../panelStore';
import { triggerWords } from './passWords';
import { ReviewItem } from './reviewItem';

export interface ReviewCardProps {
  readonly review: ReviewView;
  /** False while another tab is looked at: what was ticked and typed here is kept. */
  readonly isShown: boolean;
  readonly wish: SendWish;
}

/** Shows a pass before it applies: what would leave, what would stand for it, and asks. */
export function ReviewCard({ review, isShown, wish }: ReviewCardProps): VNode {
  const { draft, before, after, target, decisions, summaries, policy } = review;
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const [spared, setSpared] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [isAnswered, setAnswered] = useState(false);
  // Who is at work in this panel hears of the card at once; a text being typed keeps the focus.
  const wasShown = useRef(false);
  useLayoutEffect(() => {
    if (!isShown || wasShown.current) return;
    wasShown.current = true;
    if (document.hasFocus() && !isTyping()) card.current?.focus();
  }, [isShown]);
  const answer = (word: 'applyPass' | 'postponePass'): void => {
    setAnswered(true);
    wish(
      word === 'applyPass'
        ? { type: word, draft, spared, summaries: texts }
        : { type: word, draft },
    );
  };
  const leave = (blockId: string, isSpared: boolean): void =>
    setSpared(isSpared ? [...spared, blockId] : spared.filter((other) => other !== blockId));
  return (
    <section
      ref={card}
      class="pass review"
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-testid="review"
      data-draft={draft}
    >
      <h3 class="head">
        <strong id={titleId} role="alert">
          A pass waits for your word
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
      {summaries.map((summary) => (
        <DraftSummary
          key={summary.id}
          summary={summary}
          text={texts[summary.id] ?? summary.text}
          onText={(text) => setTexts({ ...texts, [summary.id]: text })}
        />
      ))}
      <p class="quiet small" role="status">
        {spared.length === 0 ? '' : 'The pass will be planned anew around what you leave.'}
      </p>
      <div class="answers">
        <Button
          appearance="primary"
          disabled={isAnswered || spared.length === decisions.length}
          onClick={() => answer('applyPass')}
          data-testid="review-apply"
        >
          Apply
        </Button>
        <Button
          disabled={isAnswered}
          onClick={() => answer('postponePass')}
          data-testid="review-postpone"
        >
          Postpone
        </Button>
      </div>
    </section>
  );
}
