import { describe, expect, it } from 'vitest';
import { parseSettings, SETTING_NAMES } from '../../src/settings/readSettings';
import { DEFAULT_SETTINGS, durationMs } from '../../src/settings/settings';

describe('the time to live of a session', () => {
  it.each([
    ['24h', 86_400_000],
    ['30m', 1_800_000],
    ['1.5 d', 129_600_000],
    [' 90s ', 90_000],
    ['0', 0],
    ['0h', 0],
  ])('%s is %i ms', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['', '24', 'h', '1w', '-1h', '1h30m', 'never'])('is not %j', (text) => {
    expect(durationMs(text)).toBeUndefined();
    const parsed = parseSettings({ 'plimsoll.sessions.ttl': text });
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toContain(
      `plimsoll.sessions.ttl must be a time such as "30m", "24h" or "7d", or "0" for no limit, not ${JSON.stringify(text)}.`,
    );
  });

  it('has its default, and so has the limit on sessions', () => {
    expect(DEFAULT_SETTINGS.sessions).toMatchObject({ maxSessions: 10_000, ttl: 86_400_000 });
    expect(SETTING_NAMES).toContain('plimsoll.sessions.maxSessions');
  });
});

describe('the action at the end of a session', () => {
  it('is nothing by default', () => {
    expect(DEFAULT_SETTINGS.sessions).toMatchObject({ onClose: 'nothing', onCloseCommand: '' });
  });

  it('is one of the three', () => {
    const parsed = parseSettings({ 'plimsoll.sessions.onClose': 'mail' });
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toContain(
      'plimsoll.sessions.onClose must be "nothing", "summary" or "command", not "mail".',
    );
  });
});
