import { describe, expect, it } from 'vitest';
import type { ModelLimits } from '../../src/agent/model';
import { SettingsInForce } from '../../src/host/settingsInForce';
import type { SettingsResult } from '../../src/settings/readSettings';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings/settings';

const context = (change: Partial<Settings['context']>): SettingsResult => ({
  ok: true,
  settings: { ...DEFAULT_SETTINGS, context: { ...DEFAULT_SETTINGS.context, ...change } },
});

function scene(first: SettingsResult, limitsOf: () => Promise<ModelLimits> = async () => ({})) {
  const around = { now: first, changes: 0 };
  const settings = new SettingsInForce({
    read: () => around.now,
    limitsOf,
    changed: () => {
      around.changes += 1;
    },
  });
  return { around, settings };
}

describe('the settings in force', () => {
  it('are those read last', async () => {
    const { around, settings } = scene(context({}));
    around.now = context({ windowTokens: 32_000 });
    await settings.refresh();
    expect(settings.valid.budget.contextWindowTokens).toBe(32_000);
    expect(settings.problem).toBeUndefined();
  });

  it('stay the last valid ones after an invalid change, which is named', async () => {
    const { around, settings } = scene(context({ windowTokens: 32_000 }));
    await settings.refresh();
    around.now = context({ windowTokens: 64_000, lowWatermark: 0.9 });
    await settings.refresh();
    expect(settings.valid.budget.contextWindowTokens).toBe(32_000);
    expect(settings.problem).toBe(
      'plimsoll.context.lowWatermark must be below the high watermark (0.8), not 0.9.',
    );
    around.now = context({ windowTokens: 64_000 });
    await settings.refresh();
    expect(settings.valid.budget.contextWindowTokens).toBe(64_000);
    expect(settings.problem).toBeUndefined();
  });

  it('are announced only when they are others', async () => {
    const { around, settings } = scene(context({}));
    await settings.refresh();
    await settings.refresh();
    expect(around.changes).toBe(0);
    around.now = context({ toolResultCapTokens: 500 });
    await settings.refresh();
    await settings.refresh();
    expect(around.changes).toBe(1);
  });

  it('are not overtaken by an earlier reading whose model list answers late', async () => {
    const answers: ((limits: ModelLimits) => void)[] = [];
    const { around, settings } = scene(
      context({}),
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const first = settings.refresh();
    around.now = context({ windowTokens: 50_000 });
    const second = settings.refresh();
    answers[1]?.({});
    await second;
    answers[0]?.({ contextWindowTokens: 1_000_000 });
    await first;
    expect(settings.valid.budget.contextWindowTokens).toBe(50_000);
  });

  it('begin with the defaults when what is set makes no sense', () => {
    const { settings } = scene(context({ highWatermark: 3 }));
    expect(settings.valid.settings).toEqual(DEFAULT_SETTINGS);
  });
});
