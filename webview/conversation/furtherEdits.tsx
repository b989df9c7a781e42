import type { VNode } from 'preact';
import type { FurtherEditView } from '../../src/editor/approvals/state';
import { visiblePath } from '../../src/editor/visibleText';
import { formatNumber } from '../kit/tokens';
import { useAgentView } from './agentViewStore';

/** Longest path in a line, characters; a longer one is cut in the middle. */
const LONGEST_PATH = 40;

export interface FurtherEditsProps {
  readonly edits: readonly FurtherEditView[];
  readonly together: boolean;
  readonly disabled: boolean;
  readonly onChange: (together: boolean) => void;
}

/** Lists the other edits of the reply, each with its diff, and lets one answer count for all. */
export function FurtherEdits({ edits, together, disabled, onChange }: FurtherEditsProps): VNode {
  const store = useAgentView();
  const others = edits.length === 1 ? 'the other edit' : `the other ${edits.length} edits`;
  return (
    <div class="further" data-testid="further-edits">
      <label class="approval-line small">
        <input
          type="checkbox"
          data-testid="approval-together"
          checked={together}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>The answer counts for {others} of this reply, too</span>
      </label>
      <ul>
        {edits.map(({ toolUseId, kind, subject, added, removed }) => (
          <li key={toolUseId} class="approval-line small" data-testid="further-edit">
            <span>
              {kind === 'create' ? 'Create' : 'Edit'} {visiblePath(subject, LONGEST_PATH)}
            </span>
            {added !== undefined && <span class="number added">+{formatNumber(added)}</span>}
            {removed !== undefined && <span class="number removed">−{formatNumber(removed)}</span>}
            <button
              type="button"
              class="plain link"
              data-testid="further-diff"
              aria-label={`Open diff of ${visiblePath(subject, LONGEST_PATH)}`}
              onClick={() => store.wish({ type: 'openDiff', toolUseId })}
            >
              Open diff
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
