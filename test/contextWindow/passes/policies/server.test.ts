import { describe, expect, it } from 'vitest';
import { measure } from '../../../../src/contextWindow/account/measure';
import { contextEditsOf } from '../../../../src/contextWindow/passes/policies/server';
import { dueTrigger } from '../../../../src/contextWindow/passes/pipeline';
import { AGENT_SETTINGS, POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, draw } from '../../../support/drawing';
import { done, planned } from '../../support/planned';

const session = (tokens: number) => `1 anchor task 10\n1 read a.ts ${tokens}\n1 read b.ts 10`;

function due(tokens: number) {
  const window = draw(session(tokens));
  const settings = { ...POLICY_SETTINGS, policy: 'server' } as const;
  return dueTrigger({
    window,
    measured: measure(window, countDots),
    budget: budgetOf(1_000),
    settings,
  });
}

describe('server', () => {
  it('leaves the window to the API until it exceeds the input budget', () => {
    expect(due(980)).toBeUndefined();
    expect(due(981)).toBe('highWatermark');
  });

  it('then evicts the oldest blocks itself', () => {
    expect(done(planned(session(981), { policy: 'server', inputBudget: 1_000 }))).toEqual([
      'evict step-1',
    ]);
  });

  it('asks for edits that start above the high watermark and free down to the low one', () => {
    expect(contextEditsOf(AGENT_SETTINGS.contextEditing, budgetOf(1_000))).toEqual([
      { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } },
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: 800 },
        keep: { type: 'tool_uses', value: 3 },
        clear_at_least: { type: 'input_tokens', value: 300 },
      },
    ]);
  });

  it('asks for compaction at 50,000 tokens or more, as the API requires', () => {
    const edits = (inputBudget: number) =>
      contextEditsOf(
        {
          ...AGENT_SETTINGS.contextEditing,
          clearThinking: false,
          clearToolUses: false,
          compact: true,
        },
        budgetOf(inputBudget),
      );
    const at = (value: number) => [
      { type: 'compact_20260112', trigger: { type: 'input_tokens', value } },
    ];
    expect(edits(62_500)).toEqual(at(50_000));
    expect(edits(62_600)).toEqual(at(50_080));
  });
});
