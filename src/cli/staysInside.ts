import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Absolute paths any command may name: they hold no work of the user's. */
const HARMLESS = ['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty'];
const PROGRAMS = ['/bin/', '/usr/bin/', '/usr/local/bin/', '/opt/'];

/**
 * Says whether a shell command names only paths inside the folder: the part of `--yes` that words
 * can show. It is a guard against accidents, not a sandbox: a program may still do what it likes,
 * and whatever this cannot read (substitution, variables in paths) counts as outside.
 */
export function staysInside(command: string, root: string): boolean {
  if (/[`]|\$\(|<\(|>\(/.test(command)) return false;
  const words = command.split(/[\s;&|<>()'"=,]+/).filter((word) => word !== '');
  return words.every((word) => !leaves(word, root));
}

function leaves(word: string, root: string): boolean {
  if (word.startsWith('~') || /\$\{?(HOME|OLDPWD|TMPDIR)\b/.test(word)) return true;
  if (/[/\\]/.test(word) && word.includes('$')) return true;
  const isPath = isAbsolute(word) || word.split(/[/\\]/).includes('..');
  if (!isPath || HARMLESS.includes(word)) return false;
  if (PROGRAMS.some((folder) => word.startsWith(folder)) && !word.includes('..')) return false;
  const path = relative(root, resolve(root, word));
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
