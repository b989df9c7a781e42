import { describe, expect, it } from 'vitest';
import { isCountOfOtherContextEdits, withoutCompaction } from '../../src/agent/nextRequest';
import type { ContextEdit } from '../../src/contextWindow/contextEditing';
import type { NewEvent } from '../../src/contextWindow/event';
import { foldNew, promptEvent } from '../support/drawing';
import type { Message, MessagePart } from '../../src/contextWindow/request/blockMessages';

const text = (words: string): MessagePart => ({ type: 'text', text: words });
const thought: MessagePart = { type: 'thinking', thinking: 'Hm.', signature: 'x' };
const compaction = (content: string | null): MessagePart => ({ type: 'compaction', content });
const user = (...content: readonly MessagePart[]): Message => ({ role: 'user', content });
const says = (...content: readonly MessagePart[]): Message => ({ role: 'assistant', content });

describe('a request that asks for no compaction', () => {
  it('is sent unchanged if there is none', () => {
    const messages = [user(text('Go')), says(thought, text('Yes.')), user(text('On'))];
    expect(withoutCompaction(messages)).toEqual(messages);
  });

  it('has the API’s summary as text of the assistant', () => {
    expect(
      withoutCompaction([user(text('Go')), says(compaction('All so far.'), text('Yes.'))]),
    ).toEqual([
      user(text('Go')),
      says(text('[Summary by the API of everything before it]\nAll so far.'), text('Yes.')),
    ]);
  });

  it('omits a failed compaction, and a message that contains nothing else', () => {
    const messages = [user(text('Go')), says(compaction(null)), user(text('On'))];
    expect(withoutCompaction(messages)).toEqual([user(text('Go')), user(text('On'))]);
  });

  it('keeps the thinking before the compaction, and none after it, which is bound to the block', () => {
    const messages = [
      says(thought, text('A')),
      says(compaction('So far.'), thought, text('B')),
      says(thought, text('C')),
    ];
    const kept = withoutCompaction(messages).map(({ content }) => content.map(({ type }) => type));
    expect(kept).toEqual([['thinking', 'text'], ['text', 'text'], ['text']]);
  });
});

describe('an official count', () => {
  const thinking: ContextEdit = {
    type: 'clear_thinking_20251015',
    keep: { type: 'thinking_turns', value: 1 },
  };
  const compact: ContextEdit = {
    type: 'compact_20260112',
    trigger: { type: 'input_tokens', value: 50_000 },
  };
  const isOther = (
    counted: Partial<Extract<NewEvent, { type: 'windowCounted' }>>,
    now: readonly ContextEdit[],
  ) =>
    isCountOfOtherContextEdits(
      foldNew([
        promptEvent('Go'),
        { type: 'windowCounted', tokens: 900, source: 'countTokens', ...counted },
      ]),
      now,
    );

  it('is valid while the log says that the request asks for the same edits', () => {
    expect(isOther({ serverEdits: [compact] }, [compact])).toBe(false);
    expect(isOther({ serverEdits: [compact] }, [])).toBe(true);
    expect(isOther({ serverEdits: [] }, [compact])).toBe(true);
    expect(isOther({ serverEdits: [] }, [])).toBe(false);
  });

  it('is valid if only thinking was to be cleared, and there was none', () => {
    expect(isOther({ serverEdits: [compact] }, [thinking, compact])).toBe(false);
    expect(isOther({ serverEdits: [thinking, compact] }, [compact])).toBe(true);
  });
});
