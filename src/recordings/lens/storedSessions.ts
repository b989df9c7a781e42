import { join } from 'node:path';
import { parsed } from '../readJson';
import { nested, type FoundSession, type Glance, type SessionReader } from './foundSession';
import { isRecent } from './runningProcess';
import { titleOfPrompt } from './sessionLines';
import type { Database } from './sqliteFile';

/** A session in a database, as a list shows it. */
export type StoredSession = Glance & { readonly id: string; readonly usedAt: number };

/** Agents that keep all sessions in one database, and how it is read. */
export interface SessionStore {
  /** Tables and columns that no database of another agent has. */
  readonly tables: Readonly<Record<string, string>>;
  /** All sessions; `former` is the previous answer for this database. */
  list(database: Database, former: readonly StoredSession[]): readonly StoredSession[];
  /** One session in the form of its file format; undefined if it is not there. */
  session(database: Database, id: string): object | undefined;
}

/** Whether a database is one of this agent. */
export function isStoreOf(database: Database, { tables }: SessionStore): boolean {
  return Object.entries(tables).every(([table, column]) => database.columns(table).has(column));
}

/** The sessions in a database, each sub-agent below the session that started it. */
export async function sessionsInDatabase(
  agent: Exclude<FoundSession['agent'], 'plimsoll'>,
  database: string,
  store: SessionStore,
  reader: SessionReader,
): Promise<readonly FoundSession[]> {
  const stored = await reader.query<readonly StoredSession[]>(database, (opened, former) => {
    if (!isStoreOf(opened, store)) throw new Error('its tables are not those of a known version.');
    return store.list(opened, former ?? []);
  });
  const sessions = (stored ?? []).map((session) => {
    const { id, folder, model, tokens, windowTokens, usedAt, compactions, parent } = session;
    const file = storedName(database, id);
    const title = session.title ?? titleOfPrompt(session.firstPrompt ?? '');
    const isRunning = session.isInTurn === true && isRecent(usedAt, reader.now());
    const shown = { agent, id, file, folder, title, usedAt, model, tokens, windowTokens };
    return { ...shown, compactions, isRunning, inner: [], parent };
  });
  return nested(sessions);
}

/** Names one session of a file with several like a file, for example `…/opencode.db#ses_1`. */
export function storedName(file: string, id: string): string {
  return `${file}#${encodeURIComponent(id)}`;
}

/** The database and the session that a name stands for; undefined if it names a file. */
export function storedIn(
  name: string,
): { readonly database: string; readonly id: string } | undefined {
  const within = sessionWithin(name, '.db');
  return within && { database: within.file, id: within.id };
}

/**
 * The log of Plimsoll's and the call that started a sub-agent, or the trace of Codex's and the request
 * for a compaction; undefined if it names a file.
 */
export function subAgentNamed(
  name: string,
): { readonly file: string; readonly id: string } | undefined {
  return sessionWithin(name, '.jsonl');
}

/** The file on disk in which a named session is. */
export function fileHolding(name: string): string {
  return storedIn(name)?.database ?? subAgentNamed(name)?.file ?? name;
}

function sessionWithin(
  name: string,
  ending: string,
): { readonly file: string; readonly id: string } | undefined {
  const [, file, id] = /^(.+)#([^#/\\]+)$/.exec(name) ?? [];
  if (file === undefined || id === undefined || !file.endsWith(ending)) return undefined;
  try {
    return { file, id: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}

/** The databases in a folder: the agent's own, and those of its preview versions. */
export async function databasesIn(
  place: string,
  pattern: RegExp,
  reader: SessionReader,
): Promise<readonly string[]> {
  if (place.endsWith('.db')) return [place];
  const names = await reader.names(place);
  return names.filter((name) => pattern.test(name)).map((name) => join(place, name));
}

/** A column that holds JSON; undefined if it is damaged. */
export function jsonIn(value: unknown): unknown {
  return typeof value === 'string' ? parsed(value) : undefined;
}

/** A damaged time is no moment, and would be the newest one. */
function momentIn(ms: number): number {
  return Number.isNaN(new Date(ms).getTime()) ? 0 : ms;
}

/** A time in seconds or milliseconds since the epoch, or as a text in UTC; in ms. */
export function timeIn(value: unknown): number {
  if (typeof value === 'number') return momentIn(value < 1e11 ? value * 1_000 : value);
  if (typeof value !== 'string') return 0;
  // SQLite's own form has no time zone.
  const at = Date.parse(/^[\d-]+ [\d:.]+$/.test(value) ? `${value.replace(' ', 'T')}Z` : value);
  return Number.isNaN(at) ? 0 : at;
}
