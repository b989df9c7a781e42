import { join } from 'node:path';
import { type LogLoader, SessionRegistry } from '../../../src/sessions/sessionRegistry';
import type { SessionLimits } from '../../../src/sessions/heldSessions';

const HOUR = 3_600_000;

/** A registry whose clock and timer the test turns. */
export function registryScene(
  folder: string,
  limits: Partial<SessionLimits> = {},
  ids = 'id',
  loader?: LogLoader,
) {
  let now = Date.UTC(2026, 10, 21, 12);
  let made = 0;
  const timers = new Map<() => void, { readonly ms: number; due: number }>();
  const busy = new Set<string>();
  const reported: unknown[] = [];
  const registry = new SessionRegistry(
    {
      folder,
      now: () => now,
      makeId: () => `${ids}-${++made}`,
      every(ms, work) {
        timers.set(work, { ms, due: now + ms });
        return () => timers.delete(work);
      },
      isAtWork: (file) => busy.has(file),
      loader,
      report: (error) => reported.push(error),
    },
    { maxSessions: 0, ttlMs: 0, ...limits },
  );
  return {
    registry,
    now: () => now,
    busy,
    reported,
    periods: () => [...timers.values()].map(({ ms }) => ms),
    /** Lets time pass; timers go off on the way. */
    pass(hours: number) {
      const end = now + hours * HOUR;
      for (;;) {
        const next = [...timers].filter(([, { due }]) => due <= end)[0];
        if (next === undefined) break;
        const [work, timer] = next;
        now = Math.max(now, timer.due);
        timer.due += timer.ms;
        work();
      }
      now = end;
    },
    fileOf: (id: number) => join(folder, `2026-11-21-id-${id}.jsonl`),
  };
}

export const HOURS = (hours: number): number => hours * HOUR;
