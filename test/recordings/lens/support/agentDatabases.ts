import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import * as zlib from 'node:zlib';

type Value = string | number | null | Uint8Array;

/** What the tests use of `node:sqlite`. */
export interface Writer {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: readonly Value[]): unknown };
  close(): void;
}

/** Opens a database for writing, as its agent does; `node:sqlite` must be there. */
export function openDatabase(file: string, ...tables: readonly string[]): Writer {
  mkdirSync(dirname(file), { recursive: true });
  const { getBuiltinModule } = process as unknown as {
    readonly getBuiltinModule: (name: string) => {
      readonly DatabaseSync: new (file: string) => Writer;
    };
  };
  const database = new (getBuiltinModule('node:sqlite').DatabaseSync)(file);
  database.exec('PRAGMA journal_mode = WAL');
  for (const table of tables) database.exec(table);
  return database;
}

const insert = (database: Writer, table: string, row: Readonly<Record<string, Value>>) =>
  database
    .prepare(
      `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row).map(() => '?')})`,
    )
    .run(...Object.values(row));

/** Tables of OpenCode 1.2 and of 1.15, which has more columns; Kilo 7 has the former. */
export const OPENCODE_TABLES = {
  '1.2': [
    `CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text,
      slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL,
      time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer)`,
    `CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL,
      time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`,
    `CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
      time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`,
    `CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id)`,
    `CREATE INDEX part_session_idx ON part (session_id)`,
  ],
  get '1.15'() {
    const [session = '', ...others] = this['1.2'];
    const columns =
      'path text, cost real NOT NULL DEFAULT 0, revert text, agent text, model text, slug text';
    return [session.replace('slug text', columns), ...others];
  },
} as const;

/** Writes sessions as OpenCode does. */
export const opencode = {
  session: (database: Writer, id: string, directory: string, more: Record<string, Value> = {}) =>
    insert(database, 'session', {
      id,
      project_id: 'p',
      slug: id,
      directory,
      title: id,
      version: '1',
      time_created: 1_000,
      time_updated: 1_000,
      ...more,
    }),
  /** `at` orders the messages; its parts get ids in order. */
  message: (
    database: Writer,
    session: string,
    at: number,
    info: object,
    ...parts: readonly object[]
  ) => {
    const id = `msg_${session}_${at}`;
    const times = { time_created: at, time_updated: at };
    const data = JSON.stringify(info);
    insert(database, 'message', { id, session_id: session, ...times, data });
    parts.forEach((part, number) =>
      insert(database, 'part', {
        id: `prt_${id}_${number}`,
        message_id: id,
        session_id: session,
        ...times,
        data: JSON.stringify(part),
      }),
    );
  },
  prompt: (database: Writer, session: string, at: number, text: string) =>
    opencode.message(database, session, at, { role: 'user' }, { type: 'text', text }),
  reply: (database: Writer, session: string, at: number, tokens: number, more: object = {}) =>
    opencode.message(
      database,
      session,
      at,
      {
        role: 'assistant',
        modelID: 'claude-sonnet-4-5',
        time: { created: at, completed: at + 1 },
        tokens: { input: 10, output: 5, reasoning: 5, cache: { read: tokens - 30, write: 10 } },
        ...more,
      },
      { type: 'text', text: `Looked ${at}.` },
    ),
};

/** Tables of Goose at schema versions 1 (1.10) and 9. */
export const GOOSE_TABLES = {
  1: [
    `CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT NOT NULL DEFAULT '',
      working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
      updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, extension_data TEXT DEFAULT '{}',
      total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER)`,
    `CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
      role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL,
      timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER)`,
  ],
  get 9() {
    return [
      ...this[1],
      `ALTER TABLE messages ADD COLUMN metadata_json TEXT`,
      `ALTER TABLE sessions ADD COLUMN name TEXT DEFAULT ''`,
      `ALTER TABLE sessions ADD COLUMN session_type TEXT NOT NULL DEFAULT 'user'`,
      `ALTER TABLE sessions ADD COLUMN provider_name TEXT`,
      `ALTER TABLE sessions ADD COLUMN model_config_json TEXT`,
      `ALTER TABLE messages ADD COLUMN message_id TEXT`,
    ];
  },
  get 16() {
    return [
      ...this[9],
      ...['cache_read_tokens INTEGER', 'cache_write_tokens INTEGER', 'parent_session_id TEXT'].map(
        (column) => `ALTER TABLE sessions ADD COLUMN ${column}`,
      ),
      `CREATE TABLE usage_ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
        created_timestamp INTEGER NOT NULL, model TEXT, input_tokens INTEGER, output_tokens INTEGER,
        total_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, cost REAL,
        cost_source TEXT, is_compaction INTEGER DEFAULT 0)`,
    ];
  },
} as const;

/** Writes sessions as Goose does. */
export const goose = {
  session: (database: Writer, id: string, folder: string, more: Record<string, Value> = {}) =>
    insert(database, 'sessions', { id, working_dir: folder, ...more }),
  message: (
    database: Writer,
    session: string,
    at: number,
    role: string,
    content: readonly object[],
    metadata?: object,
  ) =>
    insert(database, 'messages', {
      session_id: session,
      role,
      content_json: JSON.stringify(content),
      created_timestamp: at,
      ...(metadata !== undefined && { metadata_json: JSON.stringify(metadata) }),
    }),
};

/** Tables of Crush 0.1 after its first migrations, and of 0.90. */
export const CRUSH_TABLES = {
  '0.1': [
    `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
      message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0,
      completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0,
      updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT)`,
    `CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
      parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL, finished_at INTEGER)`,
  ],
  get '0.90'() {
    return [
      ...this['0.1'],
      'ALTER TABLE messages ADD COLUMN provider TEXT',
      'ALTER TABLE messages ADD COLUMN is_summary_message INTEGER DEFAULT 0 NOT NULL',
      'ALTER TABLE sessions ADD COLUMN todos TEXT',
    ];
  },
} as const;

/** Writes sessions as Crush does; times are in seconds. */
export const crush = {
  session: (database: Writer, id: string, at: number, more: Record<string, Value> = {}) =>
    insert(database, 'sessions', { id, title: id, created_at: at, updated_at: at, ...more }),
  message: (
    database: Writer,
    session: string,
    at: number,
    role: string,
    parts: readonly (readonly [type: string, data: object])[],
    more: Record<string, Value> = {},
  ) =>
    insert(database, 'messages', {
      id: `${session}-${at}-${role}`,
      session_id: session,
      role,
      parts: JSON.stringify(parts.map(([type, data]) => ({ type, data }))),
      created_at: at,
      updated_at: at,
      ...more,
    }),
};

/** The table of Zed before and after threads had parents and folders. */
export const ZED_TABLES = {
  first: [
    `CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL,
      data_type TEXT NOT NULL, data BLOB NOT NULL)`,
  ],
  get last() {
    return [
      ...this.first,
      'ALTER TABLE threads ADD COLUMN parent_id TEXT',
      'ALTER TABLE threads ADD COLUMN folder_paths TEXT',
      'ALTER TABLE threads ADD COLUMN folder_paths_order TEXT',
      'ALTER TABLE threads ADD COLUMN created_at TEXT',
    ];
  },
} as const;

/** Writes a thread as Zed does, compressed where Node can compress with zstd. */
export function zedThread(
  database: Writer,
  id: string,
  thread: { readonly title: string; readonly updated_at: string },
  more: Record<string, Value> = {},
): void {
  const json = Buffer.from(JSON.stringify({ ...thread, version: '0.3.0' }));
  const { zstdCompressSync: compress } = zlib as {
    readonly zstdCompressSync?: (bytes: Buffer) => Buffer;
  };
  insert(database, 'threads', {
    id,
    summary: thread.title,
    updated_at: thread.updated_at,
    data_type: compress === undefined ? 'json' : 'zstd',
    data: compress === undefined ? json : compress(json),
    ...more,
  });
}
