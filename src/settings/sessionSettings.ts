import { z } from 'zod';
import { wholeNumber } from './settingShapes';

/** What is set under `plimsoll.sessions.`. */
export interface SessionSettings {
  /** Most sessions held in memory; 0 for no cap. */
  readonly maxSessions: number;
  /** How long an idle session stays in memory; ms, 0 for ever. */
  readonly ttl: number;
}

/** What holds of the sessions where nothing is set. */
export const DEFAULT_SESSIONS: SessionSettings = { maxSessions: 10_000, ttl: 24 * 3_600_000 };

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DURATION = /^(\d+(?:\.\d+)?) ?([smhd])$/;

/** Reads a time as "90s", "30m", "24h" or "7d", or "0"; ms. Undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (text.trim() === '0') return 0;
  const [, amount, unit = ''] = DURATION.exec(text.trim()) ?? [];
  const unitMs = UNITS[unit];
  return amount === undefined || unitMs === undefined ? undefined : Number(amount) * unitMs;
}

const TTL = 'must be a time as "30m", "24h" or "7d", or "0" for no end';

/** The shape of each setting. */
export const SESSION_SHAPE = {
  maxSessions: wholeNumber(0),
  ttl: z.string(TTL).transform((text, context) => {
    const ms = durationMs(text);
    if (ms !== undefined) return ms;
    context.addIssue({ code: 'custom', message: TTL });
    return z.NEVER;
  }),
};
