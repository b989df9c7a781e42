import { createHash, randomUUID } from 'node:crypto';
import {
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { textOf, unlock } from './closedFiles';

/** A placeholder: an empty folder, or a file with this text. */
export interface Held {
  readonly path: string;
  readonly text?: string;
}

/** The names of all lists of placeholders begin with this. */
const LISTS = 'plimsoll-held-';

/** A list belongs to a folder, and ends with the process that made it. */
const listName = (root: string): string =>
  `${LISTS}${createHash('sha256').update(root).digest('hex').slice(0, 16)}-`;

/** The placeholders that a running command needs: of this process, and of other windows on the same files. */
export function heldNow(): ReadonlySet<string> {
  const lists = readdirSync(tmpdir()).filter((name) => name.startsWith(LISTS) && isOfRunning(name));
  return new Set(lists.flatMap((name) => readList(join(tmpdir(), name)).map(({ path }) => path)));
}

/** Whether a command that may write in a folder still runs. */
export function isHeld(root: string): boolean {
  return readdirSync(tmpdir()).some((name) => name.startsWith(listName(root)) && isOfRunning(name));
}

/**
 * Makes placeholders. A list of them in the temporary folder says who needs them, and outlives a crash of this
 * process.
 */
export function hold(
  root: string,
  wanted: readonly Held[],
): { readonly paths: readonly string[]; release(): void } {
  const list = join(tmpdir(), `${listName(root)}${process.pid}-${randomUUID()}`);
  // Written first: another process could otherwise remove a placeholder that is there already.
  if (wanted.length > 0) writeFileSync(list, JSON.stringify(wanted), { mode: 0o600 });
  // A folder can be removed after the ones in it.
  const made = wanted.toReversed();
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    rmSync(list, { force: true });
    removeAll(made);
  };
  try {
    wanted.forEach(makeHeld);
  } catch (error) {
    release();
    throw error;
  }
  return { paths: wanted.length === 0 ? [] : [...made.map(({ path }) => path), list], release };
}

/** Removes placeholders that no running command needs. */
function removeAll(all: readonly Held[]): void {
  const before = heldNow();
  const removed = all.filter(({ path }) => !before.has(path));
  removed.forEach(removeHeld);
  // Another process may have come to need one just now.
  const after = removed.length === 0 ? before : heldNow();
  for (const one of removed.toReversed()) if (after.has(one.path)) makeHeld(one);
}

function makeHeld({ path, text }: Held): void {
  try {
    if (text === undefined) mkdirSync(path);
    else writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Removes a placeholder, unless someone has used it meanwhile. */
export function removeHeld({ path, text }: Held): void {
  unlock(dirname(path), constants.W_OK);
  try {
    if (text === undefined) rmdirSync(path);
    else if (textOf(path) === text) rmSync(path);
  } catch {
    // It is gone, or holds a file now.
  }
}

/** Removes the placeholders of processes that ended without doing so. */
export function removeLeftovers(root: string): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(listName(root)) || isOfRunning(name)) continue;
    const list = join(tmpdir(), name);
    const left = readList(list).filter(({ path }) => path.startsWith(`${root}${sep}`));
    rmSync(list, { force: true });
    removeAll(left.toReversed());
  }
}

/** Whether the process that made a list still runs. */
function isOfRunning(name: string): boolean {
  return isRunning(Number(name.slice(LISTS.length).split('-')[1]));
}

function readList(file: string): readonly Held[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Held[];
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
