import { promptTokens } from './account/spending';
import type { ToolUseId } from './block';
import type { SessionEvent, WindowEvent } from './event';

/** The log of the sub-agent that a call started: the fold of it is the sub-agent's window. */
export function subAgentLog(
  events: readonly SessionEvent[],
  toolUseId: ToolUseId | string,
): readonly WindowEvent[] {
  return events.flatMap((event) =>
    event.type === 'subAgentEvent' && event.toolUseId === toolUseId ? [event.event] : [],
  );
}

/** How far a sub-agent is. */
export interface SubAgentProgress {
  readonly toolUseId: ToolUseId;
  readonly name: string;
  readonly steps: number;
  /** Tokens of its newest request, as the API counted them; absent before its first reply. */
  readonly tokens?: number;
  /** Its turn has not ended. */
  readonly isAtWork: boolean;
}

/** The progress after one more event; undefined if the event begins no sub-agent. */
export function progressAfter(
  before: SubAgentProgress | undefined,
  toolUseId: ToolUseId,
  event: WindowEvent,
): SubAgentProgress | undefined {
  if (event.type === 'sessionStarted') {
    return { toolUseId, name: event.subAgent ?? '', steps: 0, isAtWork: true };
  }
  if (before === undefined) return undefined;
  if (event.type === 'replyReceived') {
    const tokens = promptTokens(event.usage);
    return { ...before, steps: event.step, ...(tokens === 0 ? {} : { tokens }) };
  }
  return event.type === 'turnEnded' ? { ...before, isAtWork: false } : before;
}

/** A session's events as read so far. */
interface Read {
  count: number;
  readonly found: Map<ToolUseId, SubAgentProgress>;
}

/** A cache: the panel asks several times a second, and the events of a session only get more. */
const READ = new WeakMap<readonly SessionEvent[], Read>();

/** The sub-agents of a session, in the order in which they began. */
export function subAgentsIn(events: readonly SessionEvent[]): readonly SubAgentProgress[] {
  const read = READ.get(events) ?? { count: 0, found: new Map() };
  READ.set(events, read);
  for (; read.count < events.length; read.count += 1) {
    const event = events[read.count];
    if (event?.type !== 'subAgentEvent') continue;
    const { toolUseId } = event;
    const after = progressAfter(read.found.get(toolUseId), toolUseId, event.event);
    if (after !== undefined) read.found.set(toolUseId, after);
  }
  return [...read.found.values()];
}
