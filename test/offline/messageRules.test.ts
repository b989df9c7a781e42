import { describe, expect, it } from 'vitest';
import { haiku45 } from './double';
import { answer, answerToMessages, ask, call, refused, result, text, useDouble } from './rules';

useDouble();

describe('messages', () => {
  it('are required', async () => {
    expect(await answerToMessages()).toBe(refused('messages: at least one message is required'));
  });

  it('begin with the user', async () => {
    expect(await answerToMessages({ role: 'assistant', content: 'Hi' }, ask)).toBe(
      refused('messages: first message must use the "user" role'),
    );
  });

  it('have one of three roles', async () => {
    expect(await answerToMessages({ role: 'tool', content: 'x' })).toBe(
      refused("messages.0.role: Input should be 'user', 'assistant' or 'system'"),
    );
  });

  it('of the system follow a user message and need a model that supports them', async () => {
    const system = { role: 'system', content: 'Be brief.' };
    expect(await answerToMessages(ask, system)).toBe('accepted');
    expect(
      await answerToMessages(ask, { role: 'assistant', content: 'Yes' }, system, ask),
    ).toContain('a "system" message must directly follow a "user" message');
    expect(await answer({ model: haiku45, messages: [ask, system] })).toBe(
      refused("role 'system' is not supported on this model"),
    );
  });

  it('may not be empty', async () => {
    const message =
      'messages.0: all messages must have non-empty content except for the optional final assistant message';
    expect(await answerToMessages({ role: 'user', content: '' })).toBe(refused(message));
    expect(await answerToMessages({ role: 'user', content: [] })).toBe(refused(message));
  });

  it('may not contain empty text', async () => {
    const message = refused('messages: text content blocks must be non-empty');
    expect(await answerToMessages({ role: 'user', content: [text(''), text('a')] })).toBe(message);
  });

  it('may not contain text of whitespace only', async () => {
    const message = refused('messages: text content blocks must contain non-whitespace text');
    expect(await answerToMessages({ role: 'user', content: [text(' \n')] })).toBe(message);
    expect(await answerToMessages({ role: 'user', content: '  ' })).toBe(message);
  });

  it('may not contain empty text inside a tool result', async () => {
    const nested = { ...result('a'), content: [text('')] };
    expect(
      await answerToMessages(
        ask,
        { role: 'assistant', content: [call('a')] },
        { role: 'user', content: [nested] },
      ),
    ).toBe(refused('messages: text content blocks must be non-empty'));
  });

  it('contain only blocks of their role', async () => {
    expect(await answerToMessages({ role: 'user', content: [call('a')] })).toBe(
      refused('messages.0.content.0: `tool_use` blocks can only be in `assistant` messages'),
    );
    expect(
      await answerToMessages(ask, { role: 'assistant', content: [result('a')] }, ask),
    ).toContain('`tool_result` blocks can only be in `user` messages');
    const thinking = { type: 'thinking', thinking: 'x', signature: 'y' };
    expect(await answerToMessages({ role: 'user', content: [thinking] })).toContain(
      '`thinking` blocks can only be in `assistant` messages',
    );
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
    };
    expect(await answerToMessages({ role: 'user', content: [document] })).toBe('accepted');
    expect(await answerToMessages(ask, { role: 'assistant', content: [document] }, ask)).toContain(
      '`document` blocks can only be in `user` messages',
    );
  });

  it('of the user have no citations', async () => {
    const content = [{ ...text('x'), citations: [{ type: 'char_location' }] }];
    expect(await answerToMessages({ role: 'user', content })).toContain('citations');
  });

  it('contain no block of an unknown type', async () => {
    expect(await answerToMessages({ role: 'user', content: [{ type: 'video' }] })).toContain(
      "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: 'text', 'image'",
    );
  });

  it('contain no block with unknown fields', async () => {
    expect(await answerToMessages({ role: 'user', content: [{ ...text('a'), x: 1 }] })).toBe(
      refused('messages.0.content.0.text.x: Extra inputs are not permitted'),
    );
  });

  it('end with the user if the model accepts no prefill', async () => {
    const prefilled = [ask, { role: 'assistant', content: 'The answer is' }];
    expect(await answer({ messages: prefilled })).toBe(
      refused(
        'This model does not support assistant message prefill. The conversation must end with a user message.',
      ),
    );
    expect(await answer({ model: haiku45, messages: prefilled })).toBe('accepted');
  });

  it('that are prefilled do not end with whitespace', async () => {
    const messages = [ask, { role: 'assistant', content: 'The answer is ' }];
    expect(await answer({ model: haiku45, messages })).toBe(
      refused('messages: final assistant content cannot end with trailing whitespace'),
    );
  });
});

describe('the system prompt', () => {
  it('may be empty as text but contains no empty block', async () => {
    expect(await answer({ system: '' })).toBe('accepted');
    expect(await answer({ system: [text('')] })).toBe(
      refused('system: text content blocks must be non-empty'),
    );
  });

  it('contains only text', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://a/b.png' } };
    expect(await answer({ system: [image] })).toContain("system.0: Input tag 'image'");
  });
});
