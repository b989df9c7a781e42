import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import type { AgentSessions, Machine } from './foundSession';
import { sumOf, textOf, titleOfPrompt } from './sessionLines';
import type { Database, Row } from './sqliteFile';
import {
  databasesIn,
  sessionsInDatabase,
  type SessionStore,
  type StoredSession,
  timeIn,
} from './storedSessions';

/**
 * Zed's own agent: `threads/threads.db`, with each thread as JSON, since 0.188 compressed
 * (crates/agent/src/db.rs in zed-industries/zed).
 */
export const ZED: AgentSessions = {
  name: 'Zed',
  places: (machine) => [dataFolder(machine)],
  async find(place, _folder, reader) {
    const folder = place.endsWith('.db') ? place : join(place, 'threads');
    const databases = await databasesIn(folder, /^threads\.db$/, reader);
    const found = databases.map((file) => sessionsInDatabase('zed', file, ZED_STORE, reader));
    return (await Promise.all(found)).flat();
  },
};

function dataFolder({ home, environment }: Machine): string {
  switch (process.platform) {
    case 'win32':
      return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Zed');
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Zed');
    default:
      return join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'zed');
  }
}

/** Newest threads that the list reads for their models and tokens; of older ones it has the titles. */
const MOST_READ = 100;

export const ZED_STORE: SessionStore = {
  tables: { threads: 'data_type' },
  list(database, former) {
    const known = new Map(former.map((session) => [session.id, session]));
    const columns = database.columns('threads');
    const added = ['parent_id', 'folder_paths'].filter((column) => columns.has(column));
    const names = ['id', 'summary', 'updated_at', ...added].join(', ');
    const rows = database.rows(`SELECT ${names} FROM threads ORDER BY updated_at DESC`);
    return rows.map((row, at) => {
      const id = String(row['id']);
      const usedAt = timeIn(row['updated_at']);
      const before = known.get(id);
      if (before?.usedAt === usedAt) return before;
      const thread = at < MOST_READ ? readableThread(database, id) : undefined;
      return { ...headOf(row, id, usedAt), ...(isObject(thread) && countsOf(thread)) };
    });
  },
  session: (database, id) => {
    const thread = threadIn(database, id);
    if (thread !== undefined && !isObject(thread)) throw new Error('its thread is damaged.');
    return thread;
  },
};

function headOf(row: Row, id: string, usedAt: number): StoredSession {
  const [folder] = (textOf(row['folder_paths']) ?? '').split('\n');
  return {
    id,
    usedAt,
    parent: textOf(row['parent_id']),
    folder: textOf(folder),
    title: titleOfPrompt(textOf(row['summary']) ?? ''),
    compactions: 0,
  };
}

function countsOf(thread: Readonly<Record<string, unknown>>): Partial<StoredSession> {
  const { model, messages, request_token_usage: usages } = thread;
  const counted = isObject(usages) ? Object.values(usages) : Array.isArray(usages) ? usages : [];
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const prompts = list.flatMap((one) =>
    isObject(one) && isObject(one['User']) ? [one['User']] : [],
  );
  const usage = prompts
    .map(({ id }) => (isObject(usages) ? usages[textOf(id) ?? ''] : undefined))
    .findLast(isObject);
  const newest: unknown = usage ?? counted.at(-1);
  const { input_tokens: input, output_tokens: output, ...cache } = isObject(newest) ? newest : {};
  const { cache_creation_input_tokens: written, cache_read_input_tokens: read } = cache;
  const last = list.at(-1);
  return {
    compactions: list.filter((one) => isObject(one) && 'Compaction' in one).length,
    model: isObject(model) ? textOf(model['model']) : undefined,
    tokens: sumOf(input, output, written, read),
    isInTurn: isObject(last) && ('User' in last || last['role'] === 'user'),
  };
}

/** As `threadIn`; also undefined for a thread that cannot be read, so that the others are listed. */
function readableThread(database: Database, id: string): unknown {
  try {
    return threadIn(database, id);
  } catch {
    return undefined;
  }
}

/** Longest thread once decompressed; bytes. */
const LONGEST_THREAD = 256 * 1_048_576;

/** One thread's JSON, null for none; undefined if the thread is not there. Throws if it is too long. */
function threadIn(database: Database, id: string): unknown {
  const [row] = database.rows('SELECT data_type, data FROM threads WHERE id = ?', id);
  const data = row?.['data'];
  if (row === undefined) return undefined;
  if (!(data instanceof Uint8Array))
    return typeof data === 'string' ? (parsed(data) ?? null) : null;
  const bytes = row['data_type'] === 'zstd' ? decompressed(data) : Buffer.from(data);
  return parsed(bytes.toString('utf8')) ?? null;
}

function decompressed(data: Uint8Array): Buffer {
  const { zstdDecompressSync } = zlib as {
    readonly zstdDecompressSync?: (
      data: Uint8Array,
      options: { readonly maxOutputLength: number },
    ) => Buffer;
  };
  if (zstdDecompressSync !== undefined)
    return zstdDecompressSync(data, { maxOutputLength: LONGEST_THREAD });
  throw new Error(
    `its threads are compressed with zstd, which Node 22.15 or later can read. This is Node ${process.versions.node}: update the editor.`,
  );
}
