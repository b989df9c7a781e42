import type { VNode } from 'preact';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { Button } from '../../ui/toolkit';
import { MemoryLine } from '../map/memoryLine';
import type { PanelStore } from '../panelStore';
import { SessionActions } from './sessionActions';
import { sessionFacts } from './sessionFacts';

export interface SessionTabProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Tells of the session as a whole, and offers what can be done with it. */
export function SessionTab({ store, context }: SessionTabProps): VNode {
  const { memory, turn, source } = context;
  const isEmpty = turn === 0 && source.type === 'session';
  return (
    <div class="session">
      <h2 class="spoken">{source.type === 'recording' ? 'Recording' : 'Session'}</h2>
      {isEmpty && (
        <div class="empty">
          <p class="quiet">
            No session yet: ask the agent something, or open a recording to see what left its
            window.
          </p>
          <div class="answers">
            <Button
              appearance="primary"
              onClick={() => store.wish({ type: 'openAgentView' })}
              data-testid="open-agent"
            >
              Ask the Agent
            </Button>
          </div>
        </div>
      )}
      <dl class="facts" data-testid="session-facts">
        {sessionFacts(context, store.timeline.value?.totals).map(({ name, value }) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MemoryLine memory={memory} />
      <SessionActions context={context} wish={store.wish} look={store.look} />
    </div>
  );
}
