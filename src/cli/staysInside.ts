import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Absolute paths any command may name: they hold no work of the user's. */
const HARMLESS = ['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty'];
const PROGRAMS = ['/bin/', '/usr/bin/', '/usr/local/bin/', '/opt/'];

/** A variable may hold any path; `$1` of awk and `$?` hold none. */
const VARIABLE = /\$\{?[A-Za-z_]/;
/** `cd` alone goes home, `cd -` and `popd` to wherever the shell was before. */
const GOES_HOME = /(^|[\s;&|(])(cd\s*($|[;&|)])|cd\s+-|popd\b)/;
const URL = /\bhttps?:\/\/[^\s'"]+/g;
/** An option with its value attached: `-C/tmp`. */
const OPTION = /^-[A-Za-z](?=\/.)/;

/**
 * Says whether a shell command names only paths inside the folder: the part of `--yes` that words
 * can show. It is a guard against accidents, not a sandbox: a program may still do what it likes,
 * and whatever this cannot read (substitution, variables) counts as outside.
 */
export function staysInside(command: string, root: string): boolean {
  if (/[`]|\$\(|<\(|>\(/.test(command) || VARIABLE.test(command) || GOES_HOME.test(command)) {
    return false;
  }
  const words = command
    .replace(URL, '')
    // A backslash hides a slash from these rules, not from the shell.
    .replace(/\\(?=[/.])/g, '')
    .split(/[\s;&|<>()'"=,:@{}]+/)
    .filter((word) => word !== '');
  return words.every((word) => !leaves(word.replace(OPTION, ''), root));
}

function leaves(word: string, root: string): boolean {
  if (word.startsWith('~')) return true;
  const isPath = isAbsolute(word) || word.split(/[/\\]/).includes('..');
  if (!isPath || HARMLESS.includes(word)) return false;
  if (PROGRAMS.some((folder) => word.startsWith(folder)) && !word.includes('..')) return false;
  const path = relative(root, resolve(root, word));
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
