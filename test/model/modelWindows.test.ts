import { describe, expect, it } from 'vitest';
import { modelSize } from '../../src/model/modelWindows';

describe('the window of a model', () => {
  it.each([
    ['claude-opus-5-5', {}, 1_000_000, 'from the table of known models'],
    ['claude-haiku-4-5-20251001', {}, 200_000, 'from the table of known models'],
    ['claude-haiku-5-5', { contextWindowTokens: 64_000 }, 64_000, 'from the model list'],
    ['claude-haiku-5-5', { maxReplyTokens: 1 }, 1_000_000, 'from the table of known models'],
    ['qwen3-coder', { contextWindowTokens: 262_144 }, 262_144, 'from the model list'],
    ['qwen3-coder', {}, 200_000, 'assumed'],
    ['claude-opus-9', {}, 200_000, 'assumed'],
  ])('of %s, listed as %j, is %i %s', (model, limits, windowTokens, source) => {
    expect(modelSize(model, limits)).toMatchObject({ windowTokens, source });
  });
});

describe('the longest reply of a model', () => {
  it('comes from the list, else from the table, else is unknown', () => {
    const longest = (model: string, limits = {}) => modelSize(model, limits).maxReplyTokens;
    expect(longest('claude-sonnet-5-5', { maxReplyTokens: 8_192 })).toBe(8_192);
    expect(longest('claude-sonnet-5-5')).toBe(128_000);
    expect(longest('claude-opus-4-1-20250805')).toBe(32_000);
    expect(longest('llama')).toBeUndefined();
  });
});
