import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { refused, type Result, errorText } from '../contextWindow/result';

/** The process that writes a log. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly id: string;
  /** Start time of the process by the system clock; detects a reused process number. */
  readonly began?: string;
}

/** The right to write a log, which one window has at a time. */
export interface LogLock {
  release(): void;
}

type LockResult = Result<{ readonly lock: LogLock }>;

/**
 * A lock without a holder that is this old (ms) was left by a process that ended while taking it.
 */
const UNFINISHED_MS = 10_000;

/**
 * The locks of this process. After a reboot its number may be a reused one, so it must not take old
 * locks for its own.
 */
const HELD = new Set<string>();

/** Takes the lock of a log, also from a process that has ended without releasing it. */
export function lockLog(file: string): LockResult {
  const path = lockFile(file);
  const holder: Holder = { pid: process.pid, host: hostname(), id: randomUUID(), began: began() };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let attempt = 0; attempt < 3; attempt++) {
      if (create(path, holder)) return { ok: true, lock: lockOf(path, holder) };
      const found = readLock(path);
      if (found === 'none') continue;
      if (found === 'unfinished' || (found !== 'stale' && isAlive(found))) {
        return refused(heldText(file, found));
      }
      takeAway(path, found);
    }
    return refused(heldText(file, 'unfinished'));
  } catch (error) {
    const why = errorText(error);
    return refused(`The session log ${file} could not be locked: ${why}`);
  }
}

/** Says whether any window holds the lock of a log. */
export function isLocked(file: string): boolean {
  return lockPlace(file) !== undefined;
}

/**
 * Names the window that holds the lock: "in another window", "in a window on harbour"; undefined
 * for none.
 */
export function lockPlace(file: string): string | undefined {
  const found = readLock(lockFile(file));
  if (found === 'none' || found === 'stale') return undefined;
  return found === 'unfinished' || isAlive(found) ? placeOf(found) : undefined;
}

/** The path of the lock file of a log. */
export function lockFile(file: string): string {
  return `${file}.lock`;
}

function lockOf(path: string, holder: Holder): LogLock {
  HELD.add(holder.id);
  return {
    release() {
      if (!HELD.delete(holder.id)) return;
      const found = readLock(path);
      if (typeof found === 'object' && found.id === holder.id) rmSync(path, { force: true });
    },
  };
}

function create(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

type Found = Holder | 'none' | 'unfinished' | 'stale';

function readLock(path: string): Found {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isHolder(value)) return value;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 'none';
    if (!(error instanceof SyntaxError)) throw error;
  }
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return age > UNFINISHED_MS ? 'stale' : 'unfinished';
}

/** Removes an abandoned lock. If another window was faster and the lock is new, restores it. */
function takeAway(path: string, left: Holder | 'stale'): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    const taken = readLock(aside);
    const isLeft = left === 'stale' ? typeof taken === 'string' : isSame(taken, left);
    if (!isLeft) linkSync(aside, path);
  } catch (error) {
    // A third window holds the lock by now; the window that lost it sees that the log has grown.
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isSame(found: Found, holder: Holder): boolean {
  return typeof found === 'object' && found.id === holder.id;
}

function isAlive(holder: Holder): boolean {
  // The processes of another computer are unknown.
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return HELD.has(holder.id);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
  const now = began(holder.pid);
  return now === undefined || holder.began === undefined || now === holder.began;
}

/** When a process began; known only on Linux, where containers soon reuse numbers. */
function began(pid: number = process.pid): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; field 22 of proc(5) is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function heldText(file: string, found: Holder | 'unfinished'): string {
  const where = placeOf(found);
  const isHere = found === 'unfinished' || found.host === hostname();
  const way = isHere ? '' : ` (if that is not so, delete ${lockFile(file)})`;
  return `This session is open ${where}${way}; only one window can write its log.`;
}

function placeOf(found: Holder | 'unfinished'): string {
  return found === 'unfinished' || found.host === hostname()
    ? 'in another window'
    : `in a window on ${found.host}`;
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, id } = value as { readonly [K in keyof Holder]?: unknown };
  return typeof pid === 'number' && typeof host === 'string' && typeof id === 'string';
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
