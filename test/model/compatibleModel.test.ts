import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelRequest } from '../../src/agent/model';
import { promptTokens } from '../../src/contextWindow/account/spending';
import { connect } from '../../src/model/anthropicModel';
import { lacksOf, LearnedAbilities, serverName } from '../../src/model/serverAbilities';
import { ANTHROPIC_KIND, kindWithId, SERVER_KINDS } from '../../src/model/serverKinds';
import { COMPATIBLE, startCompatible, tokensOf } from '../support/compatibleServers';
import { ask, editTool, failureIn, heldTimers, prompt, replyIn } from './asking';

const never = new AbortController().signal;

/** A request with everything that a server may refuse. */
const FULL: Partial<ModelRequest> = {
  model: 'qwen3-coder',
  tools: [editTool],
  system: [{ type: 'text', text: 'You are brief.', cache_control: { type: 'ephemeral' } }],
};

const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
} as const;

/** Connects to a double of a kind of server. */
async function connectedTo(
  kind: keyof typeof COMPATIBLE,
  learned = new LearnedAbilities(),
  chosen?: string,
) {
  const server = await startCompatible(COMPATIBLE[kind]);
  onTestFinished(() => server.close());
  const name = serverName(server.url);
  if (chosen !== undefined) learned.choose(name, chosen);
  const connection = connect({ baseUrl: server.url, learned });
  const lacks = (model = 'qwen3-coder') => lacksOf(learned.of(name, model));
  const knows = (model = 'qwen3-coder') => learned.of(name, model);
  return { server, name, lacks, knows, ...connection };
}

describe('the counts of a compatible server', () => {
  it.each(['liteLlm', 'vllm', 'llamaCpp'] as const)(
    'are used once they agree with the usage of the first reply (%s)',
    async (kind) => {
      const { server, counter, model, knows } = await connectedTo(kind);
      const request = prompt('Hi', FULL);
      expect(await counter.count(request, never)).toMatchObject({ ok: false, isKnown: true });
      const { events, result } = await ask(model, request);
      expect(events.filter(({ type }) => type === 'notice')).toEqual([]);
      expect(replyIn(result).isUncounted).toBeUndefined();
      // The count before the reply was kept, so it is not asked for twice.
      expect(server.counted()).toBe(1);
      expect(knows().counts).toBe(true);
      const next = prompt('Hello again', FULL);
      expect(await counter.count(next, never)).toMatchObject({ ok: true });
      expect(server.counted()).toBe(2);
      await ask(model, next);
      expect(server.counted()).toBe(2);
    },
  );

  it.each(['ollama', 'lmStudio', 'openRouter', 'zeroProxy'] as const)(
    'are missing, so they are asked for once and the usage is an estimate (%s)',
    async (kind) => {
      const learned = new LearnedAbilities();
      const { server, counter, model, lacks } = await connectedTo(kind, learned);
      expect(await counter.count(prompt('Hi', FULL), never)).toMatchObject({
        ok: false,
        message: expect.stringMatching(/does not count tokens|counted 0 tokens/),
      });
      expect(replyIn((await ask(model, prompt('Hi', FULL))).result).isUncounted).toBe(true);
      expect(lacks()).toContain('counts');
      const again = await counter.count(prompt('Hello again', FULL), never);
      expect(again).toMatchObject({ ok: false, isKnown: true });
      expect(server.counted()).toBe(1);
    },
  );

  it.each(['undercountingProxy', 'overcountingProxy', 'liteLlmFallback'] as const)(
    'are not used if they disagree with the usage, and the user hears why (%s)',
    async (kind) => {
      const { counter, model, knows, name } = await connectedTo(kind);
      const { events, result } = await ask(model, prompt('Hi', FULL));
      expect(events.at(-1)).toEqual({
        type: 'notice',
        message: expect.stringMatching(
          new RegExp(
            `^${name} counted \\d+ tokens for a request of which it then reported \\d+\\. Plimsoll does not use its counts; numbers marked ≈ are estimates\\.$`,
          ),
        ),
      });
      expect(replyIn(result).isUncounted).toBe(true);
      expect(knows().counts).toBe(false);
      expect(await counter.count(prompt('Hi', FULL), never)).toMatchObject({ isKnown: true });
    },
  );
});

describe('the usage of a compatible server', () => {
  it.each(['ollama', 'vllm'] as const)(
    'is what it reports at the end, not its first guess (%s)',
    async (kind) => {
      const { server, model } = await connectedTo(kind);
      const { usage } = replyIn((await ask(model, prompt('Hi', FULL))).result);
      expect(promptTokens(usage)).toBe(tokensOf(server.asked[0]!));
    },
  );
});

describe('what a compatible server refuses', () => {
  it('is left out of the same request and of later ones, and the user hears of it once', async () => {
    const learned = new LearnedAbilities();
    const { server, model, lacks, name } = await connectedTo('strictProxy', learned);
    const request = prompt('Hi', {
      ...FULL,
      thinking: { type: 'adaptive', display: 'summarized' },
      effort: 'low',
    });
    const { events, result } = await ask(model, request);
    expect(result.ok).toBe(true);
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.message] : []))).toEqual([
      `${name} does not accept thinking for qwen3-coder, so requests go without. To try again later, choose the server and check it again. The API refused the request: thinking: Extra inputs are not permitted`,
      `${name} does not accept effort for qwen3-coder, so requests go without. To try again later, choose the server and check it again. The API refused the request: output_config: Extra inputs are not permitted`,
    ]);
    expect(server.asked).toHaveLength(3);
    expect(lacks()).toEqual(['thinking', 'effort']);
    expect(replyIn(result).leftOut).toEqual(['thinking', 'effort']);
    const again = await ask(model, request);
    expect(again.events.filter(({ type }) => type === 'notice')).toEqual([]);
    expect(server.asked).toHaveLength(4);
    expect(server.asked[3]).not.toHaveProperty('thinking');
    expect(server.asked[3]).toHaveProperty('tools');
  });

  it('is said of a request whose reply was cut off, too', async () => {
    const learned = new LearnedAbilities();
    const { model, name } = await connectedTo('strictProxy', learned);
    const request = prompt('Hi', { ...FULL, effort: 'low' });
    learned.learn(name, 'qwen3-coder', { effort: false });
    const { result } = await ask(model, request, AbortSignal.abort());
    expect(result).toMatchObject({ ok: false, leftOut: ['effort'] });
  });

  it('may be prompt cache marks and images, which a text replaces', async () => {
    const { server, model, lacks } = await connectedTo('openRouter');
    const content = [{ type: 'text', text: 'Look' } as const, IMAGE];
    const result = { type: 'tool_result', tool_use_id: 'a', content: [IMAGE] } as const;
    const request = prompt('Hi', {
      ...FULL,
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] },
        { role: 'user', content: [result] },
      ],
    });
    const { leftOut } = replyIn((await ask(model, request)).result);
    expect(leftOut).toEqual(['cacheControl', 'images']);
    expect(lacks()).toEqual(['counts', 'cacheControl', 'images']);
    const sent = JSON.stringify(server.asked.at(-1));
    expect(sent).not.toMatch(/cache_control|"type":"image"/);
    expect(sent.match(/\[Image not sent: the server does not support images\.\]/g)).toHaveLength(2);
  });

  it('is recognised in an answer that would otherwise be retried', async () => {
    const { server, model } = await connectedTo('llamaCpp');
    const messages = [{ role: 'user', content: [IMAGE] }] as const;
    expect((await ask(model, prompt('Hi', { ...FULL, messages }))).result.ok).toBe(true);
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['ollama', 'gemma3:4b', 'does not support tools'],
    ['vllmWithoutTools', 'qwen3-coder', '--enable-auto-tool-choice'],
  ] as const)('ends the turn if it is the tools (%s)', async (kind, id, words) => {
    heldTimers();
    const { server, model, lacks, name } = await connectedTo(kind);
    const { result } = await ask(model, prompt('Hi', { ...FULL, model: id }));
    const { message } = failureIn(result);
    expect(message).toContain(
      `${name} refuses tools for ${id}, and the agent cannot work without them. This request was not answered. Choose a model that supports tools, or start the server with them.`,
    );
    expect(message).toContain(words);
    expect(server.asked).toHaveLength(1);
    expect(lacks(id)).toContain('tools');
  });

  it('is never sent if its documentation says so', async () => {
    const { server, model, name } = await connectedTo('ollama', new LearnedAbilities(), 'ollama');
    const { events } = await ask(model, prompt('Hi', FULL));
    expect(events.filter(({ type }) => type === 'notice')).toEqual([]);
    expect(JSON.stringify(server.asked)).not.toContain('cache_control');
    expect(server.counted()).toBe(0);
    expect(name).toMatch(/^127\.0\.0\.1:\d+$/);
  });
});

/** A double for each kind that the user can choose, apart from Anthropic. */
const DOUBLES = [
  ['litellm', 'liteLlm'],
  ['vllm', 'vllm'],
  ['llamaCpp', 'llamaCpp'],
  ['openRouter', 'openRouter'],
  ['ollama', 'ollama'],
  ['lmStudio', 'lmStudio'],
  ['gateway', 'undercountingProxy'],
] as const;

describe('a server chosen from the list', () => {
  it.each(DOUBLES)(
    'is answered, and gets nothing that its kind is documented to lack (%s)',
    async (id, double) => {
      const { lacks } = kindWithId(id)!;
      const { server, model, counter } = await connectedTo(double, new LearnedAbilities(), id);
      await counter.count(prompt('Hi', FULL), never);
      const { result } = await ask(model, prompt('Hi', FULL));
      expect(result.ok).toBe(true);
      expect(server.counted()).toBe(lacks.includes('counts') ? 0 : 1);
      const isMarked = JSON.stringify(server.asked[0]).includes('cache_control');
      expect(isMarked).toBe(!lacks.includes('cacheControl'));
      // Only counts that agree with the usage make it more than an estimate.
      const agrees = ['liteLlm', 'vllm', 'llamaCpp'].includes(double);
      expect(replyIn(result).isUncounted).toBe(agrees ? undefined : true);
    },
  );

  it('has a double for each kind', () => {
    const known = SERVER_KINDS.map(({ id }) => id).filter((id) => id !== ANTHROPIC_KIND);
    expect(DOUBLES.map(([id]) => id)).toEqual(known);
  });
});

it('sends everything to Anthropic and to a server that is not examined', async () => {
  const server = await startCompatible(COMPATIBLE.strictProxy);
  onTestFinished(() => server.close());
  const { model, counter } = connect({ baseUrl: server.url });
  expect(await counter.count(prompt('Hi'), never)).toMatchObject({ ok: true });
  const { result } = await ask(model, prompt('Hi', { ...FULL, effort: 'low' }));
  expect(failureIn(result).message).toContain('output_config');
});
