import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../kit/icon';
import { shownTabPanel, useFocusAfterRemoval } from '../parts/keyboardFocus';
import { Button } from '../../kit/toolkit';
import type { SendWish } from '../store/panelStore';

export interface BannerProps {
  /** A problem of the agent, the reason a wish was refused, or a question that waits elsewhere. */
  readonly kind: 'problem' | 'refusal' | 'waiting';
  readonly message: string;
  /** Absent if the user can do nothing about it here. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/**
 * Draws one important line, with the button that helps. A refusal covers the end of the view, so
 * the view scrolls if the focus is there.
 */
export function Banner({ kind, message, action }: BannerProps): VNode {
  const banner = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(banner, { gone: shownTabPanel });
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

/** Explains the bar in three sentences, once. */
export function Intro({ wish }: { readonly wish: SendWish }): VNode {
  const intro = useRef<HTMLElement>(null);
  useFocusAfterRemoval(intro, { gone: shownTabPanel });
  return (
    <section
      ref={intro}
      class="notice intro"
      aria-label="What this panel shows"
      data-testid="intro"
    >
      <p class="message">
        The bar is everything the model reads with its next request; click a part for its details.
        At the mark a pass removes the oldest and least useful blocks. Removed blocks stay in the
        list: you can read them, see why they were removed, and restore them.
      </p>
      <Button onClick={() => wish({ type: 'dismissIntro' })} data-testid="dismiss-intro">
        Got it
      </Button>
    </section>
  );
}

/** Says once that a default in tokens decides when passes run, with a link to its setting. */
export function CapNotice({ message, wish }: CapNoticeProps): VNode {
  const notice = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(notice, { gone: shownTabPanel });
  return (
    <div ref={notice} class="notice" role="status" data-testid="cap-notice">
      <span class="message">{message}</span>
      <button
        type="button"
        class="plain link"
        onClick={() => wish({ type: 'openWatermarkSettings' })}
        data-testid="cap-settings"
      >
        Settings
      </button>
      <button
        type="button"
        class="plain link"
        onClick={() => wish({ type: 'dismissCapNotice' })}
        data-testid="dismiss-cap"
      >
        Got it
      </button>
    </div>
  );
}

interface CapNoticeProps {
  readonly message: string;
  readonly wish: SendWish;
}
