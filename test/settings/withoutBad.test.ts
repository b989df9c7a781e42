import { describe, expect, it } from 'vitest';
import { SETTING_NAMES, valueOf, withoutBad } from '../../src/settings/readSettings';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings/settings';
import { PACKAGE_DEFAULTS as DEFAULTS } from '../support/packageSettings';
import { fitting } from '../../src/settings/windowBudget';

const GOOD: Settings = {
  ...DEFAULT_SETTINGS,
  context: { ...DEFAULT_SETTINGS.context, keepTurns: 7 },
};

describe('settings without the bad ones', () => {
  it('are all as set where none is bad', () => {
    expect(withoutBad(DEFAULTS)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
  });

  it('have the last good value of each bad one, and those beside it as they are set', () => {
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

  it('have the default where there is no good value yet', () => {
    const { settings } = withoutBad({ ...DEFAULTS, 'plimsoll.advanced': { keepTurns: 'many' } });
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });

  it.each(SETTING_NAMES)('are whole with %s alone bad', (name) => {
    const { settings, problems } = withoutBad({ ...DEFAULTS, [name]: Symbol('bad') }, GOOD);
    expect(problems.map(({ setting }) => setting)).toEqual([name]);
    expect(valueOf(settings, name)).toEqual(valueOf(GOOD, name));
  });
});

describe('settings that do not fit together', () => {
  const size = { windowTokens: 200_000, source: 'assumed' } as const;

  it('lose the entry of a model that does not fit, and nothing else', () => {
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

  it('fall back to the defaults where the last good values do not fit either', () => {
    const tight: Settings = { ...GOOD, context: { ...GOOD.context, windowTokens: 10 } };
    const fit = fitting(tight, size, tight);
    expect(fit?.valid.budget.contextWindowTokens).toBe(200_000);
    expect(fit?.problems).not.toEqual([]);
  });
});
