import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Conversation } from '../../src/protocol/agentView';
import { Icon } from '../ui/icon';
import { StreamedReplies } from './streamedReplies';
import { Turn } from './turn';
import { useFollowNewest } from './useFollowNewest';

/** Shows every turn and keeps the newest in sight unless the user has scrolled up. */
export function TurnList({ conversation }: { readonly conversation: Conversation }): VNode {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const turnsAndQueue = conversation.turns.length + conversation.queued.length;
  const { isFollowing, follow } = useFollowNewest(scroller, content, turnsAndQueue);
  const last = conversation.turns.at(-1)?.turn;
  return (
    <div class="turns-frame">
      <main class="turns" ref={scroller} aria-label="Conversation" tabIndex={0}>
        <div ref={content}>
          {conversation.turns.map((turn) => (
            <Turn
              key={turn.turn}
              turn={turn}
              isOffline={turn.offline ?? conversation.offline}
              activity={conversation.activity}
            >
              {turn.turn === last && <StreamedReplies />}
            </Turn>
          ))}
        </div>
      </main>
      {!isFollowing && (
        <button type="button" class="newest plain small" data-testid="newest" onClick={follow}>
          <Icon name="down" /> Newest
        </button>
      )}
    </div>
  );
}
