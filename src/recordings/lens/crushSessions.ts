import { isAbsolute, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import type { AgentSessions, FoundSession, Machine, SessionReader } from './foundSession';
import { sumOf, textOf, titleOfPrompt } from './sessionLines';
import type { Database, Row } from './sqliteFile';
import {
  jsonIn,
  sessionsInDatabase,
  type SessionStore,
  type StoredSession,
  timeIn,
} from './storedSessions';

/**
 * Crush: `.crush/crush.db` in each project; `projects.json` names the projects (internal/projects
 * and internal/db in charmbracelet/crush, versions 0.1 to 0.90).
 */
export const CRUSH: AgentSessions = {
  name: 'Crush',
  places: (machine) => [dataFolder(machine)],
  async find(place, folder, reader) {
    const projects = await projectsIn(place, reader);
    const isKnown = projects.some(({ path }) => path === folder);
    const all =
      folder === undefined || isKnown
        ? projects
        : [...projects, { path: folder, data: join(folder, '.crush') }];
    const found = all.map(({ path, data }) => sessionsOf(path, data, reader));
    return (await Promise.all(found)).flat();
  },
};

function dataFolder({ home, environment }: Machine): string {
  const { CRUSH_GLOBAL_DATA: given, XDG_DATA_HOME: data, LOCALAPPDATA: local } = environment;
  if (given) return given;
  if (data) return join(data, 'crush');
  return process.platform === 'win32'
    ? join(local || join(home, 'AppData', 'Local'), 'crush')
    : join(home, '.local', 'share', 'crush');
}

interface Project {
  readonly path: string;
  readonly data: string;
}

async function projectsIn(place: string, reader: SessionReader): Promise<readonly Project[]> {
  const file = parsed((await reader.text(join(place, 'projects.json'))) ?? '');
  const list = isObject(file) ? file['projects'] : undefined;
  return (Array.isArray(list) ? list.filter(isObject) : []).flatMap((project) => {
    const path = textOf(project['path']);
    const data = textOf(project['data_dir']) ?? '.crush';
    if (path === undefined) return [];
    return [{ path, data: isAbsolute(data) ? data : join(path, data) }];
  });
}

async function sessionsOf(
  path: string,
  data: string,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const file = join(data, 'crush.db');
  const found = await sessionsInDatabase('crush', file, CRUSH_STORE, reader);
  return found.map((session) => inFolder(session, path));
}

/** The rows do not name the folder. */
function inFolder(session: FoundSession, folder: string): FoundSession {
  return { ...session, folder, inner: session.inner.map((one) => inFolder(one, folder)) };
}

/** Databases from before August 2025 do not mark summaries. */
function listQuery(database: Database): string {
  const summaries = database.columns('messages').has('is_summary_message')
    ? `(SELECT count(*) FROM messages WHERE session_id = sessions.id AND is_summary_message)`
    : `CASE WHEN summary_message_id <> '' THEN 1 ELSE 0 END`;
  return `
    SELECT id, parent_session_id, title, prompt_tokens, completion_tokens, updated_at,
      (SELECT role || parts FROM messages WHERE session_id = sessions.id
        ORDER BY created_at DESC, rowid DESC LIMIT 1) AS newest,
      (SELECT max(updated_at) FROM messages WHERE session_id = sessions.id) AS written,
      (SELECT model FROM messages WHERE session_id = sessions.id AND model <> ''
        ORDER BY created_at DESC, rowid DESC LIMIT 1) AS model,
      ${summaries} AS compactions
    FROM sessions`;
}

export const CRUSH_STORE: SessionStore = {
  tables: { sessions: 'summary_message_id', messages: 'parts' },
  list: (database) => database.rows(listQuery(database)).flatMap(sessionOf),
  session: rowsOf,
};

function sessionOf(row: Row): readonly StoredSession[] {
  const newest = textOf(row['newest']);
  if (newest === undefined) return [];
  const title = textOf(row['title']);
  return [
    {
      id: String(row['id']),
      parent: textOf(row['parent_session_id']),
      title: title === undefined ? undefined : titleOfPrompt(title),
      usedAt: Math.max(timeIn(row['updated_at']), timeIn(row['written'])),
      model: textOf(row['model']),
      tokens: sumOf(row['prompt_tokens'], row['completion_tokens']),
      compactions: Number(row['compactions']),
      // A reply has a last part that says how it ended.
      isInTurn: !/^assistant.*"type":"finish"/s.test(newest) || /"reason":"tool_use"/.test(newest),
    },
  ];
}

/** The rows of a session and of its messages. */
function rowsOf(database: Database, id: string): object | undefined {
  const [session] = database.rows('SELECT * FROM sessions WHERE id = ?', id);
  if (session === undefined) return undefined;
  const query = 'SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid';
  const messages = database.rows(query, id);
  return {
    session,
    messages: messages.map((message) => ({ ...message, parts: jsonIn(message['parts']) })),
  };
}
