import { describe, expect, it } from 'vitest';
import { compactionBeta, contextManagementBeta } from '../../src/offline/rules/contextEdit';
import { haiku45, opus } from './double';
import { betaHeader, bothBetas, clearThinking, clearTools, compact } from './editing';
import { answerToBody, ask, base, refused, theClient, useDouble } from './rules';

useDouble();

const send = (changes: object, betas: readonly string[] = bothBetas) =>
  answerToBody({ ...base, ...changes }, '/v1/messages', betaHeader(...betas));
const edits = (...list: readonly object[]) => send({ context_management: { edits: list } });
const at0 = (message: string) => refused(`context_management.edits.0.${message}`);

describe('context_management', () => {
  it('is rejected without its beta on both endpoints', async () => {
    const fault = refused('context_management: Extra inputs are not permitted');
    const body = { ...base, context_management: { edits: [clearTools(1)] } };
    expect(await answerToBody(body)).toBe(fault);
    const { max_tokens: _, ...counted } = body;
    expect(await answerToBody(counted, '/v1/messages/count_tokens')).toBe(fault);
  });

  it('contains a list of edits and nothing else', async () => {
    expect(await send({ context_management: null })).toBe('accepted');
    expect(await edits()).toBe('accepted');
    expect(await edits(clearThinking(), clearTools(1), compact())).toBe('accepted');
    expect(await send({ context_management: { strategy: 'auto' } })).toBe(
      refused('context_management.strategy: Extra inputs are not permitted'),
    );
    expect(await edits({ type: 'clear_images' })).toContain(
      "context_management.edits.0: Input tag 'clear_images' found using 'type' does not match",
    );
  });

  it('compacts only with its own beta, and clears with either', async () => {
    const clearing = { context_management: { edits: [clearTools(1)] } };
    const compacting = { context_management: { edits: [compact()] } };
    expect(await send(clearing, [compactionBeta])).toBe('accepted');
    expect(await send(compacting, [compactionBeta])).toBe('accepted');
    expect(await send(compacting, [contextManagementBeta])).toBe(
      refused(
        "context_management.edits.0: Input tag 'compact_20260112' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919'",
      ),
    );
  });

  it('must have clear_thinking first', async () => {
    const fault = refused(
      'context_management: `clear_thinking_20251015` must be the first strategy in `context_management.edits` when provided',
    );
    expect(await edits(clearTools(1), clearThinking())).toBe(fault);
    expect(await edits(compact(), clearThinking())).toBe(fault);
  });

  it('accepts each edit once', async () => {
    expect(await edits(clearTools(1), clearTools(2))).toContain(
      'Found more than one `clear_tool_uses_20250919` strategy',
    );
  });

  it('is rejected for a model that does not support the edit', async () => {
    const old = { model: haiku45, context_management: { edits: [clearTools(1), compact()] } };
    expect(await send(old)).toBe(
      refused('context_management.edits.1: `compact_20260112` is not supported for this model'),
    );
    const known = async (id: string) => (await theClient().models.retrieve(id)).capabilities;
    expect((await known(opus))?.context_management).toMatchObject({
      supported: true,
      compact_20260112: { supported: true },
    });
    expect((await known(haiku45))?.context_management).toMatchObject({
      clear_thinking_20251015: { supported: true },
      compact_20260112: { supported: false },
    });
  });

  it('clears thinking only if the model thinks', async () => {
    const fault = refused(
      '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive',
    );
    const context_management = { edits: [clearThinking('all')] };
    expect(await send({ context_management, thinking: { type: 'disabled' } })).toBe(fault);
    expect(await send({ context_management, model: haiku45 })).toBe(fault);
    expect(
      await send({
        context_management,
        model: haiku45,
        max_tokens: 2_000,
        thinking: { type: 'enabled', budget_tokens: 1_024 },
      }),
    ).toBe('accepted');
  });
});

describe('clear_tool_uses', () => {
  const field = (changes: object) => edits(clearTools(1, changes));
  const path = 'clear_tool_uses_20250919';

  it('may be its type alone, or use every field', async () => {
    expect(await edits({ type: 'clear_tool_uses_20250919' })).toBe('accepted');
    const everything = {
      trigger: { type: 'tool_uses', value: 5 },
      keep: { type: 'tool_uses', value: 0 },
      clear_at_least: { type: 'input_tokens', value: 5_000 },
      exclude_tools: ['search'],
      clear_tool_inputs: ['read_file'],
    };
    expect(await field(everything)).toBe('accepted');
    expect(await field({ clear_tool_inputs: true, exclude_tools: null })).toBe('accepted');
  });

  it.each([
    [{ keep_last: 3 }, `${path}.keep_last: Extra inputs are not permitted`],
    [{ trigger: 5 }, `${path}.trigger: Input should be an object`],
    [
      { trigger: { type: 'input_tokens', value: 0 } },
      `${path}.trigger.input_tokens.value: Input should be greater than or equal to 1`,
    ],
    [
      { keep: { type: 'input_tokens', value: 1 } },
      `${path}.keep.type: Input should be 'tool_uses'`,
    ],
    [
      { clear_at_least: { type: 'input_tokens', value: 1.5 } },
      `${path}.clear_at_least.value: Input should be a valid integer`,
    ],
    [{ exclude_tools: 'search' }, `${path}.exclude_tools: Input should be a valid array`],
    [{ clear_tool_inputs: 1 }, `${path}.clear_tool_inputs: Input should be a valid boolean`],
  ])('with %j is rejected', async (changes, message) => {
    expect(await field(changes)).toBe(at0(message));
  });

  it('with an unknown kind of trigger is rejected', async () => {
    expect(await field({ trigger: { type: 'messages', value: 1 } })).toContain(
      `${path}.trigger: Input tag 'messages'`,
    );
  });
});

describe('clear_thinking', () => {
  const path = 'clear_thinking_20251015.keep';

  it('keeps some turns or all', async () => {
    expect(await edits(clearThinking({ type: 'thinking_turns', value: 1 }))).toBe('accepted');
    expect(await edits(clearThinking({ type: 'all' }))).toBe('accepted');
    expect(await edits(clearThinking('all'))).toBe('accepted');
    expect(await edits(clearThinking({ type: 'thinking_turns', value: 0 }))).toBe(
      at0(`${path}.thinking_turns.value: Input should be greater than or equal to 1`),
    );
    expect(await edits(clearThinking('none'))).toBe(at0(`${path}: Input should be an object`));
  });
});

describe('compact', () => {
  const path = 'compact_20260112';

  it('accepts triggers of at least 50,000 tokens', async () => {
    expect(await edits(compact(50_000))).toBe('accepted');
    expect(await edits(compact(49_999))).toBe(at0(`${path}: trigger.value must be at least 50000`));
    expect(await edits({ type: 'compact_20260112' })).toBe('accepted');
    expect(await edits(compact(50_000, { trigger: { type: 'tool_uses', value: 9 } }))).toBe(
      at0(`${path}.trigger.type: Input should be 'input_tokens'`),
    );
  });

  it('accepts instructions and whether to pause', async () => {
    const fields = { instructions: 'Be brief.', pause_after_compaction: false };
    expect(await edits(compact(50_000, fields))).toBe('accepted');
    expect(await edits(compact(50_000, { summary_prompt: 'Be brief.' }))).toBe(
      at0(`${path}.summary_prompt: Extra inputs are not permitted`),
    );
  });
});

describe('a compaction block', () => {
  const block = { type: 'compaction', content: 'What was.' };
  const answered = (...content: readonly object[]) => ({
    messages: [ask, { role: 'assistant', content }, ask],
  });
  const context_management = { edits: [compact()] };

  it('needs its beta and a compact edit', async () => {
    expect(await send(answered(block), [contextManagementBeta])).toContain(
      "messages.1.content.0: Input tag 'compaction'",
    );
    expect(await send(answered(block))).toBe(
      refused(
        'messages.1.content.0: `compaction` blocks require a `compact_20260112` strategy in `context_management.edits`.',
      ),
    );
    expect(await send({ ...answered(block), context_management })).toBe('accepted');
  });

  it('has non-empty content, or null', async () => {
    const of = (content: unknown) =>
      send({
        ...answered({ type: 'compaction', content }, { type: 'text', text: 'So' }),
        context_management,
      });
    expect(await of(null)).toBe('accepted');
    expect(await of('')).toContain('content: String should have at least 1 character');
  });

  it('belongs to the assistant', async () => {
    const messages = [{ role: 'user', content: [block] }];
    expect(await send({ messages, context_management })).toContain(
      '`compaction` blocks can only be in `assistant` messages',
    );
  });

  it('may come first and replace the messages it covers, unless it covers none', async () => {
    const first = (content: unknown) =>
      send({
        messages: [{ role: 'assistant', content: [{ type: 'compaction', content }] }, ask],
        context_management,
      });
    expect(await first('What was.')).toBe('accepted');
    expect(await first(null)).toContain('first message must use the "user" role');
  });
});
