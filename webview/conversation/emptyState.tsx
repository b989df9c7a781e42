import type { VNode } from 'preact';
import type { AgentWish } from '../../src/editor/conversation/wishes';
import type { Conversation, StartView } from '../../src/editor/conversation/state';
import { Mark } from '../kit/icon';
import { useAgentView } from './agentViewStore';
import { WORDS } from './words';

interface EmptyStateProps {
  readonly start: StartView | undefined;
  readonly mode: Conversation['mode'];
}

/** Shown in a session that has no prompt yet: what to do, and one click to each way to begin. */
export function EmptyState({ start, mode }: EmptyStateProps): VNode {
  const { key, demo, session } = WORDS.start;
  return (
    <main class="empty" data-testid="empty">
      <Mark size={40} />
      <p>
        {WORDS.view.empty} {WORDS.view.emptyIn[mode]}
      </p>
      {start === undefined ? (
        <p class="quiet">{WORDS.view.emptyHint}</p>
      ) : (
        <ul class="offers" aria-label={WORDS.start.title}>
          {start.needsKey && <Offer {...key} wish={{ type: 'setApiKey' }} testId="use-key" />}
          <Offer {...demo} wish={{ type: 'tryDemo' }} testId="try-demo" />
          {start.otherAgents.length > 0 && (
            <Offer
              name={session.name}
              says={session.says(start.otherAgents)}
              wish={{ type: 'inspectSession' }}
              testId="see-session"
            />
          )}
        </ul>
      )}
    </main>
  );
}

interface OfferProps {
  readonly name: string;
  readonly says: string;
  readonly wish: AgentWish;
  readonly testId: string;
}

function Offer({ name, says, wish, testId }: OfferProps): VNode {
  const store = useAgentView();
  return (
    <li>
      <button
        type="button"
        class="plain offer"
        data-testid={testId}
        onClick={() => store.wish(wish)}
      >
        <strong>{name}</strong>
        <span class="small quiet">{says}</span>
      </button>
    </li>
  );
}
