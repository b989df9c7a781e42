import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../ui/icon';
import { shownTabPanel, useFocusHeir } from '../parts/useFocusHeir';

export interface BannerProps {
  /**
   * What stands in the way of the agent, why a wish of the user's was not fulfilled, or what waits
   * for the user elsewhere.
   */
  readonly kind: 'problem' | 'refusal' | 'waiting';
  readonly message: string;
  readonly action: { readonly label: string; readonly run: () => void };
}

/** Draws one line that wants to be read, with the button that helps. */
export function Banner({ kind, message, action }: BannerProps): VNode {
  const banner = useRef<HTMLDivElement>(null);
  useFocusHeir(banner, { gone: shownTabPanel });
  return (
    <div
      ref={banner}
      class={`banner ${kind}`}
      role={kind === 'problem' ? 'alert' : 'status'}
      data-testid={kind}
    >
      <Icon name="warning" />
      <span class="message">{message}</span>
      <button type="button" class="plain link" onClick={action.run}>
        {action.label}
      </button>
    </div>
  );
}
