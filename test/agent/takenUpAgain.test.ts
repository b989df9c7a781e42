import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentEvent } from '../../src/agent/agentEvent';
import { RetryingModel } from '../../src/agent/retryingModel';
import type { Tool } from '../../src/agent/tool';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import type { FaultEffect } from '../../src/offline/fault';
import { startStrictServer } from '../../src/offline/strictServer';
import { fakeClock } from '../support/fakeClock';
import { httpAgent, refusals } from '../support/httpAgent';

const TEXT = 'I will look at the file now, and then I will say what I found in it.';
const use = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'note',
  input: { text: 'x'.repeat(200) },
} as const;

/** An agent whose server fails as scripted; pauses end immediately, and each is recorded. */
async function agentWith(faults: readonly FaultEffect[], inPause: 'tryNow' | 'stop' = 'tryNow') {
  const server = await startStrictServer({
    respond: ({ messages }) => ({
      content:
        messages.length === 1
          ? [{ type: 'text', text: TEXT }, use]
          : [{ type: 'text', text: 'All is done.' }],
    }),
  });
  onTestFinished(() => server.close());
  for (const effect of faults) server.addFault({ path: '/v1/messages', effect });
  const ran: string[] = [];
  const note: Tool = {
    definition: { name: 'note', description: 'Notes.', inputSchema: { type: 'object' } },
    prepare: () =>
      Promise.resolve({
        ok: true,
        call: {
          action: 'the note',
          run: () => {
            ran.push('note');
            return Promise.resolve({ text: 'ok', isError: false });
          },
        },
      }),
  };
  const client = makeClient({ apiKey: 'test-key', baseUrl: server.url });
  const clock = fakeClock();
  const heard: AgentEvent[] = [];
  const agent = httpAgent({
    url: server.url,
    deps: { model: new RetryingModel(new AnthropicModel(client), clock), tools: [note] },
    onEvent: (event) => {
      heard.push(event);
      if (event.type !== 'retrying') return;
      if (inPause === 'stop') agent.stop.abort();
      else event.tryNow();
    },
  });
  const bodies = () =>
    server.requests.flatMap(({ path, body }) => (path === '/v1/messages' ? [body] : []));
  return { agent, server, ran, heard, bodies, clock };
}

const CUTS: readonly FaultEffect[] = [
  { kind: 'cut', at: 'toolUse' },
  { kind: 'cut', at: 'toolUse', how: 'reset' },
  { kind: 'cut', at: 'messageStop', how: 'reset' },
  { kind: 'errorEvent', type: 'overloaded_error', message: 'Busy' },
];

describe('a reply that broke off', () => {
  it.each(CUTS)('is retried automatically, and nothing is done twice: %j', async (fault) => {
    const { agent, server, ran, heard, bodies, clock } = await agentWith([fault, fault]);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(ran).toEqual(['note']);
    const asked = bodies();
    expect(asked).toHaveLength(4);
    expect(JSON.stringify(asked[1])).toBe(JSON.stringify(asked[0]));
    expect(JSON.stringify(asked[2])).toBe(JSON.stringify(asked[0]));
    expect(refusals(server.requests)).toEqual([]);
    const replies = agent.session.events.filter(({ type }) => type === 'replyReceived');
    expect(replies).toHaveLength(2);
    expect(heard.filter(({ type }) => type === 'askedAgain')).toHaveLength(2);
    expect(clock.due).toEqual([]);
  });

  it('stays visible while the next one is written', async () => {
    const { agent, heard } = await agentWith([{ kind: 'cut', at: 'toolUse' }]);
    await agent.run('look');
    const shown = heard
      .map((event) => (event.type === 'textDelta' && event.step === 1 ? event.text : ''))
      .join('');
    expect(shown).toBe(
      `${TEXT}\n\n---\n\n*The reply broke off here. The model is writing it again:*\n\n${TEXT}`,
    );
  });

  it.each(['stop', 'tryNow'] as const)(
    'stays in the conversation if no other follows: %s',
    async (inPause) => {
      const cut = Array.from({ length: 10 }, () => ({ kind: 'cut', at: 'toolUse' }) as const);
      const { agent, ran, bodies } = await agentWith(cut, inPause);
      const outcome = await agent.run('look');
      expect(outcome.type).toBe(inPause === 'stop' ? 'stopped' : 'failed');
      expect(bodies()).toHaveLength(inPause === 'stop' ? 1 : 10);
      expect(ran).toEqual([]);
      const replies = agent.session.events.filter((event) => event.type === 'replyReceived');
      expect(replies).toMatchObject([
        { parts: [{ type: 'text', text: TEXT }], stopReason: 'stopped' },
      ]);
    },
  );
});

it('an overloaded server is asked until it answers', async () => {
  const busy = Array.from({ length: 9 }, () => ({ kind: 'status', status: 529 }) as const);
  const { agent, heard, ran } = await agentWith(busy);
  expect(await agent.run('look')).toEqual({ type: 'finished' });
  expect(ran).toEqual(['note']);
  const waits = heard.filter((event) => event.type === 'retrying');
  expect(waits.map(({ attempt, message }) => `${attempt} ${message}`)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempt) => `${attempt} The API is overloaded (529).`),
  );
});
