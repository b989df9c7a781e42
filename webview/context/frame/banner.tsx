import type { VNode } from 'preact';
import { Icon } from '../../ui/icon';

export interface BannerProps {
  /** What stands in the way of the agent, or why a wish of the user's was not fulfilled. */
  readonly kind: 'problem' | 'refusal';
  readonly message: string;
  readonly action: { readonly label: string; readonly run: () => void };
}

/** Draws one line that wants to be read, with the button that helps. */
export function Banner({ kind, message, action }: BannerProps): VNode {
  return (
    <div class={`banner ${kind}`} role={kind === 'problem' ? 'alert' : 'status'} data-testid={kind}>
      <Icon name="warning" />
      <span class="message">{message}</span>
      <button type="button" class="plain link" onClick={action.run}>
        {action.label}
      </button>
    </div>
  );
}
