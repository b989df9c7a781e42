import { describe, expect, it } from 'vitest';
import type { ModelAbilities } from '../../../src/contextWindow/reasoning';
import { reasoningNotices, settingNotices } from '../../../src/editor/model/settingNotices';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings';
import { validWith } from '../contextPanel/support/inspecting';

const told = (more: Partial<Settings>, abilities?: ModelAbilities, maxReplyTokens = 4_096) => {
  const valid = validWith({ maxReplyTokens }, more);
  const size = { ...valid.size, ...(abilities === undefined ? {} : { abilities }) };
  return reasoningNotices({ ...valid, size }).map(({ message }) => message);
};

const enabled = (budgetTokens: number) =>
  ({ thinking: { mode: 'enabled', budgetTokens } }) as const;

it("reports nothing if nothing is set or the model's abilities are unknown", () => {
  expect(told({})).toEqual([]);
  expect(told({ effort: 'max', ...enabled(2_048) })).toEqual([]);
});

it('reports what a model does not support, and what it does', () => {
  const abilities = { thinking: ['adaptive'], efforts: [] } as const;
  expect(told({ effort: 'low', ...enabled(2_048) }, abilities)).toEqual([
    'claude-sonnet-5-5 does not support thinking "enabled", so it is not sent. It supports: adaptive.',
    'claude-sonnet-5-5 does not support effort "low", so it is not sent. It supports none.',
  ]);
});

it('reports a budget above the longest reply, and the budget that is sent', () => {
  expect(told(enabled(4_095))).toEqual([]);
  expect(told(enabled(4_096))).toEqual([
    'plimsoll.advanced.thinkingBudgetTokens, 4096, must be below the longest reply, 4096 tokens. Plimsoll requests 4095.',
  ]);
  expect(told(enabled(2_048), {}, 1_000)).toEqual([
    'plimsoll.advanced.thinkingBudgetTokens, 2048, must be below the longest reply, 1000 tokens. No thinking is requested.',
  ]);
});

describe('a setting that cannot be used', () => {
  it('is reported with the current value and a button that opens it', () => {
    const setting = 'plimsoll.advanced.keepTurns';
    const wrong = { setting, message: 'plimsoll.advanced.keepTurns must be at least 1, not 0.' };
    expect(settingNotices([wrong], DEFAULT_SETTINGS)).toEqual([
      {
        setting,
        message: 'plimsoll.advanced.keepTurns must be at least 1, not 0. Current value: 20.',
        actions: [
          {
            label: 'Open the setting',
            wish: { type: 'openSettings', setting: 'plimsoll.advanced' },
          },
        ],
      },
    ]);
  });
});
