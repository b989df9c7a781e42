import { existsSync, readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { whyNotWritten } from './fileProblem';

/** Says why a file a command is to write would lose what it holds; undefined when it would not. */
export function occupied(option: string, file: string | undefined): string | undefined {
  return file !== undefined && existsSync(file) && statSync(file).size > 0
    ? `${option} ${file} exists already and is not overwritten.`
    : undefined;
}

/** Where a path leads, whichever way it is written: a file need not be there yet, nor that of a link. */
export function realFile(path: string): string {
  const full = resolve(path);
  const there = quietly(() => realpathSync(full));
  if (there !== undefined) return there;
  const target = resolve(dirname(full), quietly(() => readlinkSync(full)) ?? full);
  const folder = dirname(target);
  return join(quietly(() => realpathSync(folder)) ?? folder, basename(target));
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Makes a file a command is to write, readable by its owner alone; says why that cannot be done. */
export function unwritable(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    writeFileSync(file, '', { mode: 0o600 });
    return undefined;
  } catch (error) {
    return `${option} ${file} cannot be written: ${whyNotWritten(error)}`;
  }
}
