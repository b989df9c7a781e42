import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../ui/toolkit';
import { useAgent } from './agentContext';
import { useFocusOnArrival } from './useFocusOnArrival';
import { useGrowing } from './useGrowing';

const COMPOSER = 'composer';

/** The element the user types prompts into; null while there is none. */
export function composerElement(): HTMLElement | null {
  return document.getElementById(COMPOSER);
}

export interface ComposerProps {
  readonly isBusy: boolean;
  readonly hasTurns: boolean;
  /** What the agent is doing, shown beside the buttons. */
  readonly children: ComponentChildren;
}

/** Takes prompts; while the agent is busy they are queued, and Stop is at hand. */
export function Composer({ isBusy, hasTurns, children }: ComposerProps): VNode {
  const store = useAgent();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = store.draft.value;
  useGrowing(field, draft);
  useFocusOnArrival(field);

  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends the composition of a character (Japanese, say) belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    store.submitDraft();
  };

  return (
    <div class="composer">
      <textarea
        id={COMPOSER}
        ref={field}
        class="field"
        data-testid="composer"
        rows={2}
        value={draft}
        placeholder={hasTurns ? 'What next?' : 'What should the agent do?'}
        aria-label="Prompt for the agent. Enter sends, Shift+Enter starts a new line."
        onInput={(event) => (store.draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-line">
        {children}
        {isBusy && (
          <Button data-testid="stop" onClick={() => store.wish({ type: 'stopTurn' })}>
            Stop
          </Button>
        )}
        <Button
          appearance="primary"
          data-testid="send"
          disabled={draft.trim() === ''}
          onClick={() => store.submitDraft()}
        >
          {isBusy ? 'Queue' : 'Send'}
        </Button>
      </div>
    </div>
  );
}
