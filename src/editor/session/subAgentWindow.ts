import type { ToolUseId } from '../../contextWindow/block';
import type { SessionEvent } from '../../contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../contextWindow/fold';
import { subAgentsIn } from '../../contextWindow/subAgentLog';
import type { ContextWindow } from '../../contextWindow/window';
import type { Inspected } from './inspected';
import type { WindowView } from './state';

/** The window of one sub-agent, which grows while it works. */
export class SubAgentWindow {
  #session: readonly SessionEvent[] = [];
  #read = 0;
  #events: SessionEvent[] = [];
  #window: ContextWindow = EMPTY_WINDOW;

  constructor(readonly toolUseId: ToolUseId) {}

  /** What the Context panel shows of it; undefined if its session is not the one given. */
  of(parent: Inspected): Inspected | undefined {
    this.#follow(parent.events);
    const progress = subAgentsIn(parent.events).find((one) => one.toolUseId === this.toolUseId);
    if (progress === undefined) return undefined;
    const { model } = this.#window;
    // After a crash its log does not end.
    const isAtWork = progress.isAtWork && parent.busy;
    return {
      source: {
        type: 'recording',
        file: progress.name,
        format: 'subAgent',
        following: isAtWork,
        asItWas: true,
        notes: [],
      },
      title: parent.title,
      model: model ?? parent.model,
      offline: parent.offline,
      events: this.#events,
      window: this.#window,
      inForce: parent.inForce,
      policy: parent.policy,
      busy: isAtWork,
      pendingPass: undefined,
      problem: undefined,
      reviewWaits: parent.pendingPass !== undefined,
    };
  }

  /** Folds what the session got since; the session's events are one list that grows. */
  #follow(session: readonly SessionEvent[]): void {
    if (session !== this.#session || session.length < this.#read) {
      this.#session = session;
      this.#read = 0;
      this.#events = [];
      this.#window = EMPTY_WINDOW;
    }
    for (; this.#read < session.length; this.#read += 1) {
      const event = session[this.#read];
      if (event?.type !== 'subAgentEvent' || event.toolUseId !== this.toolUseId) continue;
      this.#events.push(event.event);
      this.#window = applyEvent(this.#window, event.event);
    }
  }
}

/** The windows of a session: its own, then those of its sub-agents; none if it has no others. */
export function windowViews(
  { events, busy }: Pick<Inspected, 'events' | 'busy'>,
  shown: ToolUseId | undefined,
): readonly WindowView[] | undefined {
  const agents = subAgentsIn(events);
  if (agents.length === 0) return undefined;
  return [
    { isShown: shown === undefined },
    ...agents.map(({ toolUseId, name, tokens, isAtWork }) => ({
      toolUseId,
      name,
      tokens,
      isAtWork: isAtWork && busy,
      isShown: toolUseId === shown,
    })),
  ];
}
