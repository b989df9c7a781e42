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

/** How many running commands of this process need each placeholder. */
const needed = new Map<string, number>();

/** Whether a running command needs this placeholder. */
export function isHeld(path: string): boolean {
  return needed.has(path);
}

/** The name of a list of placeholders begins with this, and ends with the process that made them. */
const listName = (root: string): string =>
  `plimsoll-held-${createHash('sha256').update(root).digest('hex').slice(0, 16)}-`;

/** Makes placeholders. A list of them in the temporary folder outlives a crash of this process. */
export function hold(
  root: string,
  wanted: readonly Held[],
): { readonly paths: readonly string[]; release(): void } {
  const list = join(tmpdir(), `${listName(root)}${process.pid}-${randomUUID()}`);
  const own = [...wanted];
  if (own.length > 0) writeFileSync(list, JSON.stringify(own), { mode: 0o600 });
  for (const { path } of own) needed.set(path, (needed.get(path) ?? 0) + 1);
  const release = (): void => {
    for (const one of own.splice(0)) {
      const left = (needed.get(one.path) ?? 1) - 1;
      if (left > 0) needed.set(one.path, left);
      else {
        needed.delete(one.path);
        removeHeld(one);
      }
    }
    rmSync(list, { force: true });
  };
  try {
    own.forEach(makeHeld);
  } catch (error) {
    release();
    throw error;
  }
  return { paths: own.length === 0 ? [] : [...own.map(({ path }) => path), list], release };
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
    if (!name.startsWith(listName(root))) continue;
    const pid = Number(name.slice(listName(root).length).split('-', 1)[0]);
    if (isRunning(pid)) continue;
    const list = join(tmpdir(), name);
    for (const held of readList(list)) {
      if (held.path.startsWith(`${root}${sep}`)) removeHeld(held);
    }
    rmSync(list, { force: true });
  }
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
