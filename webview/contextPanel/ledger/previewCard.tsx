import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { PlanView } from '../../../src/editor/contextPanel/ledger/state';
import { Button } from '../../kit/toolkit';
import type { SendWish } from '../store/panelStore';
import { formatTokens } from '../../kit/tokens';
import { PlanBody } from './planBody';
import { useLentFocus } from '../dialogs/modal';
import { whyNotCompact } from '../frame/frameWords';

export interface PreviewCardProps {
  readonly preview: PlanView;
  readonly context: ContextView;
  readonly wish: SendWish;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

/** Shows the plan that would run now, before it does. */
export function PreviewCard({ preview, context, wish, onRun, onClose }: PreviewCardProps): VNode {
  const card = useRef<HTMLElement>(null);
  useLentFocus(card);
  const nothing = preview.decisions.length === 0 ? 'Nothing would leave' : undefined;
  const why = whyNotCompact(context) ?? nothing;
  const title = `If you compacted now (down to ${formatTokens(preview.after)})`;
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
