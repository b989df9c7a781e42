import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';

/** What of VS Code knows where Plimsoll keeps things of a workspace. */
type Storage = Pick<ExtensionContext, 'storageUri' | 'globalStorageUri'>;

/** A log of more bytes is long: to read and fold it takes a tenth of a second or more. */
const LONG_BYTES = 4_000_000;

/** The folder of the logs of the workspace's sessions; those without a workspace share one. */
export function sessionsFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'sessions');
}

/** The folder of the contents of files as they were before the agent changed them. */
export function checkpointsFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'checkpoints');
}

/** Says whether an earlier window left a session to go on with. */
export function isWorkLeft(storage: Storage): boolean {
  return logsLeft(storage).length > 0;
}

/** Says whether an earlier window left a session whose log takes a noticeable time to open. */
export function isLongSessionLeft(storage: Storage): boolean {
  return logsLeft(storage).some(isLongLog);
}

/** Says whether a log takes a noticeable time to open. */
export function isLongLog(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONG_BYTES;
}

function logsLeft(storage: Storage): readonly string[] {
  const folder = sessionsFolder(storage);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}
