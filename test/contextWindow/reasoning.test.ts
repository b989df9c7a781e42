import { describe, expect, it } from 'vitest';
import { reasoningFor, withinReply, type ReasoningWished } from '../../src/contextWindow/reasoning';

const wished = (parts: Partial<ReasoningWished>): ReasoningWished => ({
  mode: 'auto',
  budgetTokens: 2_048,
  effort: 'auto',
  ...parts,
});

describe('reasoningFor', () => {
  it('is empty if the model decides', () => {
    expect(reasoningFor(wished({}))).toEqual({});
  });

  it.each([
    ['adaptive', { type: 'adaptive', display: 'summarized' }],
    ['enabled', { type: 'enabled', budget_tokens: 2_048, display: 'summarized' }],
    ['disabled', { type: 'disabled' }],
    ['between_tools', { type: 'between_tools' }],
  ] as const)('expresses %s as the API does', (mode, thinking) => {
    expect(reasoningFor(wished({ mode, effort: 'low' }))).toEqual({ thinking, effort: 'low' });
  });

  it('omits exactly what the model is known to refuse', () => {
    const want = wished({ mode: 'disabled', effort: 'max' });
    expect(reasoningFor(want, { thinking: ['adaptive'], efforts: [] })).toEqual({});
    expect(reasoningFor(want, { efforts: ['high'] })).toEqual({ thinking: { type: 'disabled' } });
    expect(reasoningFor(want, { thinking: ['disabled'] })).toMatchObject({ effort: 'max' });
  });
});

describe('withinReply', () => {
  const thinking = { type: 'enabled', budget_tokens: 4_000, display: 'summarized' } as const;

  it('keeps the thinking budget below the longest reply', () => {
    expect(withinReply({ thinking }, 4_001)).toEqual({ thinking });
    expect(withinReply({ thinking, effort: 'low' }, 4_000)).toEqual({
      thinking: { ...thinking, budget_tokens: 3_999 },
      effort: 'low',
    });
  });

  it('omits thinking if the reply has no room for the smallest budget', () => {
    expect(withinReply({ thinking }, 1_025)).toMatchObject({ thinking: { budget_tokens: 1_024 } });
    expect(withinReply({ thinking, effort: 'low' }, 1_024)).toEqual({ effort: 'low' });
  });
});
