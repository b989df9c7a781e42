import type { Workspace } from '../workspace';
import { isSecretName } from './secretNames';
import { isDistinct, mask } from './knownSecrets';

/** Examples of `.env` files have placeholders instead of values. */
const EXAMPLE = /\.(?:example|sample|template|tmpl|dist|defaults?|schema|md)$/i;

/** Whether a path is that of a `.env` file, such as `.env`, `.env.local`, `prod.env` or `.envrc`. */
export function isEnvFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^\.env(?:rc|\..+)?$|\.env$/i.test(name) && !EXAMPLE.test(name);
}

/** Most values of one file, and lines of one value. */
const MOST_VALUES = 1_000;
const MOST_LINES = 100;

/** A longer file is not a `.env` file; characters. */
const LONGEST_FILE = 1_000_000;

interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * Masks every value in the text of a `.env` file, from now on. A value that is unlike an ordinary
 * word is masked wherever it occurs, any other one where it follows the name of its variable.
 */
export function maskEnvFile(path: string, text: string): void {
  for (const { name, value } of variablesIn(text).slice(0, MOST_VALUES)) {
    const words = `${name} in ${path}`;
    for (const line of linesOf(value)) {
      if (isSecret(name, line)) mask({ value: line, name: words });
      // Short values and ordinary words occur everywhere.
      else if (line === value) {
        mask({
          value,
          name: words,
          between: [
            `(?<![\\w-])${name.replaceAll('.', '\\.')}["']?[ \\t]*[=:][ \\t]*["'\`]?`,
            '(?!\\w)',
          ],
        });
      } else if (line.length >= SHORTEST_PART) mask({ value: line, name: words });
    }
  }
}

/** A shorter line of a value of several lines is not masked. */
const SHORTEST_PART = 8;

/** The lines of a value, whose line breaks may be written as \n. */
function linesOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n|\\r|\\n/);
  return lines.length === 1 ? [value] : lines.filter((line) => line !== '');
}

/** Whether a value is masked without its name in front of it. */
function isSecret(name: string, value: string): boolean {
  if (/:\/\/[^/\s:]*:[^/\s@]+@/.test(value)) return true;
  if (isSecretName(name))
    return isDistinct(value) || (value.length >= 6 && /^(?=.*[A-Za-z])(?=.*\d)\S+$/.test(value));
  return (
    isDistinct(value) && /^[\w+=-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)
  );
}

/** Reads assignments as dotenv does, but keeps values as they are written. */
function variablesIn(text: string): readonly Variable[] {
  const found: Variable[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const assignment = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*[=:]\s*(.*)$/.exec(lines[at] ?? '');
    if (assignment === null) continue;
    const [, name = '', given = ''] = assignment;
    const quote = /^["'`]/.exec(given)?.[0];
    let value = given;
    if (quote !== undefined) {
      // A quoted value may have several lines.
      let rest = given.slice(1);
      let last = at;
      while (!isClosed(rest, quote) && last + 1 < lines.length && last - at < MOST_LINES) {
        last += 1;
        rest += `\n${lines[last] ?? ''}`;
      }
      if (isClosed(rest, quote)) {
        at = last;
        value = rest.slice(0, endOf(rest, quote));
      }
    } else {
      value = given.replace(/\s+#.*$/, '').trimEnd();
    }
    if (value !== '') found.push({ name, value });
  }
  return found;
}

function isClosed(text: string, quote: string): boolean {
  return endOf(text, quote) !== -1;
}

/** Index of the closing quote; -1 for none. */
function endOf(text: string, quote: string): number {
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text.charAt(at - 1) !== '\\') return at;
  }
  return -1;
}

/** The `.env` files that were found last. */
const FOUND = new WeakMap<object, readonly string[]>();

/**
 * Masks the values of all `.env` files of a workspace, from now on. `known` reads only those that
 * were found before, and `also`, a file that the walk may not reach.
 */
export async function maskEnvFiles(
  workspace: Pick<Workspace, 'readFile' | 'envFiles'>,
  which: 'all' | 'known' = 'all',
  also?: string,
): Promise<void> {
  const known = which === 'known' ? FOUND.get(workspace) : undefined;
  const paths = known ?? (await workspace.envFiles?.()) ?? [];
  FOUND.set(workspace, paths);
  const more = also !== undefined && isEnvFile(also) ? [also] : [];
  await Promise.all(
    [...new Set([...paths, ...more])].map(async (path) => {
      const read = await workspace.readFile(path);
      if (read.ok && read.text.length <= LONGEST_FILE) maskEnvFile(path, read.text);
    }),
  );
}
