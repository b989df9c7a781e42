import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { DraftSummaryView } from '../../../src/protocol/contextPanel';
import { formatCount } from '../parts/formatCount';

export interface DraftSummaryProps {
  readonly summary: DraftSummaryView;
  /** The text as it stands, the user's changes included. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Shows a summary that would stand for a run of blocks; its words can be changed. */
export function DraftSummary({ summary, text, onText }: DraftSummaryProps): VNode {
  const id = useId();
  const edited = text === summary.text ? '' : ', edited by you';
  return (
    <div class="draft-summary">
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
        data-testid="draft-summary"
        data-summary-id={summary.id}
      />
    </div>
  );
}
