import type { VNode } from 'preact';
import type {
  Activity,
  Problem,
  SettingNotice,
  Silence,
} from '../../src/editor/conversation/state';
import { Icon, Mark } from '../kit/icon';
import { Countdown, formatRunning, RunningTime } from '../kit/runningTime';
import { formatNumber } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';

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

/** What is wrong with settings, with buttons that help. */
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
export function Refusal(): VNode | null {
  const { refusal } = useAgentView();
  if (refusal.value === undefined) return null;
  return (
    <div class="banner" role="alert" data-testid="refusal">
      <Icon name="warning" />
      <p>{refusal.value}</p>
      <button
        type="button"
        class="plain quiet"
        aria-label="Dismiss"
        title="Dismiss"
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
        {message} Try {attempt} of {tries} <Countdown until={until} />.
      </p>
      <Button data-testid="try-now" onClick={() => store.wish({ type: 'tryNow' })}>
        Try now
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
        Nothing has come from the server for <RunningTime since={since} />.
        {until !== undefined && ` After ${formatRunning(until - since)} it is asked anew.`}
      </p>
    </div>
  );
}

/** A pass waits for review in the Context panel. */
export function ReviewNotice(): VNode {
  const store = useAgentView();
  return (
    <div class="banner" data-testid="review-notice">
      <Mark size={16} />
      <p>Review this pass: see what would leave the window.</p>
      <Button
        appearance="primary"
        data-testid="review-open"
        onClick={() => store.wish({ type: 'openContextPanel' })}
      >
        Show
      </Button>
    </div>
  );
}

/** Files were restored, with an Undo button. */
export function RestoredNotice({ files }: { readonly files: number }): VNode {
  const store = useAgentView();
  return (
    <div class="banner" role="status" data-testid="restored">
      <p>{files === 1 ? '1 file was put back.' : `${formatNumber(files)} files were put back.`}</p>
      <button
        type="button"
        class="plain link"
        data-testid="undo-restore"
        onClick={() => store.wish({ type: 'undoRestore' })}
      >
        Undo
      </button>
    </div>
  );
}
