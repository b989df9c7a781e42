import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentSettings } from '../../../../src/agent/agentDeps';
import { sentBody } from '../../../../src/model/requestBody';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { SessionEvent } from '../../../../src/contextWindow/event';
import { requestText } from '../../../../src/editor/contextPanel/request/derive';
import type { MessagesRequest, ScriptedPart } from '../../../../src/offline/messagesApi';
import { startStrictServer } from '../../../../src/offline/strictServer';
import { BY_SERVER, COMPACTED_BY_SERVER, POLICY_SETTINGS } from '../../../support/agentSettings';
import { scratchpadEvent } from '../../../support/drawing';
import {
  httpAgent,
  refusals,
  type HttpAgent,
  type HttpAgentOptions,
} from '../../../support/httpAgent';
import { inspecting, lookedAt, repliesOf, shownFor } from '../support/inspecting';

type Settable = { -readonly [K in keyof AgentSettings]?: AgentSettings[K] };

/** Enough for the lowest trigger that the API's compaction accepts, 50,000 tokens. */
const LARGE = { contextWindowTokens: 64_000 };

/** A model that always thinks first, at the strict server, over a real connection. */
async function startThinker() {
  let said = 0;
  const model = { steps: 0, chars: 1_400 };
  const server = await startStrictServer({
    respond: (request) => ({ content: answer(request), delayMs: 0 }),
  });
  onTestFinished(() => server.close());
  function answer(request: MessagesRequest): readonly ScriptedPart[] {
    if (isSideRequest(request)) return [{ type: 'text', text: 'What was done so far.' }];
    said += 1;
    const thought: ScriptedPart = { type: 'thinking', thinking: `Thought ${said}.` };
    if (model.steps === 0) return [thought, { type: 'text', text: 'Done.' }];
    model.steps -= 1;
    const input = { text: `line ${said} of output\n`, times: Math.ceil(model.chars / 20) };
    return [thought, { type: 'tool_use', name: 'echo', input }];
  }
  /** The bodies of the answered steps, in order. */
  const sent = () =>
    server.requests.flatMap(({ path, status, body, abandoned }) =>
      path === '/v1/messages' &&
      status === 200 &&
      !abandoned &&
      !isSideRequest(body as MessagesRequest)
        ? [JSON.stringify(body)]
        : [],
    );
  const agent = (options: Omit<HttpAgentOptions, 'url'> = {}) =>
    httpAgent({ url: server.url, ...options });
  return { server, model, agent, sent };
}

function isSideRequest({ system }: MessagesRequest): boolean {
  return JSON.stringify(system).includes('Plimsoll summariser');
}

const inspectionOf = ({ session }: Pick<HttpAgent, 'session'>) =>
  inspecting(() => lookedAt(session)).inspection;

/** Expects every step of the log to show the bytes that were sent for it. */
function expectAsSent(agent: HttpAgent, sent: readonly string[]): void {
  const inspection = inspectionOf(agent);
  const replies = repliesOf(agent.session.events);
  expect(replies).toHaveLength(sent.length);
  for (const [index, { step }] of replies.entries()) {
    expect(shownFor(inspection, step)).toBe(sent[index]);
    expect(inspection.requestAt(step)!.notes).toEqual([]);
  }
}

describe('the request shown for a step, compared with the bytes sent', () => {
  it('is the same through passes, pins, notes and an undo, thinking included', async () => {
    const { server, model, agent: agentWith, sent } = await startThinker();
    let results = 0;
    const agent = agentWith({
      onEvent: ({ type }, session) => {
        if (type !== 'toolFinished') return;
        results += 1;
        if (results === 4) {
          session.append({ type: 'blockPinned', blockId: 'step-2' as BlockId });
        }
        if (results === 6) session.append(scratchpadEvent('mind the gap', true));
      },
    });
    model.steps = 22;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const { ledger } = agent.session.window;
    expect(ledger.length).toBeGreaterThan(0);
    agent.session.append({ type: 'passUndone', number: ledger.at(-1)!.pass.number });
    model.steps = 8;
    expect(await agent.run('go on')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    expect(refusals(server.requests)).toEqual([]);
    expect(sent().some((body) => body.includes('"type":"thinking"'))).toBe(true);
    expectAsSent(agent, sent());
  });

  it('has the edits that the API was asked for, at those steps only', async () => {
    const { server, model, agent: agentWith, sent } = await startThinker();
    const settings: Settable = { ...BY_SERVER };
    const agent = agentWith({ settings });
    model.steps = 16;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    settings.policy = POLICY_SETTINGS;
    model.steps = 2;
    expect(await agent.run('go on')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    const edited = sent().map((body) => body.includes('"context_management"'));
    expect([edited[3], edited.at(-1)]).toEqual([true, false]);
    // The first request has no thinking to clear.
    expect(sent()[0]).not.toContain('clear_thinking');
    expectAsSent(agent, sent());
  });

  it('is the same before and after the API’s own compaction, and after switching away from it', async () => {
    const { server, model, agent: agentWith, sent } = await startThinker();
    const settings: Settable = { ...COMPACTED_BY_SERVER };
    const agent = agentWith({ settings, budget: LARGE });
    model.steps = 9;
    model.chars = 30_000;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(sent().at(-1)).toContain('"type":"compaction"');
    settings.policy = POLICY_SETTINGS;
    model.steps = 2;
    model.chars = 300;
    expect(await agent.run('go on')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    expect(sent().at(-1)).not.toContain('"type":"compaction"');
    expectAsSent(agent, sent());
  });

  it('is the answered one of several that a refusal made smaller', async () => {
    const { server, model, agent: agentWith, sent } = await startThinker();
    const agent = agentWith({
      onEvent: ({ type }, { window }) => {
        if (type !== 'toolFinished' || window.step !== 6) return;
        server.addFault({
          path: '/v1/messages',
          effect: {
            kind: 'status',
            status: 400,
            type: 'invalid_request_error',
            message: 'prompt is too long: 9500 tokens > 9000 maximum',
          },
        });
      },
    });
    model.steps = 10;
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(refusals(server.requests)).toEqual(['/v1/messages 400']);
    expect(agent.session.window.stepDown).toBeDefined();
    expectAsSent(agent, sent());
  });

  it('is the same after the log was saved and loaded', async () => {
    const { model, agent: agentWith, sent } = await startThinker();
    const agent = agentWith();
    model.steps = 14;
    await agent.run('look');
    const events = JSON.parse(JSON.stringify(agent.session.events)) as SessionEvent[];
    expectAsSent(agentWith({ events }), sent());
  });

  it('contains no key and no header, in any of its forms', async () => {
    const { server, model, agent: agentWith } = await startThinker();
    const agent = agentWith({ settings: BY_SERVER });
    model.steps = 14;
    await agent.run('look');
    const inspection = inspectionOf(agent);
    const betas = server.requests.flatMap(({ headers }) => {
      const beta = headers['anthropic-beta'];
      return beta === undefined ? [] : String(beta).split(',');
    });
    expect(betas.length).toBeGreaterThan(0);
    for (const step of [
      ...repliesOf(agent.session.events).map((one) => one.step),
      'next' as const,
    ]) {
      const at = inspection.requestAt(step)!;
      const forms = [
        JSON.stringify(sentBody(at.request)),
        JSON.stringify(inspection.requestView(step)),
        requestText(at),
      ];
      for (const secret of ['test-key', server.url, ...betas]) {
        for (const form of forms) expect(form).not.toContain(secret);
      }
      const known = ['model', 'max_tokens', 'tools', 'system', 'messages', 'stream'];
      expect([...known, 'context_management']).toEqual(
        expect.arrayContaining(Object.keys(sentBody(at.request))),
      );
    }
  });
});
