import { rungGains } from '../../src/contextWindow/passes/rungGains';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BlockId } from '../../src/contextWindow/block';
import type { SessionEvent } from '../../src/contextWindow/event';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { httpAgent, refusals, type HttpAgentOptions } from '../support/httpAgent';
import { passThat } from '../support/drawing';
import { ECHO } from '../support/scriptedAgent';

const ANCHOR = 'prompt-1' as BlockId;

interface Thinker {
  readonly server: StrictServer;
  /** The number of steps with a tool call before the final reply. */
  steps: number;
  /** Characters of each tool result. */
  chars: number;
  /** The model's next reply, instead of the usual. */
  next: readonly ScriptedPart[] | undefined;
  /** The model's thinking before it writes a summary. */
  summaryThought: string;
  agent(options?: Omit<HttpAgentOptions, 'url'>): ReturnType<typeof httpAgent>;
}

/** A model of the newest generation that thinks before every reply, on the strict double. */
async function startThinker(): Promise<Thinker> {
  let said = 0;
  const server = await startStrictServer({
    respond: (request) => ({ content: answer(request), delayMs: 0 }),
  });
  onTestFinished(() => server.close());
  const thinker: Thinker = {
    server,
    steps: 0,
    chars: 1_200,
    next: undefined,
    summaryThought: '',
    agent: (options = {}) => httpAgent({ url: server.url, ...options }),
  };
  function answer(request: MessagesRequest): readonly ScriptedPart[] {
    if (JSON.stringify(request.system).includes('Plimsoll summariser')) {
      const words: ScriptedPart = { type: 'text', text: 'What was done so far.' };
      const { summaryThought } = thinker;
      return summaryThought === ''
        ? [words]
        : [{ type: 'thinking', thinking: summaryThought }, words];
    }
    said += 1;
    const { next } = thinker;
    thinker.next = undefined;
    if (next !== undefined) return next;
    const thought: ScriptedPart = {
      type: 'thinking',
      thinking: `Thought ${said}, at some length.`,
    };
    if (thinker.steps === 0) return [thought, { type: 'text', text: 'Done.' }];
    thinker.steps -= 1;
    const input = { text: `line ${said} of output\n`, times: Math.ceil(thinker.chars / 20) };
    return [thought, { type: 'tool_use', name: 'echo', input }];
  }
  return thinker;
}

/** The thinking blocks of every request for a step, by number. */
function thinkingSent({ server }: Thinker): readonly number[] {
  return server.requests.flatMap(({ path, body }) => {
    const { messages } = body as MessagesRequest;
    return path === '/v1/messages'
      ? [JSON.stringify(messages).split('"type":"thinking"').length - 1]
      : [];
  });
}

describe('thinking and effort in the real loop', () => {
  it('are requested as set, streamed, logged, and sent back in full', async () => {
    const thinker = await startThinker();
    thinker.steps = 2;
    let told = '';
    const agent = thinker.agent({
      settings: {
        reasoning: { thinking: { type: 'adaptive', display: 'summarized' }, effort: 'low' },
      },
      onEvent: (event) => {
        if (event.type === 'thinkingDelta' && event.step === 1) told += event.text;
      },
    });
    expect(await agent.run('Do it.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
    const bodies = thinker.server.requests
      .filter(({ path }) => path === '/v1/messages')
      .map(({ body }) => body as MessagesRequest);
    expect(bodies).toHaveLength(3);
    for (const { thinking, output_config } of bodies) {
      expect(thinking).toEqual({ type: 'adaptive', display: 'summarized' });
      expect(output_config).toEqual({ effort: 'low' });
    }
    expect(thinkingSent(thinker)).toEqual([0, 1, 2]);
    expect(told).toBe('Thought 1, at some length.');
    const [reply] = agent.session.events.filter((event) => event.type === 'replyReceived');
    expect(reply).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      effort: 'low',
      usage: { thinkingTokens: expect.any(Number) },
    });
    const [thought] = reply!.parts;
    expect(thought).toMatchObject({
      type: 'thinking',
      thinking: told,
      signature: expect.stringMatching(/./),
    });
  });

  it('stay below the longest reply if thinking has a budget', async () => {
    const thinker = await startThinker();
    const budget = { type: 'enabled', budget_tokens: 9_000, display: 'summarized' } as const;
    const agent = thinker.agent({
      settings: { model: 'claude-haiku-4-5', reasoning: { thinking: budget } },
    });
    expect(await agent.run('Do it.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
  });
});

describe('thinking that is bound to its prefix in the real loop', () => {
  it('survives passes that clear, compact and evict, over several turns', async () => {
    const thinker = await startThinker();
    const rungs = new Set<string>();
    for (const summaries of [true, false]) {
      const agent = thinker.agent({ settings: { policy: { ...POLICY_SETTINGS, summaries } } });
      for (const prompt of ['Do it.', 'Now more.', 'And the rest.']) {
        thinker.steps = 25;
        expect(await agent.run(prompt)).toEqual({ type: 'finished' });
      }
      const passes = agent.session.window.ledger.map(({ pass }) => pass);
      for (const pass of passes) rungGains(pass).forEach(({ rung }) => rungs.add(rung));
    }
    expect([...rungs]).toEqual(expect.arrayContaining(['clear', 'summarise', 'evict']));
    expect(refusals(thinker.server.requests)).toEqual([]);
    expect(Math.max(...thinkingSent(thinker))).toBeGreaterThan(5);
  });

  it('is dropped when the anchor is unpinned or pinned, since its label precedes all of it', async () => {
    const thinker = await startThinker();
    const agent = thinker.agent();
    thinker.steps = 3;
    await agent.run('Do it.');
    agent.session.append({ type: 'blockUnpinned', blockId: ANCHOR });
    thinker.steps = 3;
    expect(await agent.run('Now more.')).toEqual({ type: 'finished' });
    agent.session.append({ type: 'blockPinned', blockId: ANCHOR });
    expect(await agent.run('And the rest.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
  });

  it('is dropped when the anchor is unpinned while a reply is being written', async () => {
    const thinker = await startThinker();
    thinker.steps = 3;
    const agent = thinker.agent({
      onEvent: (event, session) => {
        if (event.type !== 'askStarted' || event.step !== 2) return;
        session.append({ type: 'blockUnpinned', blockId: ANCHOR });
      },
    });
    expect(await agent.run('Do it.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
    expect(agent.session.window.blocks.map(({ exactTokens }) => exactTokens).slice(0, 3)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is dropped when system prompt or tools change between two turns', async () => {
    const thinker = await startThinker();
    const first = thinker.agent();
    thinker.steps = 3;
    await first.run('Do it.');
    const tool = { ...ECHO, definition: { ...ECHO.definition, description: 'Says it again.' } };
    const { events } = first.session;
    for (const deps of [{ tools: [tool] }, { platform: 'darwin' }]) {
      const later = thinker.agent({ events: [...events], deps });
      expect(await later.run('Now more.')).toEqual({ type: 'finished' });
    }
    expect(refusals(thinker.server.requests)).toEqual([]);
  });

  it('is dropped after the scratchpad when a pass rewrites it', async () => {
    const thinker = await startThinker();
    const agent = thinker.agent({
      onEvent: (event, session) => {
        if (event.type !== 'replyReceived') return;
        const { step } = event;
        if (step === 1) session.append({ type: 'blockPinned', blockId: 'step-1' as BlockId });
        const objective = `Objective as of step ${step}`;
        const scratchpad = { ...session.window.scratchpad, objective };
        session.append({ type: 'scratchpadUpdated', scratchpad });
      },
    });
    thinker.steps = 40;
    expect(await agent.run('Do it.')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    expect(refusals(thinker.server.requests)).toEqual([]);
  });

  it('is kept if everything but the newest prompt was removed and the scratchpad comes first', async () => {
    const thinker = await startThinker();
    let prompts = 0;
    const agent = thinker.agent({
      onEvent: (event, session) => {
        if (event.type !== 'askStarted' || ++prompts !== 2) return;
        session.append({ type: 'blockUnpinned', blockId: ANCHOR });
        const scratchpad = { ...session.window.scratchpad, objective: 'Find it' };
        session.append({ type: 'scratchpadUpdated', scratchpad });
        session.append(passThat('evict', ['prompt-1', 'step-1']));
      },
    });
    await agent.run('Do it.');
    await agent.run('Now this.');
    thinker.steps = 3;
    expect(await agent.run('And that.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
  });

  it('is accepted after a stop in the middle of a reply, and after a reload', async () => {
    const thinker = await startThinker();
    thinker.steps = 4;
    const agent = thinker.agent({
      onEvent: (event) => {
        if (event.type === 'textDelta') agent.stop.abort();
      },
    });
    expect(await agent.run('Do it.')).toEqual({ type: 'stopped' });
    const events = JSON.parse(JSON.stringify(agent.session.events)) as SessionEvent[];
    const reloaded = thinker.agent({ events });
    thinker.steps = 2;
    expect(await reloaded.run('Go on.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
    expect(thinkingSent(thinker).at(-1)).toBeGreaterThan(4);
  });

  it.each<[string, readonly ScriptedPart[]]>([
    [
      'blank text before it',
      [
        { type: 'text', text: '\n\n' },
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'tool_use', name: 'echo', input: {} },
      ],
    ],
    ['nothing after it', [{ type: 'thinking', thinking: 'Hm.' }]],
  ])('of a reply with %s is never sent', async (_, reply) => {
    const thinker = await startThinker();
    const agent = thinker.agent();
    thinker.next = reply;
    thinker.steps = 2;
    expect(await agent.run('Do it.')).toEqual({ type: 'finished' });
    thinker.steps = 2;
    expect(await agent.run('Now more.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);
    for (const { path, body } of thinker.server.requests) {
      if (path !== '/v1/messages') continue;
      for (const { role, content } of (body as MessagesRequest).messages) {
        if (role === 'assistant') expect(content.at(-1)).not.toMatchObject({ type: 'thinking' });
      }
    }
  });

  it('leaves the summariser room for its text', async () => {
    const thinker = await startThinker();
    thinker.summaryThought = 'word '.repeat(600);
    const agent = thinker.agent();
    thinker.steps = 100;
    thinker.chars = 800;
    expect(await agent.run('Do it.')).toEqual({ type: 'finished' });
    const summaries = agent.session.window.ledger.flatMap(({ pass }) => pass.summaries);
    expect(summaries.map(({ writtenBy }) => writtenBy.by)).toContain('model');
  });

  it('continues under another model and back', async () => {
    const thinker = await startThinker();
    const settings = { model: 'claude-sonnet-5-5' };
    const agent = thinker.agent({ settings });
    for (const model of ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-sonnet-5-5']) {
      settings.model = model;
      thinker.steps = 3;
      const deps = thinker.agent({ settings, events: [...agent.session.events] });
      expect(await deps.run('More.')).toEqual({ type: 'finished' });
    }
    expect(refusals(thinker.server.requests)).toEqual([]);
  });
});
