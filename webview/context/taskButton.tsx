import type { VNode } from 'preact';
import { Icon } from '../ui/icon';

export interface TaskButtonProps {
  /** Name of the prompt. */
  readonly label: string;
  /** Tab stops at the button of the row the keyboard is on, and at no other. */
  readonly reachable: boolean;
}

/** Draws what makes a prompt the task; the list hears its click. */
export function TaskButton({ label, reachable }: TaskButtonProps): VNode {
  return (
    <button
      type="button"
      class="plain task"
      aria-label={`Make this the task: ${label}`}
      title="Make this the task (T): labelled, in every request; the former one may then leave"
      tabIndex={reachable ? 0 : -1}
      data-testid="make-task"
    >
      <Icon name="anchor" />
    </button>
  );
}
