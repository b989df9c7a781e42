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
  if (!(await mayHaveLinks(git))) return NO_LINKS;
  const found = await linkedInIndex(program, join(git, '..'));
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

async function mayHaveLinks(git: string): Promise<boolean> {
  // In a worktree the last folder is its own.
  const folder = gitFolders(git).at(-1) ?? git;
  const names = (entriesIn(folder) ?? []).filter((name) => /^(index$|sharedindex\.)/.test(name));
  for (const name of names) {
    const file = join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    // Only git may open a pipe or a device, for a limited time: to read one would never end.
    if (stats?.isFile() !== true || stats.size > LARGEST) return true;
    const content = await readFile(file).catch(() => Buffer.from(''));
    if (MODES.some((mode) => content.includes(mode))) return true;
  }
  return false;
}
