import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../ui/toolkit';
import { useLentFocus } from './useLentFocus';

export interface DiscardQuestionProps {
  readonly question: string;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Asks within a dialog whether what was begun in it may go; the focus is lent to what keeps it. */
export function DiscardQuestion({ question, onDiscard, onKeep }: DiscardQuestionProps): VNode {
  const asks = useRef<HTMLDivElement>(null);
  useLentFocus(asks, { first: (element) => element.querySelector('[data-testid="keep-typed"]') });
  return (
    <div
      ref={asks}
      class="discard"
      role="alertdialog"
      aria-label={question}
      tabIndex={-1}
      data-testid="discard-question"
    >
      <span class="message">{question}</span>
      <Button onClick={onDiscard} data-testid="discard-typed">
        Discard
      </Button>
      <Button appearance="primary" onClick={onKeep} data-testid="keep-typed">
        Keep Editing
      </Button>
    </div>
  );
}
