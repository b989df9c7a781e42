import type { ToolUseId } from '../../../src/contextWindow/block';
import { entered, type NewEvent, type SessionEvent } from '../../../src/contextWindow/event';

export const started: NewEvent = {
  type: 'sessionStarted',
  version: 3,
  sessionId: 's-1',
  pinTaskAnchor: true,
};

export const prompt = (text: string): NewEvent => ({
  type: 'promptSubmitted',
  text,
  admission: { form: 'whole' },
});

/** A reply that runs one command for each of these call ids. */
export const callsTools = (...ids: readonly string[]): NewEvent => ({
  type: 'replyReceived',
  model: 'm',
  parts: [
    { type: 'text', text: 'I look.' },
    ...ids.map((id) => ({
      type: 'toolUse' as const,
      use: { id: id as ToolUseId, name: 'run_command', input: { command: `make ${id}` } },
    })),
  ],
  stopReason: 'tool_use',
  usage: { inputTokens: 10, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 5 },
  durationMs: 12,
});

export const finished = (id: string): NewEvent => ({
  type: 'toolFinished',
  toolUseId: id as ToolUseId,
  text: `made ${id}`,
  isError: false,
  origin: 'ran',
  durationMs: 3,
  admission: { form: 'whole' },
});

/** Dates events 1, 2, 3 ... and numbers their turns and steps. */
export function dated(...events: readonly NewEvent[]): readonly SessionEvent[] {
  let turn = 0;
  let step = 0;
  return events.map((event, index) => {
    const complete = entered(event, index + 1, { turn, step, note: 0 });
    if (complete.type === 'promptSubmitted') turn = complete.turn;
    if (complete.type === 'replyReceived') step = complete.step;
    return complete;
  });
}

/** The events as lines of a log. */
export function asLog(events: readonly SessionEvent[]): string {
  return events
    .map((event, index) => `${JSON.stringify({ ...event, line: index + 1 })}\n`)
    .join('');
}
