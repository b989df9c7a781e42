import { describe, expect, it } from 'vitest';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import { haiku45, oldSonnet, opus, sonnet } from './double';
import {
  answer,
  answerToBody,
  ask,
  base,
  cached,
  call,
  readTool,
  refused,
  useDouble,
} from './rules';

useDouble();

describe('a body', () => {
  it('that is valid is answered', async () => {
    expect(await answer({})).toBe('accepted');
  });

  it('may use every field that the strict server knows', async () => {
    const everything = {
      system: [cached('Be brief.', '1h')],
      tools: [{ ...readTool, type: 'custom', description: 'Reads', strict: true }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      thinking: { type: 'adaptive', display: 'summarized' },
      cache_control: { type: 'ephemeral' },
      output_config: { effort: 'low' },
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      stop_sequences: ['STOP'],
      diagnostics: { previous_message_id: null },
    };
    expect(await answer(everything)).toBe('accepted');
  });

  it('with an unknown field is rejected', async () => {
    expect(await answer({ xyz: 1 })).toBe(refused('xyz: Extra inputs are not permitted'));
  });

  it('without max_tokens is rejected', async () => {
    const { max_tokens: _, ...rest } = base;
    expect(await answerToBody(rest)).toBe(refused('max_tokens: Field required'));
  });

  it('with max_tokens that is not a whole number is rejected', async () => {
    expect(await answer({ max_tokens: 1.5 })).toBe(
      refused('max_tokens: Input should be a valid integer'),
    );
  });

  it('with negative max_tokens is rejected', async () => {
    expect(await answer({ max_tokens: -1 })).toBe(
      refused('max_tokens: Input should be greater than or equal to 0'),
    );
  });

  it("with max_tokens over the model's maximum is rejected, and accepted at the maximum", async () => {
    expect(await answer({ max_tokens: 128_001, stream: true })).toBe(
      refused(
        'max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-5-5',
      ),
    );
    expect(await answer({ max_tokens: 128_000, stream: true })).toBe('accepted');
  });

  it('with an unknown model is answered 404', async () => {
    expect(await answer({ model: 'claude-none' })).toBe('404 not_found_error: model: claude-none');
  });

  it.each(['temperature', 'top_p', 'top_k'])('with %s is rejected', async (name) => {
    expect(await answer({ [name]: 1 })).toBe(refused(`${name}: Extra inputs are not permitted`));
  });

  it('that is an array is rejected', async () => {
    expect(await answerToBody([])).toBe(refused('body: Input should be an object'));
  });

  it('with wrong types is rejected with the position of the first one', async () => {
    expect(await answer({ stream: 'yes' })).toBe(
      refused('stream: Input should be a valid boolean'),
    );
    expect(await answer({ system: 5 })).toBe(refused('system: Input should be a valid array'));
    expect(await answer({ stop_sequences: [''] })).toBe(
      refused('stop_sequences.0: String should have at least 1 character'),
    );
    expect(await answer({ model: 7 })).toBe(refused('model: Input should be a valid string'));
  });
});

describe('a part of a body', () => {
  it('that is not an object is rejected', async () => {
    const notAnObject = 'Input should be an object';
    expect(await answer({ messages: ['Hi'] })).toBe(refused(`messages.0: ${notAnObject}`));
    expect(await answer({ messages: [{ role: 'user', content: [5] }] })).toBe(
      refused(`messages.0.content.0: ${notAnObject}`),
    );
    expect(await answer({ thinking: true })).toBe(refused(`thinking: ${notAnObject}`));
  });

  it('with several kinds must name its kind', async () => {
    expect(await answer({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] })).toBe(
      refused('messages.0.content.0.type: Field required'),
    );
  });
});

describe('the thinking setting', () => {
  it('must be one that the model supports', async () => {
    expect(await answer({ model: opus, thinking: { type: 'disabled' } })).toBe(
      refused(
        '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      ),
    );
    expect(await answer({ thinking: { type: 'disabled' } })).toBe('accepted');
  });

  it('has a budget between 1024 tokens and max_tokens', async () => {
    const budget = (budget_tokens: number) =>
      answer({
        model: haiku45,
        max_tokens: 2_000,
        thinking: { type: 'enabled', budget_tokens },
      });
    expect(await budget(1_023)).toContain('greater than or equal to 1024');
    expect(await budget(1_024)).toBe('accepted');
    expect(await budget(2_000)).toBe(
      refused('`max_tokens` must be greater than `thinking.budget_tokens`.'),
    );
  });

  it('without a budget accepts any max_tokens', async () => {
    expect(await answer({ max_tokens: 0, thinking: { type: 'adaptive' } })).toBe('accepted');
  });

  it('excludes a forced tool', async () => {
    const body = {
      model: haiku45,
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tools: [readTool],
      tool_choice: { type: 'any' },
    };
    expect(await answer(body)).toBe(
      refused('Thinking may not be enabled when tool_choice forces tool use.'),
    );
  });

  it('may contain block_binding only with its beta', async () => {
    const thinking = {
      type: 'adaptive',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    };
    expect(await answer({ thinking })).toBe(
      refused('thinking.adaptive.block_binding: Extra inputs are not permitted'),
    );
    const beta = { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' };
    expect(await answerToBody({ ...base, thinking }, '/v1/messages', beta)).toBe('accepted');
  });
});

describe('count_tokens', () => {
  const count = (body: object) => answerToBody(body, '/v1/messages/count_tokens');
  const counted = { model: sonnet, messages: [ask] };

  it('accepts neither max_tokens nor stream', async () => {
    expect(await count(counted)).toBe('accepted');
    expect(await count({ ...counted, max_tokens: 1 })).toBe(
      refused('max_tokens: Extra inputs are not permitted'),
    );
    expect(await count({ ...counted, stream: true })).toBe(
      refused('stream: Extra inputs are not permitted'),
    );
  });

  it('rejects what messages rejects', async () => {
    expect(await count({ ...counted, model: 'claude-none' })).toContain('404');
    expect(await count({ ...counted, messages: [] })).toContain('at least one message');
    expect(
      await count({
        ...counted,
        messages: [ask, { role: 'assistant', content: [call('a')] }, ask],
      }),
    ).toContain('`tool_use` ids were found without');
  });
});

describe('a recorded body', () => {
  it('is validated without a server', () => {
    expect(validateRequest(JSON.parse(JSON.stringify({ ...base, stream: true })))).toBeUndefined();
    expect(validateRequest({ ...base, max_tokens: 64_001, model: oldSonnet })).toMatchObject({
      status: 400,
    });
  });
});
