import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitFolders } from '../../agent/gitSettings';
import { entriesIn } from './closedFiles';
import { linkedInIndex } from './git';

/**
 * The submodules in the index of a repository. Git enters them for `git status`, and runs what their settings
 * name, wherever they are: in ignored folders, too, and whatever a `.gitignore` says.
 */
interface Gitlinks {
  /** Relative to the repository's folder. */
  readonly paths: readonly string[];
  /** Those that are not UTF-8, as their bytes in Latin-1: Node finds them only by their bytes. */
  readonly odd: readonly string[];
}

export const NO_LINKS: Gitlinks = { paths: [], odd: [] };

/** The modes of a submodule, and of a folder that stands for the files in it. */
const MODES = [Buffer.from([0, 0, 0xe0, 0]), Buffer.from([0, 0, 0x40, 0])];

/** Finds the submodules of a repository by its `.git`; undefined when its index cannot be read. */
export async function gitlinksOf(git: string, program: string): Promise<Gitlinks | undefined> {
  // Most repositories have none: their index is not given to git.
  const may = await mayHaveLinks(git);
  if (may === false) return NO_LINKS;
  const found = may === undefined ? undefined : await linkedInIndex(program, join(git, '..'));
  if (found === undefined) return undefined;
  const paths: string[] = [];
  const odd: string[] = [];
  for (const bytes of found) {
    const path = Buffer.from(bytes, 'latin1').toString('utf8');
    if (Buffer.from(path).toString('latin1') === bytes) paths.push(path);
    else odd.push(bytes);
  }
  return { paths, odd };
}

/** Bytes of the largest index that is read here. */
const LARGEST = 200_000_000;

/** Whether an index may have submodules; undefined where to read it would never end. */
async function mayHaveLinks(git: string): Promise<boolean | undefined> {
  const folders = gitFolders(git);
  const filesIn = (folder: string) =>
    (entriesIn(folder) ?? []).map((name) => ({ name, file: join(folder, name) }));
  // Git reads other files, too, before the index.
  if (folders.flatMap(filesIn).some(({ file }) => isEndless(file))) return undefined;
  // In a worktree the last folder is its own.
  for (const { name, file } of filesIn(folders.at(-1) ?? git)) {
    if (!/^(index$|sharedindex\.)/.test(name)) continue;
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true || stats.size > LARGEST) return true;
    const content = await readFile(file).catch(() => Buffer.from(''));
    if (MODES.some((mode) => content.includes(mode))) return true;
  }
  return false;
}

/** Whether a file is a pipe or a device, which a command may have put in the place of another. */
function isEndless(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice();
  } catch {
    return false; // A link to nowhere, or to itself.
  }
}
