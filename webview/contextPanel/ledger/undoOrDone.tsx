import type { VNode } from 'preact';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { PassView } from '../../../src/editor/contextPanel/ledger/state';
import { RESTORE_PROMPT } from '../../kit/words';
import { lowered } from '../parts/format';
import { UndoLink } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';

interface UndoOrDoneProps {
  readonly pass: PassView;
  readonly context: Pick<ContextView, 'source' | 'busy' | 'whyReadOnly' | 'undoMoves'>;
  readonly wish: SendWish;
  readonly testId?: string;
}

/** Offers to undo a pass, or says that it is undone; nothing of a recording can be undone. */
export function UndoOrDone({
  pass,
  context,
  wish,
  testId = 'undo-pass',
}: UndoOrDoneProps): VNode | null {
  const { number, undone, whyNotUndone } = pass;
  if (undone) return <span class="pill p-undone">undone</span>;
  if (context.source.type === 'recording') return null;
  return (
    <UndoLink
      {...wordsOf(pass)}
      move={context.undoMoves[number]}
      why={context.whyReadOnly ?? (context.busy ? 'The agent is working' : whyNotUndone)}
      testId={testId}
      onClick={() => wish({ type: 'undoPass', number })}
    />
  );
}

function wordsOf({ name, trigger, byHand }: PassView) {
  const label = `Undo ${lowered(name)}`;
  if (byHand?.action === 'undoPrompt') {
    return { ...RESTORE_PROMPT, hint: 'Restores the prompt with its steps' };
  }
  const hint =
    trigger === 'byHand' ? 'Undoes this change' : 'Restores everything this pass removed';
  return { label, hint };
}
