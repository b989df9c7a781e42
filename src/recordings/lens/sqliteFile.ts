import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorText } from '../../contextWindow/result';

/** One row of an answer, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A database of another agent, at one moment. */
export interface Database {
  rows(query: string, ...values: readonly (string | number)[]): readonly Row[];
  /** The columns of a table; none if it does not exist, or is a view, whose query could run for ever. */
  columns(table: string): ReadonlySet<string>;
}

/** The part of `node:sqlite` in use; older versions of Node lack it. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: true },
  ) => {
    exec(query: string): void;
    prepare(query: string): { all(...values: readonly (string | number)[]): readonly Row[] };
    close(): void;
  };
}

/** `node:sqlite`; undefined where Node lacks it. A bundler would resolve an import of it. */
function sqlite(): Sqlite | undefined {
  const { getBuiltinModule } = process as {
    readonly getBuiltinModule?: (name: string) => unknown;
  };
  return getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
}

/** Whether databases can be read here. */
export function readsDatabases(): boolean {
  return sqlite() !== undefined;
}

const NO_SQLITE =
  'OpenCode, Kilo, Goose, Crush and Zed keep sessions in SQLite databases, which need Node 22.13 ' +
  `or later. This is Node ${process.versions.node}: update the editor or Node.`;

/** Says once for all databases that they cannot be read. */
export class NoSqlite extends Error {
  override readonly name = 'NoSqlite';

  constructor() {
    super(NO_SQLITE);
  }
}

/** SQLite's own code for a lock of another process. */
const BUSY = 5;

/** Attempts before giving up on a database that changes while it is read. */
const MOST_ATTEMPTS = 4;

/** Between two attempts; ms. */
const BETWEEN_MS = 40;

/**
 * Reads a database that another process may be writing: all queries of `read` see one moment. No
 * file is created next to it and its writer never waits, which a plain read-only connection does
 * not ensure (seen with SQLite 3.51): it creates `-wal` and `-shm` where they are missing. Throws if
 * the database is missing, locked or damaged.
 */
export async function readDatabase<T>(file: string, read: (database: Database) => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await stateOf(file);
    try {
      const answer = await readAt(before, read);
      if (before.log === 'shared' || (await stateOf(file)).mark === before.mark) return answer;
    } catch (error) {
      const isChanged = (await stateOf(file)).mark !== before.mark;
      if (!isChanged || attempt === MOST_ATTEMPTS) throw reasonOf(error);
    }
    if (attempt === MOST_ATTEMPTS) throw new Error('another process keeps writing it. Try again.');
    await wait(BETWEEN_MS);
  }
}

/**
 * Identifies the content of a database, with the changes in its write-ahead log. SQLite writes a
 * change to the log before readers see it, so the mark of a recent change is used only once.
 */
export async function databaseMark(file: string): Promise<string> {
  const { mark, changedAt } = await stateOf(file);
  if (Math.abs(Date.now() - changedAt) > RECENT_MS) return mark;
  unsettled += 1;
  return `${mark}, unsettled ${unsettled}`;
}

/** Longer than a writer needs from the log to its index; ms. */
const RECENT_MS = 1_000;

let unsettled = 0;

interface State {
  readonly file: string;
  readonly mark: string;
  /** The last write; ms since the epoch. */
  readonly changedAt: number;
  /**
   * Whether there are changes in a write-ahead log: `none`; `shared` with its index, as long as a
   * writer has it open or has crashed; or `alone`, as in a backup.
   */
  readonly log: 'none' | 'shared' | 'alone';
}

async function stateOf(file: string): Promise<State> {
  const [own, wal, shm, journal] = await Promise.all([
    stat(file),
    statIfThere(`${file}-wal`),
    statIfThere(`${file}-shm`),
    statIfThere(`${file}-journal`),
  ]);
  // A pipe or a device would be read for ever.
  for (const one of [own, wal, shm, journal]) {
    if (one?.isFile() === false && !one.isDirectory()) throw new Error('it is not a regular file');
  }
  const marks = [own, wal, journal].map((one) => one && `${one.ino} ${one.size} ${one.mtimeMs}`);
  const hasChanges = wal !== undefined && wal.size > 0;
  const log = !hasChanges ? 'none' : shm === undefined ? 'alone' : 'shared';
  const changedAt = Math.max(own.mtimeMs, wal?.mtimeMs ?? 0);
  return { file, mark: marks.join(', '), changedAt, log };
}

async function statIfThere(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    // Most databases have no such file at most times.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readAt<T>({ file, log }: State, read: (database: Database) => T): Promise<T> {
  switch (log) {
    // SQLite takes no lock and looks for no other file; `readDatabase` notices a change meanwhile.
    case 'none':
      return readOpen(`${pathToFileURL(file).href}?immutable=1`, read);
    // Readers of a write-ahead log do not hold up its writer.
    case 'shared':
      return readOpen(`${pathToFileURL(file).href}?mode=ro&readonly_shm=1`, read);
    // SQLite would create the index next to the log.
    case 'alone':
      return readCopy(file, read);
  }
}

async function readCopy<T>(file: string, read: (database: Database) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-database-'));
  try {
    const copy = join(folder, 'copy.db');
    await copyFile(file, copy);
    await copyFile(`${file}-wal`, `${copy}-wal`);
    return readOpen(copy, read);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const COLUMNS =
  'SELECT name FROM pragma_table_info(?) WHERE EXISTS ' +
  "(SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)";

function readOpen<T>(path: string, read: (database: Database) => T): T {
  const module = sqlite();
  if (module === undefined) throw new NoSqlite();
  const connection = new module.DatabaseSync(path, { readOnly: true });
  try {
    connection.exec('BEGIN');
    const rows: Database['rows'] = (query, ...values) => connection.prepare(query).all(...values);
    const columns = (table: string) =>
      new Set(rows(COLUMNS, table, table).map(({ name }) => String(name)));
    return read({ rows, columns });
  } finally {
    connection.close();
  }
}

/** The error in words for people; SQLite's own codes say nothing. */
function reasonOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  return new Error(
    error.errcode === BUSY
      ? 'another process has locked it. Try again when that has ended.'
      : errorText(error),
  );
}
