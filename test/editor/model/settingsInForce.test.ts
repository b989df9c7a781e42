import { describe, expect, it } from 'vitest';
import type { ModelLimits } from '../../../src/agent/model';
import { SettingsInForce } from '../../../src/editor/model/settingsInForce';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings';
import type { UsableSettings } from '../../../src/settings/readSettings';

const context = (change: Partial<Settings['context']>): UsableSettings => ({
  problems: [],
  settings: { ...DEFAULT_SETTINGS, context: { ...DEFAULT_SETTINGS.context, ...change } },
});

function scene(first: UsableSettings, limitsOf: () => Promise<ModelLimits> = async () => ({})) {
  const around = { now: first, changes: 0 };
  const settings = new SettingsInForce({ readSettings: () => around.now }, { limitsOf }, () => {
    around.changes += 1;
  });
  return { around, settings };
}

describe('the current settings', () => {
  it('are those read last', async () => {
    const { around, settings } = scene(context({}));
    around.now = context({ windowTokens: 32_000 });
    await settings.refresh();
    expect(settings.valid.budget.contextWindowTokens).toBe(32_000);
    expect(settings.problems).toEqual([]);
  });

  it('keep the last good value of a bad setting and apply the others', async () => {
    const { around, settings } = scene(context({ windowTokens: 32_000, lowWatermark: 0.4 }));
    await settings.refresh();
    around.now = context({ windowTokens: 64_000, lowWatermark: 0.9 });
    await settings.refresh();
    const { budget, settings: inForce } = settings.valid;
    expect([budget.contextWindowTokens, inForce.context.lowWatermark]).toEqual([64_000, 0.4]);
    expect(settings.problems).toEqual([
      {
        setting: 'plimsoll.context.lowWatermark',
        message: 'plimsoll.context.lowWatermark must be below the high watermark (0.8), not 0.9.',
      },
    ]);
    expect(settings.blocking).toBeUndefined();
    around.now = context({ windowTokens: 64_000 });
    await settings.refresh();
    expect([settings.valid.settings.context.lowWatermark, settings.problems]).toEqual([null, []]);
  });

  it('use the default if the last good value does not fit the new model', async () => {
    const limits = { now: {} as ModelLimits };
    const { around, settings } = scene(context({ maxReplyTokens: 60_000 }), async () => limits.now);
    await settings.refresh();
    expect(settings.valid.budget.maxReplyTokens).toBe(60_000);
    limits.now = { maxReplyTokens: 8_000 };
    around.now = context({ maxReplyTokens: 60_000, toolResultCapTokens: 500 });
    await settings.refresh();
    expect(settings.valid.budget.maxReplyTokens).toBeLessThanOrEqual(8_000);
    expect(settings.valid.settings.context.toolResultCapTokens).toBe(500);
    expect(settings.problems.map(({ setting }) => setting)).toEqual([
      'plimsoll.context.maxReplyTokens',
    ]);
  });

  it('allow no prompt while a setting that names the server is bad', async () => {
    const { around, settings } = scene(context({}));
    const wrong = { setting: 'plimsoll.provider', message: 'plimsoll.provider must be another.' };
    around.now = { settings: DEFAULT_SETTINGS, problems: [wrong] };
    await settings.refresh();
    expect(settings.blocking).toEqual(wrong);
  });

  it('are announced only when they change', async () => {
    const { around, settings } = scene(context({}));
    await settings.refresh();
    await settings.refresh();
    expect(around.changes).toBe(0);
    around.now = context({ toolResultCapTokens: 500 });
    await settings.refresh();
    await settings.refresh();
    expect(around.changes).toBe(1);
  });

  it('ignore an earlier reading whose model list arrives late', async () => {
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

  it('apply a changed watermark immediately, before the model list arrives', async () => {
    const answers: ((limits: ModelLimits) => void)[] = [];
    const { around, settings } = scene(
      context({}),
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const first = settings.refresh();
    answers[0]?.({ contextWindowTokens: 100_000 });
    await first;
    around.now = context({ highWatermark: 0.6 });
    const changes = around.changes;
    const second = settings.refresh();
    const { budget } = settings.valid;
    expect([budget.highTokens, budget.contextWindowTokens]).toEqual([
      Math.floor(budget.inputBudget * 0.6),
      100_000,
    ]);
    expect(around.changes).toBe(changes + 1);
    answers[1]?.({ contextWindowTokens: 100_000 });
    await second;
    expect(around.changes).toBe(changes + 1);
  });

  it('wait for the model list of another model', async () => {
    const answers: ((limits: ModelLimits) => void)[] = [];
    const { around, settings } = scene(
      context({}),
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const before = settings.valid.settings.model;
    around.now = { problems: [], settings: { ...DEFAULT_SETTINGS, model: 'another' } };
    const reading = settings.refresh();
    expect(settings.valid.settings.model).toBe(before);
    answers[0]?.({ contextWindowTokens: 50_000 });
    await reading;
    const { valid } = settings;
    expect([valid.settings.model, valid.budget.contextWindowTokens]).toEqual(['another', 50_000]);
  });

  it('begin with the defaults if the configuration is invalid', () => {
    const { settings } = scene(context({ highWatermark: 3 }));
    expect(settings.valid.settings).toEqual(DEFAULT_SETTINGS);
  });
});
