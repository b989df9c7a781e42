import { dirname, join, resolve, sep } from 'node:path';
import { gitFolders } from '../../agent/gitSettings';
import { entriesIn, realOf, statsAt, textOf, unlock } from './closedFiles';

/** Settings of a repository that name no program. */
const PLAIN_SECTIONS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/,
  remote: /^(url|pushurl|fetch|tagopt)$/,
  branch: /^(remote|merge|rebase)$/,
  submodule: /^(url|active)$/,
  user: /^(name|email)$/,
  init: /^defaultbranch$/,
  extensions: /^(objectformat|refstorage|compatobjectformat)$/,
};

/**
 * Whether a new repository runs nothing: it has only plain settings and no hooks. `worktree` is the folder of the
 * file that leads to it, if one does; each submodule names it.
 */
export function isPlainRepository(git: string, root: string, worktree?: string): boolean {
  const stats = statsAt(git);
  if (stats?.isFile() === true) {
    const named = /^gitdir: (.+)\n?$/.exec(textOf(git) ?? '')?.[1];
    const folder = named === undefined ? undefined : realOf(resolve(dirname(git), named));
    return (
      folder?.startsWith(`${root}${sep}`) === true &&
      statsAt(folder)?.isDirectory() === true &&
      isPlainRepository(folder, root, realOf(dirname(git)))
    );
  }
  if (stats?.isDirectory() !== true) return false;
  unlock(git);
  unlock(join(git, 'hooks'));
  const names = entriesIn(git);
  if (names === undefined) return false;
  const hooks = names.includes('hooks') ? entriesIn(join(git, 'hooks')) : [];
  // The settings of a worktree are those of its repository.
  const config = names.includes('config')
    ? textOf(join(git, 'config'))
    : names.includes('commondir')
      ? ''
      : undefined;
  const common = textOf(join(git, 'commondir'))?.trim();
  const isOwn = common === undefined || common === '../..';
  return (
    isOwn &&
    config !== undefined &&
    isPlainConfig(
      config,
      (path) => worktree !== undefined && realOf(resolve(git, path)) === worktree,
    ) &&
    !names.includes('config.worktree') &&
    hooks?.every((name) => name.endsWith('.sample')) === true &&
    ['remotes', 'branches'].every((name) => (entriesIn(join(git, name)) ?? []).length === 0)
  );
}

/** The same for the folder of a submodule or worktree in `.git`. Its working folder must lead back to it. */
export function isPlainInner(folder: string, root: string): boolean {
  const config = textOf(join(folder, 'config')) ?? '';
  const named = /^\s*worktree\s*=\s*(.*?)\s*$/im.exec(config)?.[1];
  if (named === undefined) return isPlainRepository(folder, root);
  const worktree = realOf(resolve(folder, named));
  const back = worktree === undefined ? undefined : gitFolders(join(worktree, '.git')).at(-1);
  return back !== undefined && realOf(back) === folder && isPlainRepository(folder, root, worktree);
}

function isPlainConfig(text: string, isWorktree: (path: string) => boolean): boolean {
  let section = '';
  return text.split('\n').every((line) => {
    const header = /^\[(\w+)(?: "[^"]*")?\]$/.exec(line.trim());
    if (header !== null) {
      section = (header[1] ?? '').toLowerCase();
      return Object.hasOwn(PLAIN_SECTIONS, section);
    }
    if (line.trim() === '' || /^\s*[#;]/.test(line)) return true;
    const [, key = '', value = ''] = /^\s*(\w+)\s*=\s*([^\\]*)$/.exec(line) ?? [];
    if (section === 'core' && key.toLowerCase() === 'worktree') return isWorktree(value.trim());
    return PLAIN_SECTIONS[section]?.test(key.toLowerCase()) === true && !value.includes('::');
  });
}
