import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlanView } from '../../../src/editor/contextPanel/ledger/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { useLentFocus } from '../dialogs/modal';
import { whyNotCompact } from '../frame/words';
import { useFocusAfterRemoval } from '../parts/keyboardFocus';
import type { PanelProps, PanelStore, SendWish } from '../store/panelStore';
import { PlanBody } from './planBody';
import { nextPassWords, passesIn } from './words';

/** Says what the next pass removes and when, previews it, and takes instructions for its summary. */
export function NextPass({ store, context }: PanelProps): VNode {
  const { turn, next, whyReadOnly, balance } = context;
  const { wish } = store;
  const preview = store.preview.value;
  const why = whyNotCompact(context);
  const whyNoPreview = whyReadOnly ?? (turn === 0 ? why : undefined);
  useFreshPreview(store, context);
  const section = useRef<HTMLElement>(null);
  useFocusAfterRemoval(section, { within: () => section.current });
  const run = (): void => {
    store.compactNow();
    store.closePreview();
  };
  return (
    <>
      <section ref={section} class="next-pass" aria-label="Next pass" tabIndex={-1}>
        <p data-testid="next-words">{nextPassWords(next, balance.used)}</p>
        <p class="quiet" data-testid="next-pass">
          <Forecast context={context} />
        </p>
        <div class="answers">
          <Button
            disabled={whyNoPreview !== undefined}
            hint={whyNoPreview ?? 'Shows the plan that would run now; nothing changes'}
            onClick={() => wish({ type: 'previewPass' })}
            data-testid="preview-pass"
          >
            Preview
          </Button>
        </div>
        {why === undefined && (
          <Instructions
            text={store.begun.value.instructions?.text ?? ''}
            onText={(text) => store.begin('instructions', { text })}
          />
        )}
      </section>
      {preview !== undefined && (
        <PreviewCard
          preview={preview}
          context={context}
          wish={wish}
          onRun={run}
          onClose={store.closePreview}
        />
      )}
    </>
  );
}

interface InstructionsProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function Instructions({ text, onText }: InstructionsProps): VNode {
  // Kept instructions must not be used unseen.
  const [isBegun] = useState(text !== '');
  return (
    <details class="instructions" open={isBegun}>
      <summary>Instructions for Compact Now</summary>
      <textarea
        rows={3}
        value={text}
        aria-label="Instructions for the summary of Compact Now"
        placeholder="What the summary must hold, for example: every decision about the API, verbatim"
        onInput={(event) => onText(event.currentTarget.value)}
        data-testid="instructions"
      />
    </details>
  );
}

/** Requests the plan again when it may have changed, and shows none if no pass can run. */
function useFreshPreview(store: PanelStore, { revision, whyReadOnly }: ContextView): void {
  const isReadOnly = whyReadOnly !== undefined;
  useEffect(() => {
    if (store.preview.peek() === undefined) return;
    if (isReadOnly) store.closePreview();
    else store.wish({ type: 'previewPass' });
  }, [revision, isReadOnly]);
}

/** Says when the next pass runs, and how far down it goes. */
function Forecast({ context }: { readonly context: ContextView }): VNode {
  const { balance, passAbove, passes, compaction, apiEdits, next } = context;
  if (compaction === 'off') {
    return (
      <>
        <strong>No pass runs automatically</strong>: plimsoll.context.compaction is off.
      </>
    );
  }
  const { lowTokens, used } = balance;
  const first = passesIn(passes) === 0;
  const room = passAbove - used.tokens;
  const distance = formatTokens({ tokens: Math.abs(room), exact: used.exact });
  return (
    <>
      {first ? 'No pass has run yet. First automatic pass' : 'Next automatic pass'} above{' '}
      <span class="number">{formatNumber(passAbove)}</span>; it aims at{' '}
      <span class="number">{formatNumber(lowTokens)}</span>.{' '}
      <span class="number">
        {room < 0
          ? `${distance} tokens above it now.`
          : `${distance} tokens to go${next.type === 'planned' ? '; it may choose others' : ''}.`}
      </span>
      {compaction === 'ask' && ' It waits for your review.'}
      {apiEdits !== undefined && (
        <span data-testid="api-edits">
          {' '}
          Before the model reads it, the API's own editing reduces the next request{' '}
          <span class="number">
            {formatNumber(apiEdits.before)} → {formatNumber(apiEdits.after)}
          </span>{' '}
          tokens, by its own count.
        </span>
      )}
    </>
  );
}

interface PreviewCardProps {
  readonly preview: PlanView;
  readonly context: ContextView;
  readonly wish: SendWish;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

/** Shows the plan that would run now. */
function PreviewCard({ preview, context, wish, onRun, onClose }: PreviewCardProps): VNode {
  const card = useRef<HTMLElement>(null);
  useLentFocus(card);
  const nothing = preview.decisions.length === 0 ? 'Nothing would be removed' : undefined;
  const why = whyNotCompact(context) ?? nothing;
  const title = `Compact now: ${formatTokens(preview.before)} → ${formatTokens(preview.after)}`;
  return (
    <section
      ref={card}
      class="pass preview"
      role="group"
      aria-label={`Preview: ${title}`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      data-testid="preview"
    >
      <h3 class="head">
        <strong>{title}</strong>
        <span class="why">policy {preview.policy} · nothing has changed yet</span>
      </h3>
      <PlanBody
        plan={preview}
        blocks={context.blocks}
        inputBudget={context.balance.inputBudget}
        whyReadOnly={context.whyReadOnly}
        wish={wish}
      />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={why !== undefined}
          hint={why}
          onClick={onRun}
          data-testid="preview-run"
        >
          Run It
        </Button>
        <Button onClick={onClose} data-testid="preview-close">
          Close
        </Button>
      </div>
    </section>
  );
}
