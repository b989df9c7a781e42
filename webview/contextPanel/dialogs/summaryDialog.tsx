import type { VNode } from 'preact';
import { formatNumber } from '../../kit/tokens';
import { DialogAnswers, Modal, useAnswer } from './modal';
import type { PanelStore } from '../store/panelStore';
import type { RewrittenSummary } from '../store/keptState';

/** Lets the user rewrite a summary once its text is fetched. */
export function SummaryDialog({ store }: { readonly store: PanelStore }): VNode | null {
  const { summary } = store.begun.value;
  if (summary === undefined) return null;
  return <SummaryForm key={summary.blockId} store={store} summary={summary} />;
}

interface SummaryFormProps {
  readonly store: PanelStore;
  readonly summary: RewrittenSummary;
}

function SummaryForm({ store, summary }: SummaryFormProps): VNode {
  const { blockId, from, text } = summary;
  const close = (): void => store.begin('summary', undefined);
  const answer = useAnswer(store, close);
  const isEmpty = text.trim() === '';
  const isSame = text.trim() === from.trim();
  const save = (): void => {
    if (isSame) close();
    else answer.send({ type: 'rewriteSummary', blockId, text });
  };
  return (
    <Modal
      title="Rewrite the summary"
      class="summary"
      onClose={close}
      question={isSame ? undefined : 'Discard what you typed?'}
      data-testid="summary-dialog"
    >
      <p class="quiet small">
        The model reads this in place of the blocks that it replaced. It must stay shorter than they
        were; Undo in the ledger undoes the change.
      </p>
      <label>
        Summary, {formatNumber(text.length)} characters
        <textarea
          rows={16}
          value={text}
          onInput={(event) =>
            store.begin('summary', { blockId, from, text: event.currentTarget.value })
          }
          data-testid="summary-text"
        />
      </label>
      <DialogAnswers
        answer={answer}
        name="summary"
        why={isEmpty ? 'A summary cannot be empty' : undefined}
        onSave={save}
        onCancel={close}
      />
    </Modal>
  );
}
