import type { VNode } from 'preact';
import { Button } from '../../ui/toolkit';
import { Refused } from './refused';
import type { Answer } from './useAnswer';

export interface DialogAnswersProps {
  readonly answer: Pick<Answer, 'isWaiting' | 'refusal'>;
  /** What is saved; begins the test ids. */
  readonly name: string;
  /** Why it cannot be saved as it stands. */
  readonly why?: string | undefined;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Draws Save and Cancel, and why the host did not take what was saved. */
export function DialogAnswers({ answer, name, why, onSave, onCancel }: DialogAnswersProps): VNode {
  return (
    <>
      <Refused message={answer.refusal} data-testid={`${name}-refusal`} />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={answer.isWaiting || why !== undefined}
          hint={why}
          onClick={onSave}
          data-testid={`${name}-save`}
        >
          Save
        </Button>
        <Button onClick={onCancel} data-testid={`${name}-cancel`}>
          Cancel
        </Button>
      </div>
    </>
  );
}
