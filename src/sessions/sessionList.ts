import { existsSync, readFileSync, renameSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import * as z from 'zod/mini';
import { withLogFile } from './logFile';
import { lockFile, lockPlace } from './logLock';
import { type LogSummary, summarizeLog } from './logSummary';
import { writeOwnFile } from './ownFile';
import { assertSameShape } from './sameShape';

export interface SessionListing extends LogSummary {
  readonly file: string;
  /** Size of the log. */
  readonly bytes: number;
  /** The session is in the memory of this window. */
  readonly isHeld: boolean;
  /**
   * Where else the session is open: "in another window", "in a window on harbour"; absent if it is
   * not.
   */
  readonly openIn?: string;
}

/** A long list yields to other work after this many logs. */
const LOGS_AT_ONCE = 200;

/** Lists the sessions of a workspace from their logs, including those open in other windows. */
export class SessionList {
  readonly #index: SessionIndex;

  /** `folder` holds the logs. */
  constructor(private readonly folder: string) {
    this.#index = new SessionIndex(folder);
  }

  /**
   * Lists the logs with these names, the most recently used first, and reads no log completely
   * twice. `isHeld` says which sessions are in the memory of this window.
   */
  async read(
    names: readonly string[],
    isHeld: (file: string) => boolean,
  ): Promise<readonly SessionListing[]> {
    const listings: SessionListing[] = [];
    for (const [index, name] of names.entries()) {
      if (index % LOGS_AT_ONCE === 0) await breathe();
      const listing = this.#listing(name, isHeld);
      if (listing !== undefined) listings.push(listing);
    }
    this.#index.save(new Set(names));
    return listings.toSorted(byUse);
  }

  #listing(name: string, isHeldIn: (file: string) => boolean): SessionListing | undefined {
    const found = this.#index.summaryOf(name);
    if (found === undefined) return undefined;
    const file = join(this.folder, name);
    const isHeld = isHeldIn(file);
    const openIn = isHeld || !existsSync(lockFile(file)) ? undefined : lockPlace(file);
    return {
      ...found.summary,
      file,
      bytes: found.stats.size,
      isHeld,
      openIn,
    };
  }
}

function byUse(a: SessionListing, b: SessionListing): number {
  return b.usedAt - a.usedAt || (basename(a.file) < basename(b.file) ? -1 : 1);
}

const NAME = 'index.json';

const link = z.object({ sessionId: z.string(), title: z.string() });

const summary = z.object({
  sessionId: z.string(),
  title: z.string(),
  firstPrompt: z.string(),
  createdAt: z.number(),
  usedAt: z.number(),
  turns: z.number(),
  steps: z.number(),
  requests: z.number(),
  pauses: z.number(),
  longPauses: z.number(),
  handedOverFrom: z.exactOptional(link),
  handedOverTo: z.exactOptional(link),
  condition: z.enum(['sound', 'damaged', 'unreadable']),
});

// Does not compile if a summary and its stored form differ.
assertSameShape<LogSummary, z.output<typeof summary>>();

const stored = z.object({
  version: z.literal(3),
  logs: z.record(
    z.string(),
    z.object({ size: z.number(), mtimeMs: z.number(), summary: z.nullable(summary) }),
  ),
});

interface Entry {
  readonly size: number;
  readonly mtimeMs: number;
  /** Null for a log without any event of interest. */
  readonly summary: LogSummary | null;
}

/**
 * Caches the summaries of the logs of a folder, also on disk, so that a list need not read the
 * logs. An entry is valid while its log has the size and time that it was made from.
 */
class SessionIndex {
  #entries: Map<string, Entry> | undefined;
  #isChanged = false;

  constructor(private readonly folder: string) {}

  /** Summarises a log by its name; undefined if it is deleted or nothing has happened in it. */
  summaryOf(name: string): { readonly summary: LogSummary; readonly stats: Stats } | undefined {
    const file = join(this.folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { size, mtimeMs } = stats;
    const known = this.entries.get(name);
    if (known?.size === size && known.mtimeMs === mtimeMs) {
      return known.summary === null ? undefined : { summary: known.summary, stats };
    }
    const found = withLogFile(file, (bytes) => summarizeLog(file, bytes)) ?? null;
    this.entries.set(name, { size, mtimeMs, summary: found });
    this.#isChanged = true;
    return found === null ? undefined : { summary: found, stats };
  }

  /** Drops the entries of deleted logs, and stores the cache if it changed. */
  save(names: ReadonlySet<string>): void {
    for (const name of this.entries.keys()) {
      if (names.has(name)) continue;
      this.entries.delete(name);
      this.#isChanged = true;
    }
    if (!this.#isChanged) return;
    const logs = Object.fromEntries(this.entries);
    const file = join(this.folder, NAME);
    const aside = `${file}.${process.pid}`;
    try {
      writeOwnFile(aside, JSON.stringify({ version: 3, logs }), 'replace');
      renameSync(aside, file);
      this.#isChanged = false;
    } catch {
      // Without it the next list is only slower.
    }
  }

  private get entries(): Map<string, Entry> {
    this.#entries ??= new Map(Object.entries(this.read()));
    return this.#entries;
  }

  private read(): Readonly<Record<string, Entry>> {
    try {
      return stored.parse(JSON.parse(readFileSync(join(this.folder, NAME), 'utf8'))).logs;
    } catch {
      return {};
    }
  }
}
