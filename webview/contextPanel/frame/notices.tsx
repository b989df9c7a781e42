import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../kit/icon';
import { shownTabPanel, useFocusAfterRemoval, travelGroup } from '../parts/keyboardFocus';
import { Button } from '../../kit/toolkit';
import type { SendWish } from '../store/panelStore';
import type { SourceView, TravelView } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';

export interface BannerProps {
  /**
   * What stands in the way of the agent, why a wish was refused, or what waits for the user
   * elsewhere.
   */
  readonly kind: 'problem' | 'refusal' | 'waiting';
  readonly message: string;
  /** Absent where the user can do nothing about it here. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/**
 * Draws one line that should be read, with the button that helps. A refusal covers whatever else is
 * at the end of the view, so that is scrolled when it has the focus.
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

/** Explains the map in three sentences, once. */
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
        The bar is everything the model reads with its next request, to scale, with the lines at
        which room is made. A pass begins above the high watermark and takes the oldest and least
        useful out until the low one is reached. Whatever left stays in the list below: you can look
        at it, read why it went, and bring it back.
      </p>
      <Button onClick={() => wish({ type: 'dismissIntro' })} data-testid="dismiss-intro">
        Got it
      </Button>
    </section>
  );
}

/** Says once that a default in tokens decides when passes run, and leads to its setting. */
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

export interface CapNoticeProps {
  readonly message: string;
  readonly wish: SendWish;
}

export interface PastNoticeProps {
  readonly source: SourceView;
  readonly travel: TravelView;
  /** The step shown. */
  readonly at: number;
  /** Tokens in the window at that step. */
  readonly used: number;
  readonly wish: SendWish;
}

/** Says that a moment of the past is shown, and leads back. */
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

/** Says what the recorded agent's own request held, and where a difference comes from. */
function recordedWords(recorded: number, used: number): string {
  const held = `The recorded agent's own held ${formatNumber(recorded)} tokens by its server's count`;
  if (recorded === used) return `${held}, as this one. `;
  const difference = `${formatNumber(Math.abs(recorded - used))} ${recorded > used ? 'more' : 'fewer'}`;
  return `${held}, ${difference}: what passes of either agent, and cuts of results on their way in, changed. `;
}

/** Says what was sent; for a replay nothing was. */
function sentWords(source: SourceView): string {
  const isReplay = source.type === 'recording' && source.asItWas !== true;
  return !isReplay ? 'its request was sent' : 'Plimsoll would have sent its request';
}
