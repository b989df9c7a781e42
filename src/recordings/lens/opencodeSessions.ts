import { isAbsolute, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import type { AgentSessions, Machine } from './foundSession';
import { sumOf, textOf, titleOfPrompt } from './sessionLines';
import type { Database, Row } from './sqliteFile';
import {
  databasesIn,
  jsonIn,
  sessionsInDatabase,
  type SessionStore,
  type StoredSession,
  timeIn,
} from './storedSessions';

/**
 * OpenCode since 1.2: `opencode.db`, in preview versions `opencode-<channel>.db`, with the tables
 * session, message and part (packages/opencode/src/session/session.sql.ts in anomalyco/opencode).
 */
export const OPENCODE: AgentSessions = {
  name: 'OpenCode',
  places: (machine) => placesOf('opencode', machine),
  find: (place, _folder, reader) => sessionsOf('opencode', place, reader),
};

/** Kilo's command line since 7, which builds on OpenCode: `kilo.db` with the same tables. */
export const KILO: AgentSessions = {
  name: 'Kilo',
  places: (machine) => placesOf('kilo', machine),
  find: (place, _folder, reader) => sessionsOf('kilo', place, reader),
};

type Name = 'opencode' | 'kilo';

/** The data folder is the same on all systems; a variable may name another file in it. */
function placesOf(name: Name, { home, environment }: Machine): readonly string[] {
  const data = join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), name);
  const given = environment[`${name.toUpperCase()}_DB`];
  if (given === undefined || given === '' || given === ':memory:') return [data];
  return [isAbsolute(given) ? given : join(data, given)];
}

const DATABASE = /^(?:opencode|kilo)(?:-[\w.-]+)?\.db$/;

async function sessionsOf(
  agent: Name,
  place: string,
  reader: Parameters<AgentSessions['find']>[2],
) {
  const databases = await databasesIn(place, DATABASE, reader);
  const found = databases.map((file) => sessionsInDatabase(agent, file, OPENCODE_STORE, reader));
  return (await Promise.all(found)).flat();
}

/**
 * The newest message, and the newest with a count. OpenCode writes JSON without spaces; only the
 * messages from the end to the first counted one are parsed.
 */
const listOf = (revert: string) => `
  SELECT id, parent_id, directory, title, time_updated,
    (SELECT data FROM message WHERE session_id = session.id
      ORDER BY time_created DESC, id DESC LIMIT 1) AS newest,
    (SELECT data FROM message WHERE session_id = session.id
      AND ${isDone(revert)}
      AND CASE WHEN json_valid(data) THEN json_extract(data, '$.tokens.output') END > 0
      ORDER BY time_created DESC, id DESC LIMIT 1) AS counted,
    (SELECT max(time_updated) FROM message WHERE session_id = session.id) AS written,
    (SELECT count(*) FROM message WHERE session_id = session.id
      AND ${isDone(revert)}
      AND instr(data, '"summary":true') > 0 AND instr(data, '"error":{') = 0) AS compactions
  FROM session`;

/** Where a session names the messages that the user has undone; early versions have no such column. */
function revertOf(database: Database): string {
  return database.columns('session').has('revert') ? 'session.revert' : 'NULL';
}

/** Whether a message is not undone; ids are in the order of time. */
function isDone(revert: string): string {
  const first = `CASE WHEN json_valid(${revert}) THEN json_extract(${revert}, '$.messageID') END`;
  return `coalesce(message.id < ${first}, 1)`;
}

export const OPENCODE_STORE: SessionStore = {
  tables: { session: 'directory', message: 'data', part: 'message_id' },
  list: (database) => database.rows(listOf(revertOf(database))).flatMap(sessionOf),
  session: exported,
};

function sessionOf(row: Row): readonly StoredSession[] {
  const newest = jsonIn(row['newest']);
  if (!isObject(newest)) return [];
  const counted = jsonIn(row['counted']);
  const { tokens, modelID } = isObject(counted) ? counted : {};
  const { input, output, reasoning, cache } = isObject(tokens) ? tokens : {};
  const { read, write } = isObject(cache) ? cache : {};
  const { role, finish, time } = newest;
  const isAnswered = role === 'assistant' && isObject(time) && time['completed'] !== undefined;
  const title = textOf(row['title']);
  return [
    {
      id: String(row['id']),
      parent: textOf(row['parent_id']),
      folder: textOf(row['directory']),
      title: title === undefined ? undefined : titleOfPrompt(title),
      usedAt: Math.max(timeIn(row['time_updated']), timeIn(row['written'])),
      model: textOf(modelID),
      tokens: sumOf(input, output, reasoning, read, write),
      compactions: Number(row['compactions']),
      isInTurn: !isAnswered || finish === 'tool-calls',
    },
  ];
}

/** The columns have the id alone. */
function withId(info: unknown, id: unknown): unknown {
  return isObject(info) ? { ...info, id } : info;
}

/** A session as `opencode export` writes it. */
function exported(database: Database, id: string): object | undefined {
  const [row] = database.rows(
    `SELECT id, parent_id AS parentID, title, directory, ${revertOf(database)} AS revert
      FROM session WHERE id = ?`,
    id,
  );
  if (row === undefined) return undefined;
  const { revert, ...session } = row;
  const partsOf = new Map<unknown, unknown[]>();
  const parts = 'SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id';
  for (const { id: part, message_id: message, data } of database.rows(parts, id)) {
    const list = partsOf.get(message) ?? [];
    partsOf.set(message, list);
    list.push(withId(jsonIn(data), part));
  }
  const messages = database.rows(
    'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
    id,
  );
  return {
    info: { ...session, revert: jsonIn(revert) },
    messages: messages.map((message) => ({
      info: withId(jsonIn(message['data']), message['id']),
      parts: partsOf.get(message['id']) ?? [],
    })),
  };
}
