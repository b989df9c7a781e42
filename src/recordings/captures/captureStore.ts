import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of the folders of an agent's captures, by agent. */
export const CAPTURED_AGENTS = ['claude-code', 'codex'] as const;
export type CapturedAgent = (typeof CAPTURED_AGENTS)[number];

/** Agents that can be made to record their requests; VS Code's own records into its own logs. */
export const RECORDABLE_AGENTS = [...CAPTURED_AGENTS, 'vscode'] as const;
export type RecordableAgent = (typeof RECORDABLE_AGENTS)[number];

/** The list of Claude Code's requests, to which it appends. */
export const INDEX = 'index.jsonl';

/** The store in the extension's storage. */
export const STORE_NAME = 'requests';

/** A folder that was changed this recently is being written; ms. */
const AT_WORK_MS = 10 * 60_000;

/** One file or folder of captures. */
interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly bytes: number;
  /** When it was changed last; ms since the epoch. */
  readonly changedAt: number;
}

/** The folder with recorded requests: only its user can read it, and it stays below a size. */
export class CaptureStore {
  constructor(readonly root: string) {}

  /** The folder of an agent. */
  folderOf(agent: CapturedAgent): string {
    return join(this.root, agent);
  }

  /** Makes the folder of an agent, readable by its user alone. */
  async prepare(agent: CapturedAgent): Promise<string> {
    const folder = this.folderOf(agent);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // An earlier one may have other rights.
    await chmod(this.root, 0o700);
    await chmod(folder, 0o700);
    return folder;
  }

  /** Bytes of all recordings. */
  async size(): Promise<number> {
    return sumOf(await this.#entries());
  }

  /**
   * Deletes the oldest recordings until the rest is not larger than a limit, and makes the rest readable
   * by its user only; returns how many it deleted.
   */
  async tidy(limitBytes: number, now: number): Promise<number> {
    const entries = await this.#entries();
    let left = sumOf(entries);
    let deleted = 0;
    const oldest = entries
      .filter(({ path }) => !path.endsWith(INDEX))
      .toSorted((a, b) => a.changedAt - b.changedAt);
    for (const { path, isFolder, bytes, changedAt } of oldest) {
      if (left <= limitBytes) break;
      // An agent that writes into it would fail.
      if (isFolder && now - changedAt < AT_WORK_MS) continue;
      await rm(path, { recursive: true, force: true });
      left -= bytes;
      deleted += 1;
    }
    return deleted;
  }

  /** Deletes all recordings; the folders stay for agents that write into them. */
  async deleteAll(): Promise<void> {
    for (const { path } of await this.#entries()) await rm(path, { recursive: true, force: true });
  }

  async #entries(): Promise<readonly Entry[]> {
    const found = CAPTURED_AGENTS.map(async (agent) => {
      const folder = this.folderOf(agent);
      return (await namesIn(folder)).map((name) => entryAt(join(folder, name)));
    });
    const entries = await Promise.all((await Promise.all(found)).flat());
    return entries.filter((entry) => entry !== undefined);
  }
}

/** Measures a file or a folder, and makes it private; undefined if it was deleted meanwhile. */
async function entryAt(path: string): Promise<Entry | undefined> {
  try {
    const stats = await lstat(path);
    const { size, mtimeMs } = stats;
    if (!stats.isDirectory()) {
      if (stats.isFile() && (stats.mode & 0o077) !== 0) await chmod(path, 0o600);
      return { path, isFolder: false, bytes: size, changedAt: mtimeMs };
    }
    if ((stats.mode & 0o077) !== 0) await chmod(path, 0o700);
    const inner = await Promise.all((await namesIn(path)).map((name) => entryAt(join(path, name))));
    const there = inner.filter((entry) => entry !== undefined);
    return {
      path,
      isFolder: true,
      bytes: sumOf(there),
      changedAt: Math.max(mtimeMs, ...there.map(({ changedAt }) => changedAt)),
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether a file or folder was not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
