import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../ui/tokens';
import { DialogAnswers } from './dialogAnswers';
import { Modal } from './modal';
import type { FetchedSummary, PanelStore } from '../panelStore';
import { useAnswer } from './useAnswer';

/** Lets the user rewrite a summary, while its text is fetched for it. */
export function SummaryDialog({ store }: { readonly store: PanelStore }): VNode | null {
  const summary = store.summary.value;
  if (summary === undefined) return null;
  return <SummaryForm key={summary.blockId} store={store} summary={summary} />;
}

interface SummaryFormProps {
  readonly store: PanelStore;
  /** The summary as it stood when the user began. */
  readonly summary: FetchedSummary;
}

function SummaryForm({ store, summary }: SummaryFormProps): VNode {
  const close = store.closeSummary;
  const [text, setText] = useState(summary.text);
  const answer = useAnswer(store, 'rewriteSummary', close);
  const isEmpty = text.trim() === '';
  const save = (): void => {
    if (text.trim() === summary.text.trim()) close();
    else answer.send({ type: 'rewriteSummary', blockId: summary.blockId, text });
  };
  return (
    <Modal title="Rewrite the summary" class="summary" onClose={close} data-testid="summary-dialog">
      <p class="quiet small">
        The model reads this in place of the blocks it stands for. It must stay shorter than they
        were; Undo in the ledger takes it back.
      </p>
      <label>
        Summary, {formatNumber(text.length)} characters
        <textarea
          rows={16}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          data-testid="summary-text"
        />
      </label>
      <DialogAnswers
        answer={answer}
        name="summary"
        why={isEmpty ? 'A summary needs words' : undefined}
        onSave={save}
        onCancel={close}
      />
    </Modal>
  );
}
