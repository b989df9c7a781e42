import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';

/*
 * Since version 0.171 the rollout of a fork, or of a sub-agent that starts with its parent's history,
 * holds only its own lines. Its first line names the session that it continues, and how many bytes of
 * that one's rollout come before it.
 */

const LINE_END = 10;

/** A fork of a fork, and so on; no user forks deeper. */
const DEEPEST = 20;

/** Whether a file is a rollout, by its name. */
export function isRollout(file: string): boolean {
  return /^rollout-.*\.jsonl(?:\.zst)?$/.test(basename(file));
}

/**
 * Puts the lines that a rollout continues after its first line; unchanged if it continues none, or if
 * that one's file is missing. `read` gives the bytes of a rollout as they are in its file.
 */
export async function withHistory(
  file: string,
  bytes: Buffer,
  read: (file: string) => Promise<Buffer>,
  depth = 0,
): Promise<Buffer> {
  const end = bytes.indexOf(LINE_END) + 1;
  const base = baseIn(bytes.toString('utf8', 0, end));
  if (base === undefined || depth === DEEPEST) return bytes;
  const origin = await rolloutOf(base.thread, file);
  if (origin === undefined || origin === file) return bytes;
  const before = (await read(origin)).subarray(0, base.bytes);
  const history = await withHistory(origin, before, read, depth + 1);
  return Buffer.concat([bytes.subarray(0, end), history, bytes.subarray(end)]);
}

function baseIn(line: string): { readonly thread: string; readonly bytes: number } | undefined {
  if (!line.includes('"history_base"')) return undefined;
  const value = parsed(line);
  const payload = isObject(value) ? value['payload'] : undefined;
  const base = isObject(payload) ? payload['history_base'] : undefined;
  if (!isObject(base)) return undefined;
  const { thread_id: thread, end_byte_offset: bytes } = base;
  if (typeof thread !== 'string' || !/^[\w-]{1,100}$/.test(thread)) return undefined;
  return typeof bytes === 'number' && bytes > 0 ? { thread, bytes } : undefined;
}

/** The rollout of a session, in the same folders of Codex as another one. */
async function rolloutOf(thread: string, near: string): Promise<string | undefined> {
  const folder = dirname(near);
  const home =
    basename(folder) === 'archived_sessions'
      ? dirname(folder)
      : join(folder, '..', '..', '..', '..');
  const folders = [
    folder,
    ...(await foldersBelow(join(home, 'sessions'), 3)),
    join(home, 'archived_sessions'),
  ];
  for (const one of folders) {
    const names = await namesIn(one);
    const name = names.find((each) => isRollout(each) && each.includes(`-${thread}.jsonl`));
    if (name !== undefined) return join(one, name);
  }
  return undefined;
}

/** The folders of the days, the newest first. */
async function foldersBelow(folder: string, levels: number): Promise<readonly string[]> {
  if (levels === 0) return [folder];
  const names = (await namesIn(folder)).filter((name) => /^\d+$/.test(name)).toSorted();
  const inner = names.toReversed().map((name) => foldersBelow(join(folder, name), levels - 1));
  return (await Promise.all(inner)).flat();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
