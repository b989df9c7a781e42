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
