import { existsSync, statSync, writeFileSync } from 'node:fs';
import { whyNotWritten } from './fileProblem';

/** Says why a file a command is to write would lose what it holds; undefined when it would not. */
export function occupied(option: string, file: string | undefined): string | undefined {
  return file !== undefined && existsSync(file) && statSync(file).size > 0
    ? `${option} ${file} exists already and is not overwritten.`
    : undefined;
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
