import { describe, expect, it } from 'vitest';
import { opus } from './double';
import {
  answer,
  answerToMessages,
  ask,
  call,
  readTool,
  refused,
  result,
  text,
  useDouble,
} from './rules';

useDouble();

describe('tools', () => {
  it('have names of letters, digits, _ and -', async () => {
    expect(await answer({ tools: [{ ...readTool, name: 'read file' }] })).toBe(
      refused("tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
    );
  });

  it('have names of at most 128 characters', async () => {
    expect(await answer({ tools: [{ ...readTool, name: 'a'.repeat(129) }] })).toBe(
      refused('tools.0.custom.name: String should have at most 128 characters'),
    );
    expect(await answer({ tools: [{ ...readTool, name: 'a'.repeat(128) }] })).toBe('accepted');
  });

  it('have unique names', async () => {
    expect(await answer({ tools: [readTool, readTool] })).toBe(
      refused('tools: Tool names must be unique.'),
    );
  });

  it('have an input schema of type object', async () => {
    expect(await answer({ tools: [{ name: 'a' }] })).toBe(
      refused('tools.0.custom.input_schema: Field required'),
    );
    expect(await answer({ tools: [{ name: 'a', input_schema: { type: 'string' } }] })).toBe(
      refused("tools.0.custom.input_schema.type: Input should be 'object'"),
    );
    expect(await answer({ tools: [{ name: 'a', input_schema: 'object' }] })).toBe(
      refused('tools.0.custom.input_schema: Input should be a valid dictionary'),
    );
    expect(await answer({ tools: [{ name: 'a', input_schema: {} }] })).toBe(
      refused('tools.0.custom.input_schema.type: Field required'),
    );
  });

  it('are required for a tool choice', async () => {
    expect(await answer({ tool_choice: { type: 'auto' } })).toBe(
      refused('tool_choice may only be specified while providing tools.'),
    );
  });

  it('must include the chosen one', async () => {
    expect(await answer({ tools: [readTool], tool_choice: { type: 'tool', name: 'b' } })).toBe(
      refused("Tool 'b' not found in provided tools"),
    );
  });

  it('cannot be forced on a model that always thinks', async () => {
    const forced = { tools: [readTool], tool_choice: { type: 'any' } };
    expect(await answer({ ...forced, model: opus })).toContain('not supported for this model');
    expect(await answer(forced)).toBe('accepted');
    expect(await answer({ ...forced, model: opus, tool_choice: { type: 'auto' } })).toBe(
      'accepted',
    );
  });
});

describe('a tool pair', () => {
  const asks = (...calls: readonly object[]) => ({ role: 'assistant', content: calls });
  const gives = (...content: readonly object[]) => ({ role: 'user', content });
  const unanswered = (id: string) =>
    refused(
      `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );

  it('is accepted with text after the results', async () => {
    expect(
      await answerToMessages(
        ask,
        asks(call('a'), call('b')),
        gives(result('b'), result('a'), text('Go on')),
      ),
    ).toBe('accepted');
  });

  it('without its result is rejected', async () => {
    expect(await answerToMessages(ask, asks(call('a')), ask)).toBe(unanswered('a'));
    expect(await answerToMessages(ask, asks(call('a'), call('b')), gives(result('a')))).toBe(
      unanswered('b'),
    );
  });

  it('with a result that is not first in its message is rejected', async () => {
    expect(await answerToMessages(ask, asks(call('a')), gives(text('Here'), result('a')))).toBe(
      unanswered('a'),
    );
  });

  it('with a result only in a later message is rejected', async () => {
    expect(
      await answerToMessages(ask, asks(call('a')), ask, asks(text('Hm')), gives(result('a'))),
    ).toBe(unanswered('a'));
  });

  it('may be split over consecutive messages of one role, which are merged', async () => {
    expect(
      await answerToMessages(
        ask,
        asks(text('I read both.')),
        asks(call('a')),
        asks(call('b')),
        gives(result('a')),
        gives(result('b')),
        ask,
      ),
    ).toBe('accepted');
    expect(
      await answerToMessages(
        ask,
        asks(call('a')),
        asks(call('b')),
        ask,
        gives(result('a'), result('b')),
      ),
    ).toBe(unanswered('a, b'));
  });

  it('without its call is rejected', async () => {
    const message = (place: string) =>
      refused(
        `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: z. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    expect(await answerToMessages(gives(result('z')))).toBe(message('messages.0.content.0'));
    expect(await answerToMessages(ask, asks(call('a')), gives(result('a'), result('z')))).toBe(
      message('messages.2.content.1'),
    );
  });

  it('with two results is rejected', async () => {
    expect(await answerToMessages(ask, asks(call('a')), gives(result('a'), result('a')))).toContain(
      'each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
    );
  });

  it('needs a unique id', async () => {
    expect(
      await answerToMessages(
        ask,
        asks(call('a')),
        gives(result('a')),
        asks(call('a')),
        gives(result('a')),
      ),
    ).toBe(refused('messages.3.content.0: `tool_use` ids must be unique'));
  });

  it('needs an id of letters, digits, _ and -', async () => {
    expect(await answerToMessages(ask, asks(call('f:0')), gives(result('f:0')))).toBe(
      refused("messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
    );
  });

  it('needs an object as input', async () => {
    const bad = { ...call('a'), input: '{}' };
    expect(await answerToMessages(ask, asks(bad), gives(result('a')))).toBe(
      refused('messages.1.content.0.tool_use.input: Input should be a valid dictionary'),
    );
  });
});
