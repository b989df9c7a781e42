import { describe, expect, it } from 'vitest';
import { maxReplyFor, windowFor } from '../../src/counting/modelWindows';

describe('the window of a model', () => {
  it.each([
    ['claude-opus-5-5', {}, null, 1_000_000, 'from the table of known models'],
    ['claude-haiku-4-5-20251001', {}, null, 200_000, 'from the table of known models'],
    ['claude-haiku-5-5', { contextWindowTokens: 64_000 }, null, 64_000, 'from the model list'],
    ['claude-haiku-5-5', { maxReplyTokens: 1 }, null, 1_000_000, 'from the table of known models'],
    ['claude-haiku-5-5', { contextWindowTokens: 64_000 }, 32_000, 32_000, 'from a setting'],
    ['qwen3-coder', {}, 32_000, 32_000, 'from a setting'],
    ['qwen3-coder', { contextWindowTokens: 262_144 }, null, 262_144, 'from the model list'],
    ['qwen3-coder', {}, null, 200_000, 'assumed'],
    ['claude-opus-9', {}, null, 200_000, 'assumed'],
  ])('%s, listed as %j, set to %j, is %i %s', (model, limits, set, tokens, source) => {
    expect(windowFor(model, limits, set)).toEqual({ tokens, source });
  });
});

describe('the longest reply of a model', () => {
  it('is that of the list, else that of the table, else unknown', () => {
    expect(maxReplyFor('claude-sonnet-5-5', { maxReplyTokens: 8_192 })).toBe(8_192);
    expect(maxReplyFor('claude-sonnet-5-5', {})).toBe(128_000);
    expect(maxReplyFor('claude-opus-4-1-20250805', {})).toBe(32_000);
    expect(maxReplyFor('llama', {})).toBeUndefined();
  });
});
