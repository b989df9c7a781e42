import { describe, expect, it } from 'vitest';
import { withoutCompaction } from '../../src/agent/contextEditing';
import type { Message, MessagePart } from '../../src/contextWindow/request/request';

const text = (words: string): MessagePart => ({ type: 'text', text: words });
const thought: MessagePart = { type: 'thinking', thinking: 'Hm.', signature: 'x' };
const compaction = (content: string | null): MessagePart => ({ type: 'compaction', content });
const user = (...content: readonly MessagePart[]): Message => ({ role: 'user', content });
const says = (...content: readonly MessagePart[]): Message => ({ role: 'assistant', content });

describe('a request that asks for no compaction', () => {
  it('is sent as it is where there is none', () => {
    const messages = [user(text('Go')), says(thought, text('Yes.')), user(text('On'))];
    expect(withoutCompaction(messages)).toEqual(messages);
  });

  it('has the API’s summary as words of the assistant', () => {
    expect(
      withoutCompaction([user(text('Go')), says(compaction('All so far.'), text('Yes.'))]),
    ).toEqual([
      user(text('Go')),
      says(text('[Summary by the API of everything before it]\nAll so far.'), text('Yes.')),
    ]);
  });

  it('leaves out one that failed, and a message of nothing else', () => {
    const messages = [user(text('Go')), says(compaction(null)), user(text('On'))];
    expect(withoutCompaction(messages)).toEqual([user(text('Go')), user(text('On'))]);
  });

  it('keeps the thinking in front and none behind, which is bound to the block', () => {
    const messages = [
      says(thought, text('A')),
      says(compaction('So far.'), thought, text('B')),
      says(thought, text('C')),
    ];
    const kept = withoutCompaction(messages).map(({ content }) => content.map(({ type }) => type));
    expect(kept).toEqual([['thinking', 'text'], ['text', 'text'], ['text']]);
  });
});
