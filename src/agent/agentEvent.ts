import type { FurtherEdit } from './approvals/editsTogether';
import type { ToolUse } from '../contextWindow/block';
import type { Pass, Trigger } from '../contextWindow/plan';
import type { ModelWait } from './model';

import type { Unruled } from './approvals/decide';
import { redactedIn } from './secrets/knownSecrets';
import { maskedIn, RedactedStream } from './secrets/secrets';
import type { ApprovalRequest } from './tool';

/**
 * What happens during a turn. The session's log holds everything lasting; these events tell a view
 * when to look, and carry what is only shown live.
 */
export type AgentEvent =
  | { readonly type: 'askStarted'; readonly step: number }
  | { readonly type: 'textDelta'; readonly step: number; readonly text: string }
  /**
   * More of the model's thinking; `restarts` means that the reply starts over, and its thinking too.
   */
  | {
      readonly type: 'thinkingDelta';
      readonly step: number;
      readonly text: string;
      readonly restarts?: true;
    }
  | { readonly type: 'toolUseStreaming'; readonly step: number; readonly name: string }
  | ModelWait
  | { readonly type: 'replyReceived'; readonly step: number }
  | {
      readonly type: 'approvalAsked';
      readonly use: ToolUse;
      readonly request: ApprovalRequest;
      /** Rules that would answer it; absent when no rule can. */
      readonly unruled?: Unruled;
      /** Other edits of this reply that the same answer may cover. */
      readonly further?: readonly FurtherEdit[];
      /** The sub-agent that asks; absent for the agent itself. */
      readonly by?: string;
    }
  | { readonly type: 'approvalAnswered'; readonly use: ToolUse; readonly approved: boolean }
  | { readonly type: 'toolStarted'; readonly use: ToolUse }
  | { readonly type: 'toolOutput'; readonly use: ToolUse; readonly text: string }
  | { readonly type: 'toolFinished'; readonly use: ToolUse }
  | { readonly type: 'counting' }
  | { readonly type: 'passStarted'; readonly trigger: Trigger }
  /** A pass waits for the user's answer. */
  | { readonly type: 'passProposed'; readonly trigger: Trigger }
  /** The pass in review is being planned again, or is shown again. */
  | { readonly type: 'reviewChanged' }
  | { readonly type: 'passReviewed'; readonly applied: boolean }
  | { readonly type: 'passFinished'; readonly pass: Pass }
  /** Tells the user something that stops nothing, such as an estimate used instead of a count. */
  | { readonly type: 'notice'; readonly message: string }
  /** A notice that the next event must not hide. */
  | { readonly type: 'warning'; readonly message: string };

/** Passes on the events of a turn with every secret replaced by a mark. */
export async function* redactedEvents<T>(
  events: AsyncGenerator<AgentEvent, T>,
): AsyncGenerator<AgentEvent, T> {
  const streams = new Map<string, { readonly stream: RedactedStream; readonly last: Streamed }>();
  const ended = function* (names: readonly string[]): Generator<AgentEvent> {
    for (const name of names) {
      const { stream, last } = streams.get(name) ?? {};
      streams.delete(name);
      const text = stream?.end() ?? '';
      if (last !== undefined && text !== '') yield { ...last, text };
    }
  };
  try {
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) {
      const event = next.value;
      if (isStreamed(event)) {
        const name = nameOf(event);
        const stream =
          streams.get(name)?.stream ??
          new RedactedStream(event.type === 'toolOutput' ? 'all' : 'known');
        const last = redactedIn(event);
        streams.set(name, { stream, last });
        const text = stream.push(event.text);
        if (text !== '') yield { ...last, text };
        continue;
      }
      yield* ended(endedBy(event));
      // A question may show a file that was never read.
      yield event.type === 'approvalAsked' ? maskedIn(event) : redactedIn(event);
    }
    yield* ended([...streams.keys()]);
    return redactedIn(next.value);
  } finally {
    // If the consumer stops early, the turn must end too.
    await events.return(undefined as T);
  }
}

type Streamed = Extract<
  AgentEvent,
  { readonly type: 'textDelta' | 'thinkingDelta' | 'toolOutput' }
>;

/** An `restarts` event carries no text, and ends the stream before it. */
function isStreamed(event: AgentEvent): event is Streamed {
  if (event.type === 'thinkingDelta') return event.restarts !== true;
  return event.type === 'textDelta' || event.type === 'toolOutput';
}

/** Several tools can run at the same time, each with its own output. */
function nameOf(event: Streamed): string {
  if (event.type === 'toolOutput') return `output of ${event.use.id}`;
  return event.type === 'textDelta' ? 'reply' : 'thinking';
}

/** The streams that end with this event. */
function endedBy(event: AgentEvent): readonly string[] {
  if (event.type === 'toolFinished') return [`output of ${event.use.id}`];
  if (event.type === 'thinkingDelta') return ['thinking'];
  return event.type === 'replyReceived' || event.type === 'retrying' ? ['thinking', 'reply'] : [];
}
