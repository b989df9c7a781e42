import { callEffectOf } from './callEffect';
import type { ContextWindow } from './window';
import type { SessionEvent } from './event';

/**
 * When a session was last used, if the user comes back to it: it was idle for its time to live (ms,
 * 0 for no limit), or was unloaded because of that. Undefined if the session simply continues.
 */
export function returnSince(
  events: readonly SessionEvent[],
  now: number,
  ttlMs: number,
): number | undefined {
  const usedAt = lastUse(events);
  if (usedAt === undefined) return undefined;
  const isOver = ttlMs > 0 && now - usedAt >= ttlMs;
  const isExpired = events.findLastIndex(isExpiry) > events.findLastIndex(isUse);
  return isOver || isExpired ? usedAt : undefined;
}

/** When a session was last used, ms since the epoch; undefined before its first prompt. */
export function lastUse(events: readonly SessionEvent[]): number | undefined {
  return events.findLast(isUse)?.at;
}

/**
 * Says whether an event continues the conversation. Changes by hand and the events of opening a
 * session do not count.
 */
function isUse(event: SessionEvent): boolean {
  switch (event.type) {
    case 'promptSubmitted':
    case 'replyReceived':
    case 'approvalAnswered':
    case 'turnEnded':
    case 'turnContinued':
      return true;
    case 'toolFinished':
      return event.origin !== 'interrupted';
    case 'noteAdded':
      return event.source.from === 'return';
    default:
      return false;
  }
}

function isExpiry(event: SessionEvent): boolean {
  return event.type === 'sessionClosed' && event.reason === 'expired';
}

export interface KnownFile {
  /** The calls' name of it. */
  readonly path: string;
  /** A call edited or wrote it. */
  readonly isEdited: boolean;
}

/** Lists the files of all successful calls, removed ones included. */
export function knownFiles({ blocks }: ContextWindow): readonly KnownFile[] {
  const edited = new Map<string, boolean>();
  for (const block of blocks) {
    if (block.kind !== 'step') continue;
    for (const { use, result } of block.pairs) {
      if (result === undefined || result.isError) continue;
      const effect = callEffectOf(use);
      const isEdit = effect.kind === 'edit' || effect.kind === 'write';
      if (!isEdit && effect.kind !== 'read') continue;
      edited.set(effect.path, isEdit || edited.get(effect.path) === true);
    }
  }
  return [...edited].map(([path, isEdited]) => ({ path, isEdited }));
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** Formats an idle time (ms) in whole units: "30 days", "1 hour". */
export function idleText(ms: number): string {
  const [unitMs, unit] = UNITS.find(([least]) => ms >= least) ?? [];
  if (unitMs === undefined) return 'less than a minute';
  const units = Math.floor(ms / unitMs);
  return `${units} ${unit}${units === 1 ? '' : 's'}`;
}
