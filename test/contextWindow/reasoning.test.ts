import { describe, expect, it } from 'vitest';
import { reasoningFor, withinReply, type ReasoningWished } from '../../src/contextWindow/reasoning';

const wished = (parts: Partial<ReasoningWished>): ReasoningWished => ({
  mode: 'auto',
  budgetTokens: 2_048,
  effort: 'auto',
  ...parts,
});

describe('what a request says of thinking and effort', () => {
  it('is nothing where the model is to decide', () => {
    expect(reasoningFor(wished({}))).toEqual({});
  });

  it.each([
    ['adaptive', { type: 'adaptive', display: 'summarized' }],
    ['enabled', { type: 'enabled', budget_tokens: 2_048, display: 'summarized' }],
    ['disabled', { type: 'disabled' }],
    ['between_tools', { type: 'between_tools' }],
  ] as const)('has %s in the words of the API', (mode, thinking) => {
    expect(reasoningFor(wished({ mode, effort: 'low' }))).toEqual({ thinking, effort: 'low' });
  });

  it('leaves out what the model is known not to take, and nothing else', () => {
    const want = wished({ mode: 'disabled', effort: 'max' });
    expect(reasoningFor(want, { thinking: ['adaptive'], efforts: [] })).toEqual({});
    expect(reasoningFor(want, { efforts: ['high'] })).toEqual({ thinking: { type: 'disabled' } });
    expect(reasoningFor(want, { thinking: ['disabled'] })).toMatchObject({ effort: 'max' });
  });
});

describe('the budget of thinking', () => {
  const thinking = { type: 'enabled', budget_tokens: 4_000, display: 'summarized' } as const;

  it('stays below the longest reply', () => {
    expect(withinReply({ thinking }, 4_001)).toEqual({ thinking });
    expect(withinReply({ thinking, effort: 'low' }, 4_000)).toEqual({
      thinking: { ...thinking, budget_tokens: 3_999 },
      effort: 'low',
    });
  });

  it('is left out where the reply has no room for the smallest one', () => {
    expect(withinReply({ thinking }, 1_025)).toMatchObject({ thinking: { budget_tokens: 1_024 } });
    expect(withinReply({ thinking, effort: 'low' }, 1_024)).toEqual({ effort: 'low' });
  });
});
