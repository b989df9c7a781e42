import type { FurtherEdit } from './approvals/editsTogether';
import type { ToolUse } from '../contextWindow/block';
import type { Pass, Trigger } from '../contextWindow/plan';
import type { ModelWait } from './model';

import type { Unruled } from './approvals/choices';
import { redactedIn, RedactedStream } from './secrets';
import type { ApprovalRequest } from './tool';

/**
 * What happens during a turn, as it happens. Lasting facts are also in the session's log; these
 * events tell a view when to look, and carry what is only of the moment.
 */
export type AgentEvent =
  | { readonly type: 'askStarted'; readonly step: number }
  | { readonly type: 'textDelta'; readonly step: number; readonly text: string }
  /** More of what the model thinks; with `anew` the reply is written anew, and so is its thinking. */
  | {
      readonly type: 'thinkingDelta';
      readonly step: number;
      readonly text: string;
      readonly anew?: true;
    }
  | { readonly type: 'toolUseStreaming'; readonly step: number; readonly name: string }
  | ModelWait
  | { readonly type: 'replyReceived'; readonly step: number }
  | {
      readonly type: 'approvalAsked';
      readonly use: ToolUse;
      readonly request: ApprovalRequest;
      /** What rules would answer it; absent where there are none to be made. */
      readonly unruled?: Unruled;
      /** Edits of the same reply that may be answered along with this one. */
      readonly further?: readonly FurtherEdit[];
    }
  | { readonly type: 'approvalAnswered'; readonly use: ToolUse; readonly approved: boolean }
  | { readonly type: 'toolStarted'; readonly use: ToolUse }
  | { readonly type: 'toolOutput'; readonly use: ToolUse; readonly text: string }
  | { readonly type: 'toolFinished'; readonly use: ToolUse }
  | { readonly type: 'counting' }
  | { readonly type: 'passStarted'; readonly trigger: Trigger }
  /** A pass waits for the user's answer, or has got it. */
  | { readonly type: 'passProposed'; readonly trigger: Trigger }
  | { readonly type: 'passReviewed'; readonly applied: boolean }
  | { readonly type: 'passFinished'; readonly pass: Pass }
  /**
   * Something the user should know that stops nothing, for example that an estimate stands in for a
   * count.
   */
  | { readonly type: 'notice'; readonly message: string }
  /** The same, where the next event must not hide it. */
  | { readonly type: 'warning'; readonly message: string };

/** Passes on what happens in a turn, with a mark in the place of each secret. */
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
        const stream = streams.get(name)?.stream ?? new RedactedStream();
        const last = redactedIn(event);
        streams.set(name, { stream, last });
        const text = stream.push(event.text);
        if (text !== '') yield { ...last, text };
        continue;
      }
      yield* ended(endedBy(event));
      yield redactedIn(event);
    }
    yield* ended([...streams.keys()]);
    return redactedIn(next.value);
  } finally {
    // Who stops listening ends the turn.
    await events.return(undefined as T);
  }
}

type Streamed = Extract<
  AgentEvent,
  { readonly type: 'textDelta' | 'thinkingDelta' | 'toolOutput' }
>;

/** That thinking begins anew is no text, and ends what was there. */
function isStreamed(event: AgentEvent): event is Streamed {
  if (event.type === 'thinkingDelta') return event.anew !== true;
  return event.type === 'textDelta' || event.type === 'toolOutput';
}

/** Several tools can run at once, each with an output of its own. */
function nameOf(event: Streamed): string {
  if (event.type === 'toolOutput') return `output of ${event.use.id}`;
  return event.type === 'textDelta' ? 'reply' : 'thinking';
}

/** The streams that have come to their end when something else happens. */
function endedBy(event: AgentEvent): readonly string[] {
  if (event.type === 'toolFinished') return [`output of ${event.use.id}`];
  if (event.type === 'thinkingDelta') return ['thinking'];
  return event.type === 'replyReceived' || event.type === 'retrying' ? ['thinking', 'reply'] : [];
}
