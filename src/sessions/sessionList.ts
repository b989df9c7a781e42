import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { lockFile, lockPlace } from './logLock';
import type { LogSummary } from './logSummary';
import { SessionIndex } from './sessionIndex';

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
      ...(openIn === undefined ? {} : { openIn }),
    };
  }
}

function byUse(a: SessionListing, b: SessionListing): number {
  return b.usedAt - a.usedAt || (basename(a.file) < basename(b.file) ? -1 : 1);
}
