import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../kit/icon';
import { shownTabPanel, useFocusAfterRemoval, travelGroup } from '../parts/keyboardFocus';
import { Button } from '../../kit/toolkit';
import type { SendWish } from '../store/panelStore';
import type { TravelView } from '../../../src/editor/contextPanel/state';
import type { SourceView } from '../../../src/editor/session/state';
import { formatNumber } from '../../kit/tokens';

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
        The bar is everything the model reads with its next request, to scale. A pass begins above
        the high watermark and removes the oldest and least useful blocks until the low one is
        reached. Removed blocks stay in the list below: you can read them, see why they were
        removed, and restore them.
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

interface PastNoticeProps {
  readonly source: SourceView;
  readonly travel: TravelView;
  /** The step shown. */
  readonly at: number;
  /** Tokens in the window at that step. */
  readonly used: number;
  readonly wish: SendWish;
}

/** Says that a past step is shown, with the way back to now. */
export function PastNotice({ source, travel, at, used, wish }: PastNoticeProps): VNode {
  const notice = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(notice, { gone: travelGroup });
  return (
    <div ref={notice} class="notice past" role="status" data-testid="past-notice">
      <span class="message">
        Step {formatNumber(at)} of {formatNumber(travel.last)}: the window as {sentWords(source)}.{' '}
        {travel.recordedTokens !== undefined && recordedWords(travel.recordedTokens, used)}
        {travel.budgetOfToday === true && 'The log does not hold its budget, so today’s is shown. '}
        Nothing can be changed here.
      </span>
      <button
        type="button"
        class="plain link"
        onClick={() => wish({ type: 'travelTo', at: 'now' })}
        data-testid="back-to-now"
      >
        Back to now
      </button>
    </div>
  );
}

/** Compares with the size of the recorded agent's own request, and explains the difference. */
function recordedWords(recorded: number, used: number): string {
  const held = `The recorded agent's own request held ${formatNumber(recorded)} tokens by its server's count`;
  if (recorded === used) return `${held}, the same as this one. `;
  const difference = `${formatNumber(Math.abs(recorded - used))} ${recorded > used ? 'more' : 'fewer'}`;
  return `${held}, ${difference}. The difference comes from passes and truncated results. `;
}

function sentWords(source: SourceView): string {
  const isReplay = source.type === 'recording' && source.asItWas !== true;
  return !isReplay ? 'its request was sent' : 'Plimsoll would have sent its request';
}
