import { describe, expect, it } from 'vitest';
import type { ScriptedPart } from '../../src/offline/messagesApi';
import { offlineModels, type OfflineModel } from '../../src/offline/models';
import { countText } from '../../src/offline/tokenizer';
import { answerTo, haiku45, oldSonnet, opus, says, sonnet, startDouble } from './double';

const longText = 'All of these words are counted one by one. '.repeat(40);
const bigWrite: ScriptedPart = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'create_file',
  input: { path: 'a.txt', text: longText },
};

function withWindow(id: string, contextWindowTokens: number): readonly OfflineModel[] {
  return offlineModels.map((model) =>
    model.id === id ? { ...model, contextWindowTokens } : model,
  );
}

const messages = [{ role: 'user' as const, content: 'Please write down everything you know.' }];

describe('max_tokens', () => {
  it('cuts text to exactly that many tokens', async () => {
    const { client } = await startDouble(says(longText));
    const message = await client.messages.create({ model: sonnet, max_tokens: 37, messages });
    const [block] = message.content;
    expect(message.stop_reason).toBe('max_tokens');
    expect(message.usage.output_tokens).toBe(37);
    if (block?.type !== 'text') throw new Error('no text');
    expect(longText.startsWith(block.text)).toBe(true);
    expect(countText(block.text)).toBe(37);
  });

  it('leaves a reply of exactly that length whole', async () => {
    const { client } = await startDouble(says(longText));
    const ask = { model: sonnet, messages };
    const whole = await client.messages.create({ ...ask, max_tokens: 5_000 });
    const exact = await client.messages.create({ ...ask, max_tokens: whole.usage.output_tokens });
    expect(exact.content).toEqual(whole.content);
    expect(exact.stop_reason).toBe('end_turn');
    const cut = await client.messages.create({ ...ask, max_tokens: whole.usage.output_tokens - 1 });
    expect(cut.stop_reason).toBe('max_tokens');
  });

  it('can cut inside a tool call, which is then incomplete', async () => {
    const { client } = await startDouble(says(bigWrite));
    const params = { model: sonnet, max_tokens: 60, messages };
    let json = '';
    const streamed = await client.messages
      .stream(params)
      .on('inputJson', (piece) => (json += piece))
      .finalMessage();
    expect(streamed.stop_reason).toBe('max_tokens');
    expect(streamed.usage.output_tokens).toBe(60);
    expect(JSON.stringify(bigWrite.input).startsWith(json)).toBe(true);
    expect(() => JSON.parse(json)).toThrow();
    const plain = await client.messages.create(params);
    expect(plain.content[0]).toMatchObject({ type: 'tool_use', input: {} });
  });

  it('omits a tool call that does not fit', async () => {
    const { client } = await startDouble(says('Ok.', bigWrite));
    const message = await client.messages.create({ model: sonnet, max_tokens: 8, messages });
    expect(message.content.map(({ type }) => type)).toEqual(['text']);
    expect(message.stop_reason).toBe('max_tokens');
  });

  it('between two tool calls leaves the first one whole', async () => {
    const call = (id: string): ScriptedPart => ({ ...bigWrite, id, input: { path: 'a.txt' } });
    const { client: alone } = await startDouble(says(call('toolu_1')));
    const ask = { model: sonnet, messages };
    const { usage } = await alone.messages.create({ ...ask, max_tokens: 100 });
    const { client } = await startDouble(says(call('toolu_1'), call('toolu_2')));
    const cut = await client.messages.create({ ...ask, max_tokens: usage.output_tokens });
    expect(cut.content).toMatchObject([{ id: 'toolu_1', input: { path: 'a.txt' } }]);
    expect(cut.stop_reason).toBe('max_tokens');
  });

  it('counts thinking', async () => {
    const { client } = await startDouble(says({ type: 'thinking', thinking: longText }, 'Yes.'));
    const message = await client.messages.create({ model: opus, max_tokens: 20, messages });
    expect(message.content.map(({ type }) => type)).toEqual(['thinking']);
    expect(message.usage.output_tokens_details?.thinking_tokens).toBe(20);
  });

  it('of 0 gives an empty answer', async () => {
    const { client } = await startDouble();
    const message = await client.messages.create({ model: sonnet, max_tokens: 0, messages });
    expect(message).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 0 },
    });
  });
});

describe('the context window', () => {
  it('accepts input up to its last token and rejects one more', async () => {
    const { client: counter } = await startDouble();
    const { input_tokens } = await counter.messages.countTokens({ model: sonnet, messages });
    const body = { model: sonnet, max_tokens: 10, messages };
    const fits = await startDouble(says('x'), { models: withWindow(sonnet, input_tokens) });
    expect(await answerTo(fits.client, body)).toBe('accepted');
    const small = await startDouble(says('x'), { models: withWindow(sonnet, input_tokens - 1) });
    expect(await answerTo(small.client, body)).toBe(
      `400 invalid_request_error: prompt is too long: ${input_tokens} tokens > ${input_tokens - 1} maximum`,
    );
    const counted = await small.client.messages.countTokens({ model: sonnet, messages });
    expect(counted.input_tokens).toBe(input_tokens);
  });

  it('ends the reply of a newer model when it is full', async () => {
    const { client } = await startDouble(says(longText), { models: withWindow(sonnet, 64) });
    const message = await client.messages.create({ model: sonnet, max_tokens: 1_000, messages });
    expect(message.stop_reason).toBe('model_context_window_exceeded');
    expect(message.usage.input_tokens + message.usage.output_tokens).toBe(64);
    const exact = 64 - message.usage.input_tokens;
    const both = await client.messages.create({ model: sonnet, max_tokens: exact, messages });
    expect(both.stop_reason).toBe('max_tokens');
  });

  it('of a newer model may be smaller than input and max_tokens if the reply fits', async () => {
    const { client } = await startDouble(says('Short.'), { models: withWindow(haiku45, 64) });
    const message = await client.messages.create({ model: haiku45, max_tokens: 1_000, messages });
    expect(message.stop_reason).toBe('end_turn');
  });

  it('of an older model must hold input and max_tokens', async () => {
    const models = withWindow(oldSonnet, 100);
    const { client } = await startDouble(says('Short.'), { models });
    const { input_tokens } = await client.messages.countTokens({ model: oldSonnet, messages });
    const ask = (max_tokens: number) =>
      answerTo(client, { model: oldSonnet, max_tokens, messages });
    expect(await ask(100 - input_tokens)).toBe('accepted');
    const over = 101 - input_tokens;
    expect(await ask(over)).toBe(
      `400 invalid_request_error: input length and \`max_tokens\` exceed context limit: ${input_tokens} + ${over} > 100, decrease input length or \`max_tokens\` and try again`,
    );
  });
});
