import type { VNode } from 'preact';
import { Mark } from '../ui/mark';

/** Says what to do in a session that has not begun. */
export function EmptyState(): VNode {
  return (
    <main class="empty" data-testid="empty">
      <Mark size={40} />
      <p>
        Give the agent a task in this workspace. It asks before it edits a file or runs a command.
      </p>
      <p class="quiet">The Context panel shows, block by block, what the model sees.</p>
    </main>
  );
}
