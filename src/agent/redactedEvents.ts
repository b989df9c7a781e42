import type { AgentEvent } from './agentEvent';
import { redactedIn, RedactedStream } from './secrets';

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
