import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type {
  Activity,
  ColdPassView,
  Problem,
  SettingNotice,
  Silence,
} from '../../src/editor/conversation/state';
import { Icon, Mark } from '../kit/icon';
import { Countdown, formatRunning, RunningTime } from '../kit/runningTime';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { WORDS } from './words';

type Waiting = Extract<Activity, { readonly state: 'waiting' }>;

/** A problem that prevents a turn, with the button that helps. */
export function ProblemBanner({ problem }: { readonly problem: Problem }): VNode {
  const store = useAgentView();
  const { message, action } = problem;
  return (
    <div class="banner" role="alert" data-testid="problem">
      <Icon name="warning" />
      <p>{message}</p>
      {action && (
        <Button data-testid="problem-action" onClick={() => store.wish(action.wish)}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** The errors in settings, with buttons that fix them. */
export function SettingNotices({ notices }: { readonly notices: readonly SettingNotice[] }): VNode {
  const store = useAgentView();
  return (
    <>
      {notices.map(({ setting, message, actions }) => (
        <div class="banner" role="status" data-testid="setting-notice" data-setting={setting}>
          <Icon name="warning" />
          <p>{message}</p>
          {actions.map(({ label, wish }) => (
            <Button key={label} data-testid="setting-action" onClick={() => store.wish(wish)}>
              {label}
            </Button>
          ))}
        </div>
      ))}
    </>
  );
}

/** Why the host refused the last wish; stays until dismissed or until the next wish. */
export function RefusalBanner(): VNode | null {
  const { refusal } = useAgentView();
  if (refusal.value === undefined) return null;
  return (
    <div class="banner" role="alert" data-testid="refusal">
      <Icon name="warning" />
      <p>{refusal.value}</p>
      <button
        type="button"
        class="plain quiet"
        aria-label={WORDS.notices.dismiss}
        title={WORDS.notices.dismiss}
        onClick={() => (refusal.value = undefined)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}

/** What failed and when the next try follows, with a Try Now button. */
export function WaitNotice({ waiting }: { readonly waiting: Waiting }): VNode {
  const store = useAgentView();
  const { message, attempt, tries, until } = waiting;
  return (
    <div class="banner" role="status" data-testid="wait-notice">
      <Icon name="warning" />
      <p>
        {message} {WORDS.notices.attempt(attempt, tries)} <Countdown until={until} />.
      </p>
      <Button data-testid="try-now" onClick={() => store.wish({ type: 'tryNow' })}>
        {WORDS.notices.tryNow}
      </Button>
    </div>
  );
}

/** How long the server has sent nothing, and when Plimsoll repeats the request. */
export function SilenceNotice({ silence }: { readonly silence: Silence }): VNode {
  const { since, until } = silence;
  return (
    <div class="banner" role="status" data-testid="silence-notice">
      <Icon name="warning" />
      <p>
        {WORDS.notices.silence} <RunningTime since={since} />.
        {until !== undefined && ` ${WORDS.notices.asksAgain(formatRunning(until - since))}`}
      </p>
    </div>
  );
}

/**
 * A pass waits for review in the Context panel. What a cold prompt cache costs is asked here, too.
 */
export function ReviewNotice({ coldPass }: { readonly coldPass: ColdPassView | undefined }): VNode {
  const store = useAgentView();
  const [answered, setAnswered] = useState<number>();
  const answer = (choice: 'continue' | 'compact', { proposedPassId }: ColdPassView): void => {
    setAnswered(proposedPassId);
    store.wish({ type: 'answerColdPass', proposedPassId, choice });
  };
  return (
    <div class="banner" data-testid="review-notice">
      <Mark size={16} />
      <p>{coldPass?.cost ?? WORDS.notices.review}</p>
      {coldPass !== undefined && (
        <>
          <Button
            appearance="primary"
            disabled={answered === coldPass.proposedPassId}
            data-testid="cold-compact"
            onClick={() => answer('compact', coldPass)}
          >
            {WORDS.notices.compactFirst}
          </Button>
          <Button
            disabled={answered === coldPass.proposedPassId}
            data-testid="cold-continue"
            onClick={() => answer('continue', coldPass)}
          >
            {WORDS.notices.continue}
          </Button>
        </>
      )}
      <Button
        appearance={coldPass === undefined ? 'primary' : 'secondary'}
        data-testid="review-open"
        onClick={() => store.wish({ type: 'openContextPanel' })}
      >
        {WORDS.notices.showReview}
      </Button>
    </div>
  );
}

/** Files were restored, with an Undo button. */
export function RestoredNotice({ files }: { readonly files: number }): VNode {
  const store = useAgentView();
  return (
    <div class="banner" role="status" data-testid="restored">
      <p>{WORDS.notices.restored(files)}</p>
      <button
        type="button"
        class="plain link"
        data-testid="undo-restore"
        onClick={() => store.wish({ type: 'undoRestore' })}
      >
        {WORDS.notices.undoRestore}
      </button>
    </div>
  );
}
