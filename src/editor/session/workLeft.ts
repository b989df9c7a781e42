import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';

/** The properties of VS Code's context that name Plimsoll's storage of a workspace. */
type Storage = Pick<ExtensionContext, 'storageUri' | 'globalStorageUri'>;

/** A log with more bytes is long: reading and folding it takes a tenth of a second or more. */
const LONG_BYTES = 4_000_000;

/** The folder of the logs of the workspace's sessions; those without a workspace share one. */
export function sessionsFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'sessions');
}

/** The folder with the contents of files from before the agent changed them. */
export function checkpointsFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'checkpoints');
}

/** Whether an earlier window left a session to continue. */
export function isWorkLeft(storage: Storage): boolean {
  return logsLeft(storage).length > 0;
}

/** Whether an earlier window left a session whose log takes noticeable time to open. */
export function isLongSessionLeft(storage: Storage): boolean {
  return logsLeft(storage).some(isLongLog);
}

/** Whether a log takes noticeable time to open. */
export function isLongLog(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONG_BYTES;
}

function logsLeft(storage: Storage): readonly string[] {
  const folder = sessionsFolder(storage);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}
