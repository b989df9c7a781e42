import { closeSync, mkdirSync, readFileSync, writeFile } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { ATTACHED_KINDS } from '../../contextWindow/attached';
import { ATTACHMENT_TYPES } from '../../contextWindow/block';
import { openOwnFile } from '../../sessions/ownFile';

const TEXT = z.string();

const ATTACHED = z.array(
  z.object({
    kind: z.enum(ATTACHED_KINDS),
    name: z.string(),
    read: z.union([
      z.object({ text: z.string(), tokens: z.number() }),
      z.object({
        type: z.enum(ATTACHMENT_TYPES),
        mediaType: z.string(),
        data: z.string(),
        tokens: z.number(),
      }),
    ]),
  }),
);

/** Attachments of a prompt that was not sent. */
export type KeptAttachments = z.output<typeof ATTACHED>;

/**
 * The prompt being typed, in files of the workspace's storage. A reload of the window can lose the
 * state of a webview, and VS Code writes its own storage too late for a reload right after a key.
 */
export class KeptDraft {
  /** The text as of now, once it was read. */
  #text: string | undefined;
  /** The newest value of each file that is still to be written. */
  readonly #unwritten = new Map<string, unknown>();
  #writing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(
    private readonly folder: string,
    private readonly log: (error: unknown) => void,
  ) {}

  get text(): string {
    return (this.#text ??= this.#read('draft.json', TEXT) ?? '');
  }

  keep(text: string): void {
    if (text === this.text) return;
    this.#text = text;
    this.#write('draft.json', text);
  }

  get attached(): KeptAttachments {
    return this.#read('attached.json', ATTACHED) ?? [];
  }

  keepAttached(attached: KeptAttachments): void {
    this.#write('attached.json', attached);
  }

  #read<T>(name: string, schema: z.ZodMiniType<T>): T | undefined {
    try {
      return schema.parse(JSON.parse(readFileSync(join(this.folder, name), 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** Waits until everything is written. */
  async stop(): Promise<void> {
    await this.#writing;
  }

  #write(name: string, value: unknown): void {
    this.#unwritten.set(name, value);
    this.#writing ??= this.#writeAll();
  }

  /**
   * Writes one file after the other, those that change meanwhile as well. A draft that cannot be
   * stored is lost at the next reload: it is logged once, not with each key.
   */
  async #writeAll(): Promise<void> {
    for (const [name, value] of this.#unwritten) {
      this.#unwritten.delete(name);
      try {
        await replaceFile(this.folder, name, JSON.stringify(value));
      } catch (error) {
        if (!this.#hasFailed) this.log(error);
        this.#hasFailed = true;
      }
    }
    this.#writing = undefined;
  }
}

/** Replaces a file whole, so that the next window finds the former content or the new one. */
async function replaceFile(folder: string, name: string, content: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const fd = openOwnFile(`${file}.new`, 'replace');
  try {
    await promisify(writeFile)(fd, content);
  } finally {
    closeSync(fd);
  }
  await rename(`${file}.new`, file);
}
