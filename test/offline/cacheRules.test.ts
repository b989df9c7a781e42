import { describe, expect, it } from 'vitest';
import {
  answer,
  answerToMessages,
  ask,
  cached,
  call,
  readTool,
  refused,
  result,
  text,
  useDouble,
} from './rules';

useDouble();

describe('cache_control', () => {
  const user = (...content: readonly object[]) => answerToMessages({ role: 'user', content });

  it('is accepted on four blocks, not on five', async () => {
    const four = ['a', 'b', 'c', 'd'].map((words) => cached(words));
    expect(await user(...four)).toBe('accepted');
    expect(await user(...four, cached('e'))).toBe(
      refused('A maximum of 4 blocks with cache_control may be provided. Found 5.'),
    );
  });

  it('is counted over tools, system, messages and the results inside them', async () => {
    const ephemeral = { cache_control: { type: 'ephemeral' } };
    const body = {
      cache_control: { type: 'ephemeral' },
      tools: [{ ...readTool, ...ephemeral }],
      system: [cached('s')],
      messages: [
        ask,
        { role: 'assistant', content: [{ ...call('a'), ...ephemeral }] },
        { role: 'user', content: [{ ...result('a'), content: [cached('r')] }] },
      ],
    };
    expect(await answer(body)).toContain('Found 5.');
  });

  it('is rejected on empty text', async () => {
    expect(await user(text('a'), cached(''))).toBe(
      refused('messages.0.content.1.text: cache_control cannot be set for empty text blocks'),
    );
  });

  it('is rejected on thinking', async () => {
    const thinking = {
      type: 'thinking',
      thinking: 'x',
      signature: 'y',
      cache_control: { type: 'ephemeral' },
    };
    expect(await answerToMessages(ask, { role: 'assistant', content: [thinking] }, ask)).toBe(
      refused('messages.1.content.0.thinking.cache_control: Extra inputs are not permitted'),
    );
  });

  it('of an hour must come before that of five minutes', async () => {
    expect(await user(cached('a', '1h'), cached('b'))).toBe('accepted');
    expect(await user(cached('a', '5m'), cached('b', '1h'))).toContain(
      "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
    );
  });

  it('may be null, which means none', async () => {
    const none = { ...text('a'), cache_control: null };
    expect(await user(none, none, none, none, none)).toBe('accepted');
  });

  it('supports two lifetimes', async () => {
    expect(await user(cached('a', '2h'))).toContain("ttl: Input should be '5m' or '1h'");
  });
});
