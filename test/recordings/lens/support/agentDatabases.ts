import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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
    const columns = 'path text, cost real NOT NULL DEFAULT 0, agent text, model text, slug text';
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
