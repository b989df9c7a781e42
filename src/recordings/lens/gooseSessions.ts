import { join } from 'node:path';
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
 * Goose since 1.10: `sessions/sessions.db`, with the tables sessions and messages
 * (crates/goose/src/session/session_manager.rs in block/goose, schema versions 1 to 16).
 */
export const GOOSE: AgentSessions = {
  name: 'Goose',
  places: ({ home, environment }) => [dataFolder({ home, environment })],
  async find(place, _folder, reader) {
    const folder = place.endsWith('.db') ? place : join(place, 'sessions');
    const databases = await databasesIn(folder, /^sessions\.db$/, reader);
    const found = databases.map((file) => sessionsInDatabase('goose', file, GOOSE_STORE, reader));
    return (await Promise.all(found)).flat();
  },
};

/** As on Linux on macOS, too. */
function dataFolder({ home, environment }: Pick<Machine, 'home' | 'environment'>): string {
  const { GOOSE_PATH_ROOT: root, XDG_DATA_HOME: data, APPDATA: roaming } = environment;
  if (root) return join(root, 'data');
  if (process.platform === 'win32') {
    return join(roaming || join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'data');
  }
  return join(data || join(home, '.local', 'share'), 'goose');
}

/** Older versions lack some columns of both tables. */
function listQuery(database: Database): string {
  const hidden = database.columns('messages').has('metadata_json')
    ? `role = 'assistant' AND instr(metadata_json, '"userVisible":false') > 0`
    : '0';
  return `
    SELECT sessions.*,
      (SELECT role || content_json FROM messages WHERE session_id = sessions.id
        ORDER BY created_timestamp DESC, id DESC LIMIT 1) AS newest,
      (SELECT max(created_timestamp) FROM messages WHERE session_id = sessions.id) AS written,
      (SELECT count(*) FROM messages WHERE session_id = sessions.id AND ${hidden}) AS compactions
    FROM sessions`;
}

export const GOOSE_STORE: SessionStore = {
  tables: { sessions: 'working_dir', messages: 'content_json' },
  list: (database) => withParents(database.rows(listQuery(database))).flatMap(sessionOf),
  session: exported,
};

/**
 * Versions before 1.51 do not say which session started a sub-agent: the newest one that worked in the
 * same folder when the sub-agent began is taken.
 */
function withParents(rows: readonly Row[]): readonly Row[] {
  const isInner = ({ session_type: type }: Row) => type === 'sub_agent' || type === 'hidden';
  const outer = rows
    .filter((row) => !isInner(row))
    .toSorted((a, b) => timeIn(b['created_at']) - timeIn(a['created_at']));
  return rows.map((row) => {
    const named = textOf(row['parent_session_id']);
    if (named !== undefined) return { ...row, parent: named };
    if (!isInner(row)) return row;
    const at = timeIn(row['created_at']);
    const parent = outer.find(
      (one) =>
        one['working_dir'] === row['working_dir'] &&
        timeIn(one['created_at']) <= at &&
        timeIn(one['updated_at']) >= at,
    );
    return { ...row, parent: parent?.['id'] };
  });
}

function sessionOf(row: Row): readonly StoredSession[] {
  const newest = textOf(row['newest']);
  if (newest === undefined) return [];
  const config = jsonIn(row['model_config_json']);
  const title = textOf(row['name']) ?? textOf(row['description']);
  return [
    {
      id: String(row['id']),
      parent: textOf(row['parent']),
      folder: textOf(row['working_dir']),
      title: title === undefined ? undefined : titleOfPrompt(title),
      usedAt: Math.max(timeIn(row['updated_at']), timeIn(row['written'])),
      model: isObject(config) ? textOf(config['model_name']) : undefined,
      tokens: sumOf(row['total_tokens']),
      compactions: Number(row['compactions']),
      isInTurn: !newest.startsWith('assistant') || newest.includes('"type":"toolRequest"'),
    },
  ];
}

/** A session as `goose session export --format json` writes it. */
function exported(database: Database, id: string): object | undefined {
  const [row] = database.rows('SELECT * FROM sessions WHERE id = ?', id);
  if (row === undefined) return undefined;
  const query = 'SELECT * FROM messages WHERE session_id = ? ORDER BY created_timestamp, id';
  const hasLedger = database.columns('usage_ledger').has('is_compaction');
  const counted = 'SELECT * FROM usage_ledger WHERE session_id = ? ORDER BY id';
  return {
    ...row,
    ...(hasLedger ? { usage_ledger: database.rows(counted, id) } : {}),
    model_config: jsonIn(row['model_config_json']),
    conversation: database.rows(query, id).map((message) => ({
      role: message['role'],
      created: message['created_timestamp'],
      content: jsonIn(message['content_json']),
      metadata: jsonIn(message['metadata_json']),
    })),
  };
}
