import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { isObject } from '../../contextWindow/json';
import { compactionText, isTrace } from '../captures/codexCompactions';
import { isRequestFile, requestWithReply } from '../captures/sideRequests';
import { shownItems } from '../cline';
import { parsed } from '../readJson';
import { isNextToLog, lineOfFile } from '../vscodeDebugLog';
import { isRollout, withHistory } from './codexHistory';
import { CRUSH_STORE } from './crushSessions';
import { GOOSE_STORE } from './gooseSessions';
import { OPENCODE_STORE } from './opencodeSessions';
import { readDatabase } from './sqliteFile';
import { linesWith } from './sessionLines';
import { isStoreOf, storedIn, subAgentNamed } from './storedSessions';
import { ZED_STORE } from './zedSessions';

/** Only newer versions of Node have it. */
interface Zstd {
  readonly zstdDecompress?: (
    bytes: Buffer,
    done: (error: Error | null, bytes: Buffer) => void,
  ) => void;
}

/** Whether a session's file is compressed. */
export function isCompressed(file: string): boolean {
  return file.endsWith('.zst');
}

const STORES = [OPENCODE_STORE, GOOSE_STORE, CRUSH_STORE, ZED_STORE];

/** Reads the bytes of a session's file, compressed or not; a session in a database as JSON. */
export async function sessionBytes(file: string): Promise<Buffer> {
  const stored = storedIn(file);
  if (stored !== undefined) return Buffer.from(await storedText(stored.database, stored.id));
  const subAgent = subAgentNamed(file);
  if (subAgent !== undefined && isTrace(subAgent.file)) {
    return Buffer.from(await compactionText(subAgent.file, subAgent.id));
  }
  if (subAgent !== undefined) return subAgentLines(await bytesOf(subAgent.file), subAgent.id);
  const bytes = await bytesOf(file);
  if (isRollout(file)) return withHistory(file, bytes, bytesOf);
  const beside = fileBeside(file);
  if (beside !== undefined) return withBeside(file, beside, bytes);
  if (isDebugLog(file)) return Buffer.concat([wholeLines(bytes), await filesBeside(file)]);
  return isRequestFile(file) ? requestWithReply(file, bytes) : bytes;
}

const CLINE_MESSAGES = '.messages.json';
const TASK_MESSAGES = 'api_conversation_history.json';

/** The file that belongs to a session of Cline or Roo: its compaction, or what the user was shown. */
export function fileBeside(file: string): string | undefined {
  if (basename(file) === TASK_MESSAGES) return join(dirname(file), 'ui_messages.json');
  return file.endsWith(CLINE_MESSAGES)
    ? `${file.slice(0, -CLINE_MESSAGES.length)}.compaction.json`
    : undefined;
}

/** Puts what the file next to a session of Cline or Roo says into it, in front, on the same line. */
async function withBeside(file: string, beside: string, bytes: Buffer): Promise<Buffer> {
  if ((await lstat(beside).catch(() => undefined))?.isFile() !== true) return bytes;
  const added = parsed(await readFile(beside, 'utf8').catch(() => ''));
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const session = parsed(text);
  if (basename(file) !== TASK_MESSAGES) {
    if (!isObject(added) || !isObject(session)) return bytes;
    return Buffer.from(JSON.stringify({ ...session, compaction: added }));
  }
  const shown = `{"shown":${JSON.stringify(shownItems(added))},`;
  if (Array.isArray(session)) return Buffer.from(`${shown}"messages":${text.trimEnd()}}\n`);
  const rest = text.trimStart().slice(1);
  return isObject(session) ? Buffer.from(`${shown}${rest}`) : bytes;
}

/** The bytes of one file, decompressed. */
async function bytesOf(file: string): Promise<Buffer> {
  const stats = await stat(file);
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is not a regular file');
  const bytes = await readFile(file);
  if (!isCompressed(file)) return bytes;
  const { zstdDecompress } = zlib as Zstd;
  if (zstdDecompress === undefined) {
    throw new Error(
      `it is compressed with zstd, which Node 22.15 or later can read. This is Node ${process.versions.node}: update the editor, or decompress the file.`,
    );
  }
  return promisify(zstdDecompress)(bytes);
}

/** The log of a sub-agent of Plimsoll's, whose events are inside those of the session. */
function subAgentLines(log: Buffer, id: string): Buffer {
  const events = [...linesWith(log, '"type":"subAgentEvent"')].flatMap(({ toolUseId, event }) =>
    toolUseId === id ? `${JSON.stringify(event)}\n` : [],
  );
  if (events.length === 0) throw new Error(`its session has no sub-agent ${id}`);
  return Buffer.from(events.toReversed().join(''));
}

/** A log of VS Code's agent, whose system prompt and tools are in files of the same folder. */
function isDebugLog(file: string): boolean {
  return file.endsWith('.jsonl') && basename(dirname(dirname(file))) === 'debug-logs';
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
}

async function filesBeside(file: string): Promise<Buffer> {
  const folder = dirname(file);
  const entries = await readdir(folder, { withFileTypes: true });
  // A link could lead to any other file of the user.
  const names = entries.filter((entry) => entry.isFile() && isNextToLog(entry.name));
  const lines = names.map(async ({ name }) => {
    const value = parsed(await readFile(join(folder, name), 'utf8'));
    return lineOfFile(name, isObject(value) ? value['content'] : value);
  });
  return Buffer.from((await Promise.all(lines)).join(''));
}

async function storedText(file: string, id: string): Promise<string> {
  const session = await readDatabase(file, (database) =>
    STORES.find((store) => isStoreOf(database, store))?.session(database, id),
  );
  if (session === undefined) throw new Error(`its database has no session ${id}`);
  return JSON.stringify(session);
}
