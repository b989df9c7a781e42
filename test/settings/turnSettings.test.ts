import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type ContextSettings } from '../../src/settings/settings';
import { turnSettings } from '../../src/settings/turnSettings';
import { budgetFor } from '../support/budgetFor';

function settingsWith(changes: Partial<ContextSettings> = {}) {
  const context = { ...DEFAULT_SETTINGS.context, maxReplyTokens: 4_096, ...changes };
  const result = budgetFor({ ...DEFAULT_SETTINGS, context }, { contextWindowTokens: 200_000 });
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return turnSettings(result.valid);
}

describe('the settings of a step', () => {
  it('are the ladder with summaries by the same model, unless set otherwise', () => {
    expect(settingsWith()).toMatchObject({
      model: 'claude-sonnet-5-5',
      toolResultCapTokens: 8_000,
      policy: {
        policy: 'ladder',
        maxMessages: 40,
        keepTurns: 20,
        keepRecentTurns: 2,
        maxHistoryTurns: 0,
        summaries: true,
        excerptShare: 0.75,
      },
      compaction: 'auto',
      summary: { writer: 'model', model: 'claude-sonnet-5-5' },
      remindAfterSteps: 12,
      cacheLife: 'auto',
      salience: 'computed',
    });
  });

  it('hold the longest reply of the model, whatever the budget reserves for it', () => {
    expect(settingsWith()).toMatchObject({
      mostReplyTokens: 128_000,
      budget: { maxReplyTokens: 4_096 },
    });
  });

  it('hold the model of summaries if one is set', () => {
    expect(settingsWith({ summaryModel: 'claude-haiku-5-5' }).summary.model).toBe(
      'claude-haiku-5-5',
    );
  });

  it('plan no summary if summaries are off', () => {
    expect(settingsWith({ summariser: 'off' }).policy.summaries).toBe(false);
    expect(settingsWith({ summariser: 'workNote' }).policy.summaries).toBe(true);
  });

  it('hold a summary size only if one is set', () => {
    expect('summaryTokens' in settingsWith().policy).toBe(false);
    expect(settingsWith({ summaryTokens: 400 }).policy.summaryTokens).toBe(400);
  });

  it('hold the prepare watermark in whole tokens, below the high one unless set, and none for 0', () => {
    expect(settingsWith().prepareTokens).toBe(Math.floor(185_664 * 0.7));
    expect(settingsWith({ prepareWatermark: 0.6 }).prepareTokens).toBe(Math.floor(185_664 * 0.6));
    expect('prepareTokens' in settingsWith({ prepareWatermark: 0 })).toBe(false);
    expect(settingsWith({ prepareWatermark: 90_000 }).prepareTokens).toBe(90_000);
    expect(settingsWith({ highWatermark: 120_000 }).prepareTokens).toBe(105_000);
  });

  it("pass on the API's own editing as set", () => {
    const server = { ...DEFAULT_SETTINGS.context.server, compact: true, keepToolUses: 5 };
    expect(settingsWith({ policy: 'server', server }).contextEditing).toEqual(server);
  });
});
