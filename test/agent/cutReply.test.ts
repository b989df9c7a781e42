import { describe, expect, it, onTestFinished } from 'vitest';
import type { MessagesRequest, Respond, ScriptedPart } from '../../src/offline/messagesApi';
import { offlineModels } from '../../src/offline/models';
import { startStrictServer } from '../../src/offline/strictServer';
import { httpAgent, refusals, type HttpAgentOptions } from '../support/httpAgent';

const SONNET = offlineModels.find(({ id }) => id === 'claude-sonnet-5-5')!;
const LONG = 'The tide rises and falls, and the line on the hull says how deep she lies. ';
const thinking: ScriptedPart = { type: 'thinking', thinking: 'I weigh what to say. '.repeat(5) };

/** A text of about this many tokens. */
const text = (tokens: number): ScriptedPart => ({
  type: 'text',
  text: LONG.repeat(Math.ceil(tokens / 17)).trim(),
});
const call = (tokens: number): ScriptedPart => ({
  type: 'tool_use',
  name: 'echo',
  input: { text: LONG.repeat(Math.ceil(tokens / 17)) },
});

/** An agent on a strict server; each reply of the script answers one request. */
async function agentOn(
  answers: readonly (readonly ScriptedPart[])[],
  options: Omit<HttpAgentOptions, 'url'> = {},
  model: Partial<typeof SONNET> = {},
) {
  let asked = 0;
  const respond: Respond = () => ({
    content: answers[asked++] ?? [{ type: 'text', text: 'End.' }],
  });
  const server = await startStrictServer({ respond, models: [{ ...SONNET, ...model }] });
  onTestFinished(() => server.close());
  const agent = httpAgent({ url: server.url, ...options });
  const bodies = () =>
    server.requests.flatMap(({ path, body }) =>
      path === '/v1/messages' ? [body as MessagesRequest] : [],
    );
  const replies = () =>
    agent.session.events.flatMap((event) => (event.type === 'replyReceived' ? [event] : []));
  return { agent, server, bodies, replies };
}

const contentOf = ({ messages }: MessagesRequest, at: number) =>
  messages.at(at)!.content as readonly { readonly type: string; readonly text?: string }[];

describe('a reply that is cut in its text', () => {
  it('is continued automatically, its thinking unchanged, with a user message last', async () => {
    const { agent, server, bodies, replies } = await agentOn([[thinking, text(3_000)]]);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    expect(replies().map(({ stopReason }) => stopReason)).toEqual(['max_tokens', 'end_turn']);
    const [, second] = bodies();
    expect(second!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(contentOf(second!, -2).map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(contentOf(second!, -1)).toMatchObject([
      {
        text: expect.stringMatching(
          /^\[Go on, no new request: your reply was cut off at its limit of 1000 tokens\./,
        ),
      },
    ]);
    expect(second!.max_tokens).toBe(1_000);
  });

  it('is continued three times in a row, and then the turn ends and says so', async () => {
    const { agent, server, bodies } = await agentOn(Array.from({ length: 9 }, () => [text(3_000)]));
    expect(await agent.run('look')).toMatchObject({
      type: 'replyCut',
      message: expect.stringContaining('The reply was cut off at its limit of 1000 tokens.'),
    });
    expect(bodies()).toHaveLength(4);
    expect(refusals(server.requests)).toEqual([]);
    expect(await agent.run('again')).toMatchObject({ type: 'replyCut' });
  });

  it('is continued three times again after a complete reply', async () => {
    const cut = [text(3_000)];
    const { agent, bodies } = await agentOn([cut, cut, [call(20)], cut, cut, cut], {
      budget: { contextWindowTokens: 40_000 },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(bodies()).toHaveLength(7);
  });

  it('is requested with a longer limit if it only thought', async () => {
    const long = { type: 'thinking', thinking: LONG.repeat(200) } as const;
    const { agent, server, bodies } = await agentOn([[long]], {
      settings: { mostReplyTokens: 4_000 },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([1_000, 4_000]);
    expect(refusals(server.requests)).toEqual([]);
  });

  it('can be stopped like any other', async () => {
    const { agent, bodies } = await agentOn([[text(3_000)], [text(3_000)]], {
      onEvent: (event, session) => {
        if (event.type === 'replyReceived' && session.window.step === 2) agent.stop.abort();
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    expect(bodies()).toHaveLength(2);
  });
});

describe('a reply that is cut in a tool call', () => {
  it('is requested once more, with the longest reply the model can write', async () => {
    const { agent, server, bodies } = await agentOn([[call(2_000)], [call(2_000)]], {
      settings: { mostReplyTokens: 5_000 },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([1_000, 5_000, 1_000]);
    expect(refusals(server.requests)).toEqual([]);
    const results = agent.session.events.filter((event) => event.type === 'toolFinished');
    expect(results.map(({ origin }) => origin)).toEqual(['cutReply', 'ran']);
    expect(results[0]!.text).toContain('The next reply may be longer: make the calls again.');
  });

  it('is requested with no more tokens than the window has room for', async () => {
    const { agent, server, bodies } = await agentOn([[call(2_000)], [call(2_000)]], {
      settings: { mostReplyTokens: 128_000 },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const [, second] = bodies();
    expect(second!.max_tokens).toBeGreaterThan(8_000);
    expect(second!.max_tokens).toBeLessThan(11_500);
    expect(refusals(server.requests)).toEqual([]);
  });

  it('is requested that way once, and then with the advice to make smaller calls', async () => {
    const { agent, bodies } = await agentOn([[call(9_000)], [call(9_000)], [call(9_000)]], {
      settings: { mostReplyTokens: 3_000 },
    });
    expect(await agent.run('look')).toMatchObject({ type: 'replyCut' });
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([1_000, 3_000, 1_000]);
    const results = agent.session.events.filter((event) => event.type === 'toolFinished');
    expect(results.map(({ text: said }) => said.includes('Make smaller calls'))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('keeps the usual limit if the model’s limit is unknown', async () => {
    const { agent, bodies } = await agentOn([[call(2_000)]]);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([1_000, 1_000]);
  });
});

it('a reply that ends with the window triggers a pass and is continued', async () => {
  const grown = Array.from({ length: 6 }, () => [call(600)]);
  const { agent, server, replies } = await agentOn(
    [...grown, [text(900)]],
    { budget: { contextWindowTokens: 50_000 } },
    { contextWindowTokens: 9_400 },
  );
  const outcome = await agent.run('look');
  expect(replies().map(({ stopReason }) => stopReason)).toContain('model_context_window_exceeded');
  expect(outcome).toEqual({ type: 'finished' });
  expect(agent.session.window.ledger.length).toBeGreaterThan(0);
  expect(refusals(server.requests)).toEqual([]);
});
