import { describe, expect, it } from 'vitest';
import { SETTING_NAMES, valueOf, withoutBad } from '../../src/settings/readSettings';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings/settings';
import { PACKAGE_DEFAULTS as DEFAULTS } from '../support/packageSettings';
import { fitting } from '../../src/settings/windowBudget';

const GOOD: Settings = {
  ...DEFAULT_SETTINGS,
  context: { ...DEFAULT_SETTINGS.context, keepTurns: 7 },
};

describe('settings with invalid values', () => {
  it('are all as set if none is invalid', () => {
    expect(withoutBad(DEFAULTS)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
  });

  it('keep the last valid value of each invalid one, and take all others as set', () => {
    const { settings, problems } = withoutBad(
      {
        ...DEFAULTS,
        'plimsoll.advanced': { keepTurns: 0, maxMessages: 12 },
        'plimsoll.idleLimit': 'soon',
        'plimsoll.sessions.ttl': '30m',
      },
      GOOD,
    );
    expect(problems.map(({ setting }) => setting)).toEqual([
      'plimsoll.idleLimit',
      'plimsoll.advanced.keepTurns',
    ]);
    const { context, idleLimit, sessions } = settings;
    expect([context.keepTurns, idleLimit, context.maxMessages, sessions.ttl]).toEqual([
      7, 90_000, 12, 1_800_000,
    ]);
  });

  it('use the default if there is no valid value yet', () => {
    const { settings } = withoutBad({ ...DEFAULTS, 'plimsoll.advanced': { keepTurns: 'many' } });
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });

  it.each(SETTING_NAMES)('are complete with only %s invalid', (name) => {
    const { settings, problems } = withoutBad({ ...DEFAULTS, [name]: Symbol('bad') }, GOOD);
    expect(problems.map(({ setting }) => setting)).toEqual([name]);
    expect(valueOf(settings, name)).toEqual(valueOf(GOOD, name));
  });
});

describe('settings that do not fit together', () => {
  const size = { windowTokens: 200_000, source: 'assumed' } as const;

  it('lose the conflicting entry of a model, and nothing else', () => {
    const models = { 'claude-*': { lowWatermark: 0.95 } };
    const asked: Settings = {
      ...GOOD,
      context: { ...GOOD.context, models, windowTokens: 90_000 },
    };
    const fit = fitting(asked, size, GOOD);
    expect(fit?.problems.map(({ setting }) => setting)).toEqual([
      'plimsoll.context.models["claude-*"].lowWatermark',
    ]);
    expect(fit?.valid.asSet.context).toEqual({ ...GOOD.context, windowTokens: 90_000 });
  });

  it('fall back to the defaults if the last valid values do not fit either', () => {
    const tight: Settings = { ...GOOD, context: { ...GOOD.context, windowTokens: 10 } };
    const fit = fitting(tight, size, tight);
    expect(fit?.valid.budget.contextWindowTokens).toBe(200_000);
    expect(fit?.problems).not.toEqual([]);
  });
});
