import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icon';
import { shownTabPanel, useFocusHeir } from '../parts/useFocusHeir';

export interface BannerProps {
  /**
   * What stands in the way of the agent, why a wish of the user's was not fulfilled, or what waits
   * for the user elsewhere.
   */
  readonly kind: 'problem' | 'refusal' | 'waiting';
  readonly message: string;
  /** Absent where nothing the user can do here helps. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/**
 * Draws one line that wants to be read, with the button that helps. A refusal stands over what else is
 * at the end of the view: what has the focus gives way to it.
 */
export function Banner({ kind, message, action }: BannerProps): VNode {
  const banner = useRef<HTMLDivElement>(null);
  useFocusHeir(banner, { gone: shownTabPanel });
  useLayoutEffect(() => {
    if (kind === 'refusal') document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [message]);
  return (
    <div
      ref={banner}
      class={`banner ${kind}`}
      role={kind === 'waiting' ? 'status' : 'alert'}
      data-testid={kind}
    >
      <Icon name="warning" />
      <span class="message">{message}</span>
      {action !== undefined && (
        <button type="button" class="plain link" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
