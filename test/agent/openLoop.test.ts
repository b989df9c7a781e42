import { describe, expect, it, onTestFinished } from 'vitest';
import type { MessagesRequest, ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer } from '../../src/offline/strictServer';
import { httpAgent, refusals } from '../support/httpAgent';

type Messages = MessagesRequest['messages'];

/**
 * A model that thinks before each of `steps` calls and before its final reply; the double binds all
 * thinking.
 */
async function startThinker(steps: number) {
  let left = steps;
  let said = 0;
  const server = await startStrictServer({
    respond: ({ system }) => ({ content: answer(JSON.stringify(system)), delayMs: 0 }),
  });
  onTestFinished(() => server.close());
  function answer(system: string): readonly ScriptedPart[] {
    if (system.includes('Plimsoll summariser')) return [{ type: 'text', text: 'So far.' }];
    said += 1;
    const thought: ScriptedPart = { type: 'thinking', thinking: `Thought ${said}.` };
    if (left === 0) return [thought, { type: 'text', text: 'Done.' }];
    left -= 1;
    return [
      thought,
      { type: 'tool_use', name: 'echo', input: { text: `line ${said} of it\n`, times: 60 } },
    ];
  }
  return {
    server,
    goOn: (more: number) => (left = more),
    /** What each request for a step contained, without the moving cache breakpoints. */
    sent: (): readonly string[][] =>
      server.requests
        .filter(({ path, body }) => path === '/v1/messages' && !isSummary(body))
        .map(({ body }) => (body as MessagesRequest).messages.map(withoutBreakpoints)),
  };
}

const isSummary = (body: unknown) =>
  JSON.stringify((body as MessagesRequest).system).includes('Plimsoll summariser');

const withoutBreakpoints = (message: Messages[number]) =>
  JSON.stringify(message, (key, value: unknown) => (key === 'cache_control' ? undefined : value));

const thoughtsIn = (request: readonly string[]) =>
  request.flatMap((message) =>
    [...message.matchAll(/"type":"thinking"[^}]*"signature":"([^"]+)"/g)].map(([, id]) => id!),
  );

describe('the open tool round', () => {
  it('B4: is byte-identical between passes; older thinking is removed whole and never returns', async () => {
    const thinker = await startThinker(40);
    const agent = httpAgent({ url: thinker.server.url });
    expect(await agent.run('Find it.')).toEqual({ type: 'finished' });
    thinker.goOn(10);
    expect(await agent.run('Now the other one.')).toEqual({ type: 'finished' });
    expect(refusals(thinker.server.requests)).toEqual([]);

    const passes = new Set(agent.session.window.ledger.map(({ pass }) => pass.beforeStep));
    expect(passes.size).toBeGreaterThan(1);
    const sent = thinker.sent();
    expect(sent).toHaveLength(52);
    const gone = new Set<string>();
    sent.forEach((request, index) => {
      const before = sent[index - 1] ?? [];
      if (!passes.has(index + 1)) expect(request.slice(0, before.length)).toEqual(before);
      const thoughts = thoughtsIn(request);
      for (const id of thoughtsIn(before)) if (!thoughts.includes(id)) gone.add(id);
      for (const id of thoughts) expect(gone.has(id)).toBe(false);
    });
    expect(gone.size).toBeGreaterThan(0);
  });
});
