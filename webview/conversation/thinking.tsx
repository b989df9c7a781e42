import type { VNode } from 'preact';
import type { ThinkingView } from '../../src/editor/conversation/state';
import { formatNumber } from '../kit/tokens';
import { VisibleText } from '../kit/visibleText';

/** Shows, folded, what the model thought in a step, and how many tokens that was. */
export function Thinking({ thinking }: { readonly thinking: ThinkingView }): VNode {
  const { text, tokens } = thinking;
  const size = tokens === undefined ? '' : ` · ${formatNumber(tokens)} tokens`;
  if (text === '') {
    return (
      <p class="thinking small quiet" data-testid="thinking" data-words="none">
        Thought{size} · the API gave no words of it
      </p>
    );
  }
  return (
    <details class="thinking small" data-testid="thinking">
      <summary class="quiet">Thought{size}</summary>
      <p class="thinking-text">
        <VisibleText text={text} />
      </p>
    </details>
  );
}

interface ThinkingInFlightProps {
  readonly text: string;
  /** The reply itself has begun. */
  readonly isOver: boolean;
}

/** Shows, folded, what the model thinks while it does; its newest line stands beside. */
export function ThinkingInFlight({ text, isOver }: ThinkingInFlightProps): VNode {
  const newest = text.trimEnd().split('\n').at(-1) ?? '';
  return (
    <details class="thinking small" data-testid="thinking" data-streaming="true">
      <summary class="quiet">
        {isOver ? 'Thought' : 'Thinking…'}
        {!isOver && (
          <span class="thinking-now" data-testid="thinking-now">
            {' '}
            <VisibleText text={newest} />
          </span>
        )}
      </summary>
      <p class="thinking-text">
        <VisibleText text={text} />
      </p>
    </details>
  );
}
