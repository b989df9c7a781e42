import { watch, type FSWatcher } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isRequestFile, replyMark } from './captures/sideRequests';
import { parsed, withoutTornLine } from './readJson';
import { fileBeside, sessionBytes } from './lens/sessionBytes';
import { databaseMark } from './lens/sqliteFile';
import { fileHolding, storedIn } from './lens/storedSessions';
import { errorText } from '../contextWindow/result';

/** Writes within this time are read together; ms. */
const SETTLE_MS = 200;

/** Not every file system reports changes, so the file is also checked this often; ms. */
const POLL_MS = 2_000;

/** Follows a recording while its agent writes it. */
interface Follower {
  /** Gets the whole text, immediately and after every change; an incomplete line is left out. */
  changed(text: string): void;
  /** Gets a sentence for the user when the file cannot be read; reading is retried. */
  problem(message: string): void;
  /** Reads the text of a session in a database, elsewhere than in this thread; absent to read it here. */
  readStored?(path: string): Promise<string>;
}

/** Runs until disposed; after that no callback runs. */
export interface Following {
  dispose(): void;
}

/** Follows a recording while it grows, is replaced or starts again. */
export function followFile(
  path: string,
  follower: Follower,
  times: { readonly quietMs: number; readonly pollMs: number } = {
    quietMs: SETTLE_MS,
    pollMs: POLL_MS,
  },
): Following {
  const reading = new Reading(path, follower);
  let settling: NodeJS.Timeout | undefined;
  const lookSoon = () => {
    // Later changes do not delay it, so that a busy agent is shown too.
    settling ??= setTimeout(() => {
      settling = undefined;
      void reading.look();
    }, times.quietMs);
  };
  const watcher = watchFile(path, lookSoon);
  const poll = setInterval(() => void reading.look(), times.pollMs);
  void reading.look();
  return {
    dispose() {
      reading.stop();
      watcher?.close();
      clearInterval(poll);
      clearTimeout(settling);
    },
  };
}

/** Watches the folder: a watch on the file itself ends when another file replaces it. */
function watchFile(path: string, onChange: () => void): FSWatcher | undefined {
  const file = fileHolding(path);
  const beside = fileBeside(path);
  const names: readonly (string | null)[] = [
    basename(file),
    `${basename(file)}-wal`,
    ...(beside === undefined ? [] : [basename(beside)]),
    null,
  ];
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_, changed) => {
      if (names.includes(changed)) onChange();
    });
    // The regular check of the file goes on without it.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** Reads the file whenever it has changed, one read at a time. */
class Reading {
  #stopped = false;
  #running = false;
  #again = false;
  /** File, size and time of the last reading. */
  #mark = '';
  #text: string | undefined;
  #problem = '';

  constructor(
    private readonly path: string,
    private readonly follower: Follower,
  ) {}

  stop(): void {
    this.#stopped = true;
  }

  async look(): Promise<void> {
    this.#again = true;
    if (this.#running) return;
    this.#running = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#readChanged();
    }
    this.#running = false;
  }

  async #readChanged(): Promise<void> {
    try {
      const mark = await markOf(this.path);
      if (mark === this.#mark) return;
      const text = await this.#read();
      this.#mark = mark;
      this.#problem = '';
      if (!this.#stopped) this.#hand(text);
    } catch (error) {
      this.#mark = '';
      if (!this.#stopped) this.#tell(error);
    }
  }

  async #read(): Promise<string> {
    const { readStored } = this.follower;
    if (readStored !== undefined && storedIn(this.path) !== undefined) return readStored(this.path);
    return (await sessionBytes(this.path)).toString('utf8');
  }

  #hand(read: string): void {
    const text = withoutTornLine(read);
    if (text === this.#text || (this.#text !== undefined && isTornValue(text))) return;
    this.#text = text;
    this.follower.changed(text);
  }

  /** Reports each problem once, until the file can be read again. */
  #tell(error: unknown): void {
    const why = errorText(error);
    const message = `${this.path} cannot be read any more: ${why}. Restore the file, and Plimsoll reads it again.`;
    // If the same text comes back, that is news.
    this.#text = undefined;
    if (message === this.#problem) return;
    this.#problem = message;
    this.follower.problem(message);
  }
}

/** Identifies the content of a file, or of the database that holds a session. */
async function markOf(path: string): Promise<string> {
  const stored = storedIn(path);
  if (stored !== undefined) return databaseMark(stored.database);
  const { ino, size, mtimeMs } = await stat(fileHolding(path));
  const mark = `${ino} ${size} ${mtimeMs}`;
  const beside = fileBeside(path);
  if (beside !== undefined) {
    const stats = await lstat(beside).catch(() => undefined);
    return `${mark}, ${stats?.size} ${stats?.mtimeMs}`;
  }
  return isRequestFile(path) ? `${mark}, ${await replyMark(path)}` : mark;
}

/** Says whether a recording that is one JSON value is being written. */
function isTornValue(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n', 1);
  return parsed(first) === undefined && parsed(text) === undefined;
}
