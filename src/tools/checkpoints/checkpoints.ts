import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoints, FoundChanges } from '../../agent/checkpoints';
import { lineCounts, type LineCounts } from '../../agent/lineCounts';
import type { ApprovalRequest } from '../../agent/tool';
import {
  NO_FILE,
  UNKNOWN_CONTENT,
  type ContentName,
  type FileChange,
} from '../../contextWindow/fileChanges';
import { readRegularFile } from '../regularFile';
import { nameOf, type ContentStore } from './contentStore';
import { FilesAround } from './filesAround';

/** A larger file is not kept; bytes. */
const LARGEST_KEPT = 5_000_000;

/** Keeps the files of a workspace in a store of contents. */
export function makeCheckpoints(root: string, store: ContentStore): Checkpoints {
  const around = new FilesAround(root, (path) => keep(root, path, store), store);
  return {
    async before({ approval }, signal) {
      // What a tool of others does is as little known as what a command does.
      if (approval !== undefined && ['command', 'input', 'tool'].includes(approval.kind)) {
        const looked = await around.look(signal);
        return (after) => around.changesSince(looked, after);
      }
      const paths = pathsOf(approval);
      if (paths.length === 0) return undefined;
      const before = new Map(await keepAll(root, paths, store));
      // The edit saves what the user had not, and that is how the file was for them.
      if (approval?.kind === 'edit' && approval.unsaved === true) {
        before.set(approval.path, await store.keep(Buffer.from(approval.before ?? '', 'utf8')));
      }
      return async (): Promise<FoundChanges> => {
        const after = await keepAll(root, paths, store);
        const files = paths.flatMap((path): readonly FileChange[] => {
          const [was, is] = [before.get(path) ?? NO_FILE, after.get(path) ?? NO_FILE];
          return was === is && was !== UNKNOWN_CONTENT ? [] : [{ path, before: was, after: is }];
        });
        return { files, isAll: true };
      };
    },
    count: (before, after) => countLines(store, before, after),
    now: (path) => contentNow(root, path),
    keep: (path) => keep(root, path, store),
    keepText: (text) => store.keep(Buffer.from(text, 'utf8')),
    text: (name) => textOf(store, name),
    content: (name) => store.read(name),
  };
}

/** The files of the workspace that a call names; a profile lies outside it. */
function pathsOf(approval: ApprovalRequest | undefined): readonly string[] {
  switch (approval?.kind) {
    case 'edit':
      return approval.profile === undefined ? [approval.path] : [];
    case 'move':
      return [approval.path, approval.to];
    case 'delete':
      return [approval.path];
    default:
      return [];
  }
}

async function keepAll(
  root: string,
  paths: readonly string[],
  store: ContentStore,
): Promise<ReadonlyMap<string, ContentName>> {
  const kept = new Map<string, ContentName>();
  for (const path of paths) kept.set(path, await keep(root, path, store));
  return kept;
}

/** Keeps a file as it is on disk, and names its content. */
async function keep(root: string, path: string, store: ContentStore): Promise<ContentName> {
  const read = await readFileIn(root, path);
  return typeof read === 'string' ? read : store.keep(read);
}

/** The name of a file's content as it is on disk now; nothing is kept. */
async function contentNow(root: string, path: string): Promise<ContentName> {
  const read = await readFileIn(root, path);
  return typeof read === 'string' ? read : nameOf(read);
}

async function readFileIn(root: string, path: string): Promise<Buffer | ContentName> {
  const file = join(root, path);
  if ((await lstat(file).catch(() => undefined)) === undefined) return NO_FILE;
  const read = async () => readRegularFile(await realpath(file), LARGEST_KEPT);
  const content = await read().catch(() => undefined);
  return content instanceof Buffer ? content : UNKNOWN_CONTENT;
}

/** A kept content as text, '' for no file; undefined where it is not kept, or is no text. */
async function textOf(store: ContentStore, name: ContentName): Promise<string | undefined> {
  if (name === NO_FILE) return '';
  const content = await store.read(name);
  if (content === undefined || content.includes(0)) return undefined;
  const text = content.toString('utf8');
  return Buffer.from(text, 'utf8').equals(content) ? text : undefined;
}

async function countLines(
  store: ContentStore,
  before: ContentName,
  after: ContentName,
): Promise<LineCounts | undefined> {
  const [one, other] = [await textOf(store, before), await textOf(store, after)];
  return one === undefined || other === undefined ? undefined : lineCounts(one, other);
}
