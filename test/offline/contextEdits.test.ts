import { describe, expect, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import type { Respond } from '../../src/offline/messagesApi';
import { offlineModels } from '../../src/offline/models';
import { opus, says, sonnet, startDouble } from './double';
import { callsOf, clearThinking, clearTools, edited, promptOf, wordsOf } from './editing';

const placeholderTokens = 8;

/** The effect of a body's edits: tokens as sent and as read, and the applied edits. */
async function outcome(body: ReturnType<typeof callsOf>) {
  const { client } = await startDouble();
  const { betas: _, context_management: __, ...plain } = body;
  const [before, after] = [
    await client.beta.messages.create(plain),
    await client.beta.messages.create(body),
  ];
  return {
    sent: promptOf(before),
    read: promptOf(after),
    applied: after.context_management?.applied_edits,
  };
}

describe('clear_tool_uses', () => {
  it('clears all results but the newest ones it keeps', async () => {
    const { sent, read, applied } = await outcome(callsOf([100, 200, 300, 50], clearTools(500)));
    const cleared = 100 + 200 + 300 - 3 * placeholderTokens;
    expect(sent - read).toBe(cleared);
    expect(applied).toEqual([
      {
        type: 'clear_tool_uses_20250919',
        cleared_tool_uses: 3,
        cleared_input_tokens: cleared,
      },
    ]);
  });

  it('waits until its trigger is passed, in tokens or in calls', async () => {
    const { sent } = await outcome(callsOf([100, 100]));
    const at = async (changes: object) =>
      (await outcome(callsOf([100, 100], clearTools(1, changes)))).applied?.length;
    expect(await at({ trigger: { type: 'input_tokens', value: sent } })).toBe(0);
    expect(await at({ trigger: { type: 'input_tokens', value: sent - 1 } })).toBe(1);
    expect(await at({ trigger: { type: 'tool_uses', value: 2 } })).toBe(0);
    expect(await at({ trigger: { type: 'tool_uses', value: 1 } })).toBe(1);
  });

  it('does nothing if it would not clear enough', async () => {
    const enough = 100 - placeholderTokens;
    const at = async (value: number) => {
      const clear_at_least = { type: 'input_tokens', value };
      const { sent, read, applied } = await outcome(
        callsOf([100, 100], clearTools(1, { clear_at_least })),
      );
      return [sent - read, applied?.length];
    };
    expect(await at(enough)).toEqual([enough, 1]);
    expect(await at(enough + 1)).toEqual([0, 0]);
  });

  it('spares excluded tools, and results shorter than their placeholder', async () => {
    const { applied } = await outcome(
      callsOf([100, 200, 300, 400], clearTools(1, { exclude_tools: ['read_file'] })),
    );
    expect(applied).toMatchObject([
      { cleared_tool_uses: 1, cleared_input_tokens: 200 - placeholderTokens },
    ]);
    expect((await outcome(callsOf([3, 100], clearTools(1)))).applied).toEqual([]);
  });

  it('keeps three and waits for 100,000 tokens by default', async () => {
    const edit = { type: 'clear_tool_uses_20250919' };
    expect((await outcome(callsOf([90_000, 9, 9, 9], edit))).applied).toEqual([]);
    expect((await outcome(callsOf([100_000, 9, 9, 9], edit))).applied).toMatchObject([
      { cleared_tool_uses: 1 },
    ]);
  });

  it('clears inputs with the results on request', async () => {
    const clearedWith = async (clear_tool_inputs: boolean | string[]) => {
      const body = callsOf([100, 100, 100], clearTools(1, { clear_tool_inputs }));
      const { sent, read } = await outcome(body);
      return sent - read - 2 * (100 - placeholderTokens);
    };
    const all = await clearedWith(true);
    expect(await clearedWith(false)).toBe(0);
    expect(all).toBeGreaterThan(0);
    expect(await clearedWith(['search'])).toBe(all / 2);
  });

  it('accepts a prompt that was too long before the edit', async () => {
    const models = offlineModels.map((model) => ({ ...model, contextWindowTokens: 1_000 }));
    const { client } = await startDouble(says('Hello.'), { models });
    await expect(client.beta.messages.create(callsOf([900, 200]))).rejects.toThrow(
      'prompt is too long',
    );
    const answer = await client.beta.messages.create(callsOf([900, 200], clearTools(500)));
    expect(answer.stop_reason).toBe('end_turn');
  });

  it('breaks the prompt cache at the first result it clears', async () => {
    const { client } = await startDouble();
    const create = (edits: readonly object[]) =>
      client.beta.messages.create({
        ...callsOf([1_000, 1_000], ...edits),
        system: [{ type: 'text', text: wordsOf(600), cache_control: { type: 'ephemeral' } }],
        cache_control: { type: 'ephemeral' },
      });
    await create([]);
    const whole = await create([]);
    const cleared = await create([clearTools(1)]);
    expect(whole.usage.cache_creation_input_tokens).toBe(0);
    expect(cleared.usage.cache_read_input_tokens).toBeGreaterThan(600);
    expect(cleared.usage.cache_read_input_tokens).toBeLessThan(1_000);
    expect(cleared.usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
  });
});

const thinking: Respond = ({ messages }) => ({
  content: [
    { type: 'thinking', thinking: wordsOf(100 * messages.length) },
    { type: 'text', text: 'So.' },
  ],
});

/** Asks three times with thinking, and a fourth time with edits. */
async function thoughts(...edits: readonly object[]) {
  const { client } = await startDouble(thinking);
  const messages: Anthropic.Beta.BetaMessageParam[] = [];
  const ask = async (changes: object = {}) => {
    messages.push({ role: 'user', content: 'Go' });
    const answer = await client.beta.messages.create({
      model: opus,
      max_tokens: 5_000,
      messages,
      ...changes,
    });
    messages.push({ role: 'assistant', content: answer.content });
    return answer;
  };
  for (let turn = 0; turn < 3; turn += 1) await ask();
  const answer = await ask(edited(...edits));
  // Thinking after a server's edit is bound to the edited request, so that it is accepted again.
  const next = await ask(edited(...edits));
  return { answer, next };
}

describe('clear_thinking', () => {
  it('clears the thinking of older turns without counting it as an edit', async () => {
    const { answer: whole } = await thoughts();
    const { answer, next } = await thoughts(clearThinking());
    expect(promptOf(whole) - promptOf(answer)).toBe(100 + 300);
    expect(answer.context_management?.applied_edits).toEqual([
      { type: 'clear_thinking_20251015', cleared_thinking_turns: 2, cleared_input_tokens: 400 },
    ]);
    expect(next.context_management?.applied_edits).toMatchObject([{ cleared_thinking_turns: 3 }]);
  });

  it('does nothing if all of it is kept', async () => {
    const applied = async (keep?: object | string) => {
      const edit = keep === undefined ? { type: 'clear_thinking_20251015' } : clearThinking(keep);
      return (await thoughts(edit)).answer.context_management?.applied_edits;
    };
    expect(await applied('all')).toEqual([]);
    expect(await applied({ type: 'all' })).toEqual([]);
    expect(await applied({ type: 'thinking_turns', value: 3 })).toEqual([]);
    expect(await applied()).toEqual([]);
  });
});

describe('an answer', () => {
  it('reports no edits if none were requested', async () => {
    const { client } = await startDouble();
    const answer = await client.beta.messages.create(callsOf([100]));
    expect(answer).not.toHaveProperty('context_management');
    expect(answer.usage).not.toHaveProperty('iterations');
  });

  it('that is streamed names the applied edits at its end', async () => {
    const { client } = await startDouble();
    const stream = await client.beta.messages.create({
      ...callsOf([100, 200], clearTools(1)),
      stream: true,
    });
    const heard: unknown[] = [];
    for await (const event of stream) {
      if (event.type === 'message_start') heard.push(event.message.context_management);
      if (event.type === 'message_delta') heard.push(event.context_management);
    }
    expect(heard).toEqual([
      null,
      {
        applied_edits: [
          {
            type: 'clear_tool_uses_20250919',
            cleared_tool_uses: 1,
            cleared_input_tokens: 100 - placeholderTokens,
          },
        ],
      },
    ]);
  });
});

describe('count_tokens', () => {
  it('previews the edits: tokens after them, and before', async () => {
    const { client } = await startDouble();
    const { max_tokens: _, ...body } = callsOf([100, 200, 300], clearTools(1));
    const counted = await client.beta.messages.countTokens(body);
    const { sent, read } = await outcome(callsOf([100, 200, 300], clearTools(1)));
    expect(counted).toEqual({
      input_tokens: read,
      context_management: { original_input_tokens: sent },
    });
  });

  it('answers only the count without edits', async () => {
    const { client } = await startDouble();
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const counted = await client.beta.messages.countTokens({ model: sonnet, messages });
    expect(Object.keys(counted)).toEqual(['input_tokens']);
  });
});
