import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentSettings } from '../../src/agent/agentDeps';
import type { SessionEvent } from '../../src/contextWindow/event';
import type { ContextEdit } from '../../src/contextWindow/contextEditing';
import { promptTokens } from '../../src/contextWindow/account/spending';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer } from '../../src/offline/strictServer';
import { BY_SERVER, COMPACTED_BY_SERVER, POLICY_SETTINGS } from '../support/agentSettings';
import { httpAgent, refusals, type HttpAgentOptions } from '../support/httpAgent';
import { estimate } from '../support/player';

type Settable = { -readonly [K in keyof AgentSettings]?: AgentSettings[K] };

/** Enough for the smallest trigger that the API's compaction accepts, 50,000 tokens. */
const LARGE = { contextWindowTokens: 64_000 };

/** A thinking model on the double that echoes `chars` characters in each of its steps. */
async function startEcho() {
  let said = 0;
  const echo = { steps: 0, chars: 1_500 };
  const learned: { readonly estimated: number; readonly actual: number }[] = [];
  const server = await startStrictServer({
    respond: (request) => ({ content: answer(request), delayMs: 0 }),
  });
  onTestFinished(() => server.close());
  function answer(request: MessagesRequest): readonly ScriptedPart[] {
    if (JSON.stringify(request.system).includes('Plimsoll summariser')) {
      return [{ type: 'text', text: 'What was done so far.' }];
    }
    said += 1;
    const thought: ScriptedPart = { type: 'thinking', thinking: `Thought ${said}.` };
    if (echo.steps === 0) return [thought, { type: 'text', text: 'Done.' }];
    echo.steps -= 1;
    const input = { text: `line ${said} of output\n`, times: Math.ceil(echo.chars / 20) };
    return [thought, { type: 'tool_use', name: 'echo', input }];
  }
  const agent = (options: Omit<HttpAgentOptions, 'url'>) =>
    httpAgent({
      url: server.url,
      ...options,
      deps: {
        estimator: {
          warm: () => Promise.resolve(),
          estimate,
          media: () => 0,
          learn: (estimated, actual) => learned.push({ estimated, actual }),
        },
      },
    });
  return { server, echo, agent, learned };
}

type Agent = ReturnType<typeof httpAgent>;

const editsIn = (body: unknown) =>
  (body as { context_management?: { edits: readonly ContextEdit[] } }).context_management?.edits ??
  [];

const maxTokensIn = (body: unknown) => (body as { readonly max_tokens: number }).max_tokens;

function eventsOf<T extends SessionEvent['type']>({ session }: Agent, type: T) {
  return session.events.filter(
    (event): event is Extract<SessionEvent, { type: T }> => event.type === type,
  );
}

describe('the policy server with the real adapter', () => {
  it('asks for the edits, records their results, and continues from the tokens after them', async () => {
    const { server, echo, agent: agentWith, learned } = await startEcho();
    const agent = agentWith({ settings: BY_SERVER });
    echo.steps = 24;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    const asked = server.requests.filter(({ path }) => path === '/v1/messages');
    expect(editsIn(asked.at(-1)!.body).map(({ type }) => type)).toEqual([
      'clear_thinking_20251015',
      'clear_tool_uses_20250919',
    ]);
    const replies = eventsOf(agent, 'replyReceived');
    // The log has the edits that every step requested.
    expect(replies.map(({ serverEdits, maxTokens }) => ({ serverEdits, maxTokens }))).toEqual(
      asked.map(({ body }) => ({ serverEdits: editsIn(body), maxTokens: maxTokensIn(body) })),
    );
    const cleared = replies.filter(({ appliedEdits = [] }) =>
      appliedEdits.some(({ type }) => type === 'clear_tool_uses_20250919'),
    );
    expect(cleared.length).toBeGreaterThan(0);
    const last = replies.at(-1)!;
    expect(last.appliedEdits?.[0]?.clearedInputTokens).toBeGreaterThan(0);
    expect(agent.session.window.baseline).toMatchObject({
      source: 'usage',
      tokens: promptTokens(last.usage),
    });
    expect(agent.session.window.ledger).toHaveLength(0);
    // Cleared results are in the estimate but not in the count, so the two must not calibrate each
    // other.
    for (const { estimated, actual } of learned) {
      expect(actual / estimated).toBeGreaterThan(0.5);
    }
  });

  it('learns from the count before the edits', async () => {
    const { echo, agent: agentWith, learned } = await startEcho();
    const first = agentWith({ settings: BY_SERVER });
    echo.steps = 24;
    await first.run('look');
    learned.length = 0;
    const counts = eventsOf(first, 'windowCounted').length;
    // Another model: everything is counted again, now that there is much to edit.
    const settings = { ...BY_SERVER, model: 'claude-haiku-5-5' };
    const next = agentWith({ settings, events: first.session.events });
    await next.run('go on');
    const counted = eventsOf(next, 'windowCounted').slice(counts);
    expect(counted.length).toBeGreaterThan(0);
    expect(counted[0]!.edited).toBe(true);
    expect(learned[0]!.actual).toBeGreaterThan(counted[0]!.tokens);
    // The panel's preview: what the API would do with the request, before it is sent.
    expect(counted[0]!.beforeEdits).toBeGreaterThan(counted[0]!.tokens);
  });

  it('evicts the oldest blocks itself if the API leaves more than the input budget', async () => {
    const { server, echo, agent: agentWith } = await startEcho();
    const agent = agentWith({
      settings: {
        ...BY_SERVER,
        contextEditing: { ...COMPACTED_BY_SERVER.contextEditing, compact: false },
      },
    });
    echo.steps = 30;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    const passes = agent.session.window.ledger.map(({ pass }) => pass);
    expect(passes.length).toBeGreaterThan(0);
    for (const { before, budget } of passes) {
      expect(before.tokens).toBeGreaterThan(budget.inputBudget);
    }
  });

  it('asks for no edits with compaction off', async () => {
    const { server, echo, agent: agentWith } = await startEcho();
    const agent = agentWith({ settings: { ...BY_SERVER, compaction: 'off' } });
    echo.steps = 40;
    expect(await agent.run('look')).toMatchObject({ type: 'contextFull' });
    for (const { body } of server.requests) expect(editsIn(body)).toEqual([]);
    for (const event of eventsOf(agent, 'replyReceived')) {
      expect(event).not.toHaveProperty('serverEdits');
    }
  });

  it('lets the API compact, and counts what the API reads from then on', async () => {
    const { server, echo, agent: agentWith, learned } = await startEcho();
    const agent = agentWith({ settings: COMPACTED_BY_SERVER, budget: LARGE });
    echo.steps = 10;
    echo.chars = 30_000;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    const compacted = eventsOf(agent, 'replyReceived').findIndex(({ parts }) =>
      parts.some(({ type }) => type === 'compaction'),
    );
    expect(compacted).toBeGreaterThan(0);
    const { compactionUsage } = eventsOf(agent, 'replyReceived')[compacted]!;
    expect(promptTokens(compactionUsage!)).toBeGreaterThan(50_000);
    const usages = eventsOf(agent, 'replyReceived').map(({ usage }) => promptTokens(usage));
    expect(usages[compacted]!).toBeLessThan(usages[compacted - 1]! / 2);
    for (const { estimated, actual } of learned) {
      expect(actual / estimated).toBeGreaterThan(0.5);
    }
  });

  it.each<[string, Settable]>([
    ['another policy', { policy: POLICY_SETTINGS }],
    [
      'no compaction by the API',
      { contextEditing: { ...COMPACTED_BY_SERVER.contextEditing, compact: false } },
    ],
  ])('can be left for %s after the API compacted', async (_, change) => {
    const { server, echo, agent: agentWith } = await startEcho();
    const first = agentWith({ settings: COMPACTED_BY_SERVER, budget: LARGE });
    echo.steps = 9;
    echo.chars = 30_000;
    expect(await first.run('look')).toEqual({ type: 'finished' });
    const { session } = first;
    expect(JSON.stringify(session.events)).toContain('"type":"compaction"');
    const counts = eventsOf(first, 'windowCounted').length;
    const next = agentWith({
      settings: { ...COMPACTED_BY_SERVER, ...change },
      budget: LARGE,
      events: session.events,
    });
    echo.steps = 3;
    echo.chars = 300;
    expect(await next.run('go on')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    const sent = JSON.stringify(server.requests.at(-1)!.body);
    expect(sent).not.toContain('"type":"compaction"');
    // The earlier count covers less than is sent now, so the request is counted again.
    expect(eventsOf(next, 'windowCounted').length).toBeGreaterThan(counts);
  });

  it('can be left in the middle of a turn', async () => {
    const { server, echo, agent: agentWith } = await startEcho();
    const settings: Settable = { ...COMPACTED_BY_SERVER };
    const agent = agentWith({
      settings,
      budget: LARGE,
      onEvent: (event, { window }) => {
        const isSummarised = JSON.stringify(window.blocks).includes('"type":"compaction"');
        if (event.type === 'toolFinished' && isSummarised) settings.policy = POLICY_SETTINGS;
      },
    });
    echo.steps = 12;
    echo.chars = 30_000;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    expect(agent.session.window.ledger.length).toBeGreaterThan(0);
  });
});
