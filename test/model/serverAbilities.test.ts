import { describe, expect, it } from 'vitest';
import type { ModelFailure } from '../../src/agent/model';
import { abilityNotes } from '../../src/model/compatibleServer';
import { LearnedAbilities, refusedFeature, serverName } from '../../src/model/serverAbilities';
import { editTool, prompt } from './asking';

/** A request with tools and thinking, but without images. */
const REQUEST = prompt('Hi', {
  tools: [editTool],
  thinking: { type: 'adaptive', display: 'summarized' },
});

const refusal = (
  message: string,
  type: 'invalidRequest' | 'rateLimited' | 'notFound' | 'server' = 'invalidRequest',
): ModelFailure => ({
  type,
  message,
});

describe('the refused feature', () => {
  it.each([
    ['thinking: Extra inputs are not permitted', 'thinking'],
    ['"qwen3" does not support thinking', 'thinking'],
    ['Unsupported param: tools', 'tools'],
    ['No endpoints found that support tool use.', 'tools'],
    // The request has no image, so the image is not why.
    ['image input is not supported', undefined],
    // Errors of a server that supports thinking.
    ['Invalid `signature` in `thinking` block. This is not allowed.', undefined],
    ['`max_tokens` must be greater than `thinking.budget_tokens`', undefined],
    ['model not found: unknown model', undefined],
    ['tools.0.input_schema: JSON schema is invalid', undefined],
    // Errors of a server that supports tools.
    ['messages.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1', undefined],
  ])('of "%s" is %s', (message, feature) => {
    expect(refusedFeature(REQUEST, refusal(message))).toBe(feature);
  });

  it('is not named by the name of the model', () => {
    const model = 'qwen/qwen3-235b-thinking';
    const message = `No endpoints found for ${model}.`;
    expect(refusedFeature({ ...REQUEST, model }, refusal(message, 'notFound'))).toBeUndefined();
  });

  it('is not named by an error about one image', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'aQ==' } as const;
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }] as const;
    const request = { ...REQUEST, messages };
    const of = (message: string) => refusedFeature(request, refusal(message));
    expect(of('Unsupported image media type image/tiff')).toBeUndefined();
    expect(of('image input is not supported')).toBe('images');
  });

  it('is named by an error of the server only if that cannot pass', () => {
    const of = (message: string) => refusedFeature(REQUEST, refusal(message, 'server'));
    expect(of('Unexpected error in the parser of tool calls')).toBeUndefined();
    expect(of('tools param requires --jinja flag')).toBe('tools');
  });

  it('is never named by a failure that passes', () => {
    expect(
      refusedFeature(REQUEST, refusal('tools are not allowed now', 'rateLimited')),
    ).toBeUndefined();
  });
});

describe('what was learned of servers', () => {
  /** A store with this content. */
  function storeOf(content?: unknown) {
    const store = {
      content,
      read: () => store.content,
      write: (next: unknown) => void (store.content = next),
    };
    return store;
  }

  it('leaves alone what another window has stored meanwhile', () => {
    const store = storeOf();
    const [here, there] = [new LearnedAbilities(store), new LearnedAbilities(store)];
    here.learn('one', 'm', { counts: true });
    there.choose('two', 'litellm');
    here.learn('one', 'm', { images: false });
    const later = new LearnedAbilities(store);
    expect(later.kindOf('two')?.id).toBe('litellm');
    expect(later.of('one', 'm')).toEqual({ counts: true, images: false });
  });

  it('is kept between sessions by server and model, without secrets', () => {
    const store = storeOf();
    const learned = new LearnedAbilities(store);
    const name = serverName('https://user:secret@gate.example.com/claude/v1?key=secret');
    learned.choose(name, 'litellm');
    learned.learn(name, 'qwen3', { counts: true, images: false });
    const again = new LearnedAbilities(storeOf(JSON.parse(JSON.stringify(store.content))));
    expect(name).toBe('gate.example.com/claude');
    expect(again.of(name, 'qwen3')).toEqual({ counts: true, images: false });
    expect(again.of(name, 'other')).toEqual({});
    expect(again.kindOf(name)?.name).toBe('LiteLLM');
    again.forget(name);
    expect(again.of(name, 'qwen3')).toEqual({});
    expect(again.kindOf(name)?.name).toBe('LiteLLM');
  });

  it('counts more than what is documented of the kind', () => {
    const learned = new LearnedAbilities();
    learned.choose('localhost:11434', 'ollama');
    expect(learned.of('localhost:11434', 'm')).toEqual({
      counts: false,
      cacheControl: false,
      documents: false,
    });
    learned.learn('localhost:11434', 'm', { counts: true });
    expect(learned.of('localhost:11434', 'm').counts).toBe(true);
  });

  it.each([[undefined], ['nonsense'], [{ a: 1 }], [{ a: { models: { m: { counts: 'yes' } } } }]])(
    'is empty if the store holds %j',
    (content) => {
      expect(new LearnedAbilities(storeOf(content)).of('a', 'm')).toEqual({});
    },
  );

  it('is limited to 50 servers', () => {
    const store = storeOf();
    const learned = new LearnedAbilities(store);
    for (let at = 0; at < 60; at += 1) learned.learn(`s${at}`, 'm', { counts: true });
    expect(Object.keys(store.content as object)).toHaveLength(50);
    expect(learned.of('s59', 'm')).toEqual({ counts: true });
  });
});

it('says in a line what a server can do', () => {
  expect(abilityNotes({})).toEqual(['token counts not checked yet']);
  expect(abilityNotes({ counts: true, images: true })).toEqual([
    'token counts agree with its usage',
  ]);
  expect(abilityNotes({ counts: false, tools: false, cacheControl: false, images: false })).toEqual(
    [
      'no token counts, so numbers are estimates (≈)',
      'no tools, so the agent cannot work',
      'no prompt cache marks',
      'no images',
    ],
  );
});
