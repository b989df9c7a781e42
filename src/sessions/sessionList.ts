import { existsSync, readFileSync, renameSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import * as z from 'zod/mini';
import { lockFile, lockPlace } from './logLock';
import { type LogSummary, summarizeLog } from './logSummary';
import { writeOwnFile } from './ownFile';
import { assertSameShape } from './sameShape';

/** A session as a list shows it. */
export interface SessionListing extends LogSummary {
  readonly file: string;
  /** Size of the log. */
  readonly bytes: number;
  /** The session is in the memory of this window. */
  readonly isHeld: boolean;
  /** Where else the session is open: "in another window", "in a window on harbour"; absent for nowhere. */
  readonly openIn?: string;
}

/** A long list lets other work run after this many logs. */
const LOGS_AT_ONCE = 200;

/** Lists the sessions of a workspace by their logs, also those that other windows have open. */
export class SessionList {
  readonly #index: SessionIndex;

  /** `folder` is where the logs are. */
  constructor(private readonly folder: string) {
    this.#index = new SessionIndex(folder);
  }

  /**
   * Lists the logs with these names, the one used last first; no log is read whole twice. `isHeld` says
   * which are in the memory of this window.
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
  handedOverFrom: z.exactOptional(link),
  handedOverTo: z.exactOptional(link),
  condition: z.enum(['sound', 'damaged', 'unreadable']),
});

// Stops compiling once the summaries and what is stored of them differ.
assertSameShape<LogSummary, z.output<typeof summary>>();

const stored = z.object({
  version: z.literal(2),
  logs: z.record(
    z.string(),
    z.object({ size: z.number(), mtimeMs: z.number(), summary: z.nullable(summary) }),
  ),
});

interface Entry {
  readonly size: number;
  readonly mtimeMs: number;
  /** Null for a log in which nothing has happened yet. */
  readonly summary: LogSummary | null;
}

/**
 * Remembers what is in the logs of a folder, also on disk, so that a list need not read them. It is
 * only a cache: an entry counts while the log has the size and time it was made from.
 */
class SessionIndex {
  #entries: Map<string, Entry> | undefined;
  #isChanged = false;

  constructor(private readonly folder: string) {}

  /** Sums up a log by its name; undefined when it is gone or nothing has happened in it. */
  summaryOf(name: string): { readonly summary: LogSummary; readonly stats: Stats } | undefined {
    const file = join(this.folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { size, mtimeMs } = stats;
    const known = this.entries.get(name);
    if (known?.size === size && known.mtimeMs === mtimeMs) {
      return known.summary === null ? undefined : { summary: known.summary, stats };
    }
    const found = summarizeLog(file, readFileSync(file)) ?? null;
    this.entries.set(name, { size, mtimeMs, summary: found });
    this.#isChanged = true;
    return found === null ? undefined : { summary: found, stats };
  }

  /** Forgets the logs that are gone, and stores what it knows if it has learned something. */
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
      writeOwnFile(aside, JSON.stringify({ version: 2, logs }), 'replace');
      renameSync(aside, file);
      this.#isChanged = false;
    } catch {
      // The next list is slower, that is all.
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
