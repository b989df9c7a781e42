import { describe, expect, it } from 'vitest';
import type { ListedModel } from '../../../src/agent/model';
import { modelRows, priceWords, reasoningText } from '../../../src/editor/model/modelChoice';

const OPUS: ListedModel = {
  id: 'claude-opus-5-5',
  name: 'Claude Opus 5.5',
  contextWindowTokens: 1_000_000,
  abilities: { thinking: ['adaptive'], efforts: ['low', 'high', 'max'], images: true },
};
const HAIKU: ListedModel = {
  id: 'claude-haiku-4-5',
  name: 'Claude Haiku 4.5',
  abilities: { thinking: ['enabled', 'disabled'], efforts: [], images: false },
  isDeprecated: true,
};

describe('the models in the picker', () => {
  it('have window, price and abilities, the current one first', () => {
    expect(modelRows([OPUS, HAIKU], HAIKU.id)).toEqual([
      {
        id: HAIKU.id,
        label: 'Claude Haiku 4.5',
        description: 'window 200,000 · $1.00 in, $5.00 out per million tokens',
        detail:
          'claude-haiku-4-5 · current · will be retired · ' +
          'thinking up to a budget, off · no effort to set · reads no images',
      },
      {
        id: OPUS.id,
        label: 'Claude Opus 5.5',
        description: 'window 1,000,000 · $4.00 in, $20.00 out per million tokens',
        detail: 'claude-opus-5-5 · thinking adaptive · effort low to max · reads images',
      },
    ]);
  });

  it('say which facts are unknown', () => {
    expect(modelRows([{ id: 'qwen3-coder', name: 'qwen3-coder' }], 'other')).toEqual([
      {
        id: 'qwen3-coder',
        label: 'qwen3-coder',
        description: 'window unknown · price unknown',
        detail: 'unknown: thinking, effort, images',
      },
    ]);
  });

  it('say where a long prompt costs more', () => {
    expect(priceWords('claude-haiku-5-5')).toBe(
      '$0.10 in, $0.50 out per million tokens (over 100,000: $0.50 in, $2.50 out)',
    );
  });
});

it('names the required abilities of a model as its rows do', () => {
  expect(reasoningText({})).toBe('');
  expect(reasoningText({ thinking: { type: 'disabled' }, effort: 'low' })).toBe(
    'thinking off, effort low',
  );
});
