import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToolUse, ToolUseId } from '../../src/contextWindow/block';
import { Publisher } from '../../src/editor/publisher';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const USE: ToolUse = { id: 'toolu_1' as ToolUseId, name: 'run_command', input: {} };

function scene(drawingMs = 0) {
  const posted: unknown[] = [];
  const publisher = new Publisher(
    [
      {
        publish: () => {
          posted.push('state');
          vi.setSystemTime(Date.now() + drawingMs);
        },
      },
    ],
    { post: (fact) => posted.push(fact) },
    Date.now,
  );
  return { publisher, posted };
}

describe('the publisher', () => {
  it('joins the text of 50 ms into one post, without deriving the state for it', () => {
    const { publisher, posted } = scene();
    for (const text of ['Look', 'ing ', 'at it'])
      publisher.heard({ type: 'textDelta', step: 1, text });
    vi.advanceTimersByTime(49);
    expect(posted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(posted).toEqual([{ type: 'replyStreamed', step: 1, text: 'Looking at it' }]);
  });

  it('streams thinking separately from the reply, and posts it whole when it starts again', () => {
    const { publisher, posted } = scene();
    publisher.heard({ type: 'thinkingDelta', step: 1, text: 'Lost' });
    publisher.heard({ type: 'thinkingDelta', step: 1, text: '', restarts: true });
    publisher.heard({ type: 'thinkingDelta', step: 1, text: 'Kept' });
    publisher.heard({ type: 'textDelta', step: 1, text: 'Said' });
    vi.advanceTimersByTime(50);
    expect(posted).toEqual([
      { type: 'thinkingStreamed', step: 1, text: 'Lost' },
      { type: 'thinkingStreamed', step: 1, text: 'Kept', whole: true },
      { type: 'replyStreamed', step: 1, text: 'Said' },
    ]);
  });

  it('derives the state once for many changes, after the earlier text', () => {
    const { publisher, posted } = scene();
    publisher.changed();
    publisher.heard({ type: 'toolOutput', use: USE, text: 'ok' });
    publisher.heard({ type: 'toolFinished', use: USE });
    publisher.changed();
    vi.advanceTimersByTime(500);
    expect(posted).toEqual([
      { type: 'toolOutputStreamed', toolUseId: 'toolu_1', text: 'ok' },
      'state',
    ]);
  });

  it('leaves the host four fifths of the time if deriving takes long, and streams meanwhile', () => {
    const { publisher, posted } = scene(100);
    publisher.changed();
    vi.advanceTimersByTime(50);
    publisher.changed();
    publisher.heard({ type: 'textDelta', step: 1, text: 'Hello' });
    vi.advanceTimersByTime(350);
    expect(posted).toEqual(['state', { type: 'replyStreamed', step: 1, text: 'Hello' }]);
    vi.advanceTimersByTime(50);
    expect(posted.at(-1)).toBe('state');
    vi.advanceTimersByTime(1_000);
    expect(posted).toHaveLength(3);
  });

  it('keeps thinking visible while the request is retried', () => {
    const { publisher, posted } = scene();
    publisher.heard({ type: 'askStarted', step: 3 });
    publisher.heard({ type: 'textDelta', step: 3, text: 'Half a' });
    publisher.heard({
      type: 'retrying',
      attempt: 2,
      tries: 10,
      message: 'Overloaded.',
      until: 1_000,
      tryNow: () => undefined,
    });
    publisher.heard({ type: 'askedAgain', attempt: 2 });
    publisher.heard({ type: 'textDelta', step: 3, text: 'Whole.' });
    vi.advanceTimersByTime(50);
    expect(posted).toEqual([{ type: 'replyStreamed', step: 3, text: 'Half aWhole.' }, 'state']);
  });

  it('posts nothing twice to a view that just got everything', () => {
    const { publisher, posted } = scene();
    publisher.heard({ type: 'textDelta', step: 1, text: 'Hello' });
    publisher.dropStreamed();
    vi.advanceTimersByTime(50);
    expect(posted).toEqual([]);
  });
});
