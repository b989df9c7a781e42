import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { UNKNOWN_CONTENT, type ContentName } from '../../contextWindow/fileChanges';

/** Share of the limit that remains after a cut, so that not every new content causes another. */
const LEFT_AFTER_CUT = 0.9;

/** File contents, each stored once under its hash; the oldest are deleted beyond a limit. */
export class ContentStore {
  /** Bytes by name; undefined until the folder was read. */
  #known: Map<ContentName, { bytes: number; usedAt: number }> | undefined;

  /** `most` limits the total size; bytes. */
  constructor(
    private readonly folder: string,
    private readonly most: () => number,
  ) {}

  /** Saves a content and returns its name; `unknown` for one over the limit. */
  async keep(content: Uint8Array): Promise<ContentName> {
    if (content.byteLength > this.most()) return UNKNOWN_CONTENT;
    const known = await this.#read();
    const name = nameOf(content);
    const entry = known.get(name);
    if (entry === undefined) await this.#write(name, content);
    else await this.#touch(name, entry);
    known.set(name, { bytes: content.byteLength, usedAt: Date.now() });
    await this.#cut(name);
    return name;
  }

  /** Returns a content; undefined when it is not saved or does not match its name. */
  async read(name: ContentName): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{64}$/.test(name)) return undefined;
    const content = await readFile(this.#fileOf(name)).catch(() => undefined);
    return content !== undefined && nameOf(content) === name ? content : undefined;
  }

  async #write(name: ContentName, content: Uint8Array): Promise<void> {
    const file = this.#fileOf(name);
    const unfinished = `${file}.${randomUUID()}`;
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  }

  /** A content that is used again no longer counts as old. */
  async #touch(name: ContentName, entry: { usedAt: number }): Promise<void> {
    entry.usedAt = Date.now();
    const now = new Date(entry.usedAt);
    await utimes(this.#fileOf(name), now, now).catch(() => undefined);
  }

  async #cut(justKept: ContentName): Promise<void> {
    const known = await this.#read();
    let total = [...known.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= this.most()) return;
    const oldestFirst = [...known].toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [name, { bytes }] of oldestFirst) {
      if (total <= this.most() * LEFT_AFTER_CUT) return;
      if (name === justKept) continue;
      await rm(this.#fileOf(name), { force: true });
      known.delete(name);
      total -= bytes;
    }
  }

  async #read(): Promise<Map<ContentName, { bytes: number; usedAt: number }>> {
    if (this.#known !== undefined) return this.#known;
    const known = new Map<ContentName, { bytes: number; usedAt: number }>();
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    for (const group of await readdir(this.folder)) {
      for (const rest of await readdir(join(this.folder, group)).catch(() => [])) {
        const stats = await stat(join(this.folder, group, rest)).catch(() => undefined);
        const name = `${group}${rest}`;
        // A partly written file is useless.
        if (!/^[0-9a-f]{64}$/.test(name)) await rm(join(this.folder, group, rest), { force: true });
        else if (stats !== undefined) {
          known.set(name, { bytes: stats.size, usedAt: stats.mtimeMs });
        }
      }
    }
    this.#known ??= known;
    return this.#known;
  }

  #fileOf(name: ContentName): string {
    return join(this.folder, name.slice(0, 2), name.slice(2));
  }
}

export function nameOf(content: Uint8Array): ContentName {
  return createHash('sha256').update(content).digest('hex');
}
