import { maskEnvFiles } from '../../agent/secrets/envFiles';
import {
  calledIn,
  COMMAND_FORMS,
  customCommand,
  expanded,
  withOwnNames,
  type CustomCommand,
} from '../../agent/memory/customCommand';
import { importsIn } from '../../agent/memory/instructionForms';
import type { Workspace } from '../../agent/workspace';
import { pathFrom } from '../../agent/workspaceFolders';
import type { AttachedText } from '../../contextWindow/attached';
import type { Result } from '../../contextWindow/result';
import { filesBelow } from './filesBelow';

/** Most files that one command includes, and how much of each; characters. */
const MOST_INCLUDED = 10;
const LONGEST_INCLUDED = 50_000;

type Files = Pick<Workspace, 'folders' | 'readFile' | 'envFiles'>;

/** A command as it is sent: its text and the files it names, beside what the user typed. */
interface CalledCommand {
  readonly attached: readonly AttachedText[];
  /** What of its file is not supported, as sentences. */
  readonly unsupported: readonly string[];
}

/** Reads the custom commands of a workspace; `taken` are names that have another meaning. */
export async function customCommandsIn(
  files: Files,
  taken: ReadonlySet<string>,
): Promise<readonly CustomCommand[]> {
  const found: CustomCommand[] = [];
  const { folders } = files;
  const forms = COMMAND_FORMS.flatMap(({ folder, suffix }) =>
    folders.inEach(folder).map((one) => ({ folder: one, suffix })),
  );
  for (const form of forms) {
    const { paths } = await filesBelow(folders, form);
    const read = await Promise.all(paths.map((path) => files.readFile(path)));
    for (const [index, file] of read.entries()) {
      const path = paths[index];
      if (!file.ok || path === undefined || file.text.trim() === '') continue;
      found.push(customCommand(form, path, file.text.replace(/^\uFEFF/, '')));
    }
  }
  return withOwnNames(found, taken);
}

/** The command that a prompt calls, with its arguments; nothing for a prompt that calls none. */
export async function calledCommand(
  files: Files,
  taken: ReadonlySet<string>,
  typed: string,
): Promise<Result<Partial<CalledCommand>>> {
  const called = calledIn(typed);
  if (called === undefined) return { ok: true };
  const commands = await customCommandsIn(files, taken);
  const command = commands.find(({ name }) => name === called.name);
  if (command === undefined) return { ok: true };
  const made = expanded(command, called.given);
  if (!made.ok) return made;
  const { path, unsupported } = command;
  await maskEnvFiles(files);
  const named = await Promise.all(
    importsIn(made.text)
      .slice(0, MOST_INCLUDED)
      .map((name) => included(files, path, name)),
  );
  const attached = [{ kind: 'command', name: path, text: made.text } as const, ...named.flat()];
  return { ok: true, attached, unsupported };
}

/**
 * A file that a command names, from the root of its own folder or as a path of the workspace; a name
 * without a readable text in the workspace stays a name.
 */
async function included(files: Files, by: string, name: string): Promise<readonly AttachedText[]> {
  const { folders } = files;
  const plain = name.replace(/^\.\//, '');
  const own = folders.placeOf(folders.absolute(by))?.folder;
  const paths = new Set([...(own === undefined ? [] : [pathFrom(own, plain)]), plain]);
  for (const path of paths) {
    const found = await includedAt(files, path);
    if (found !== undefined) return [found];
  }
  return [];
}

async function includedAt(files: Files, path: string): Promise<AttachedText | undefined> {
  await maskEnvFiles(files, 'known', path);
  const read = await files.readFile(path).catch(() => undefined);
  if (read?.ok !== true) return undefined;
  const left = read.text.length - LONGEST_INCLUDED;
  const text =
    left > 0
      ? `${read.text.slice(0, LONGEST_INCLUDED).toWellFormed()}\n[Plimsoll left out the last ${left} characters.]`
      : read.text;
  return { kind: 'file', name: path, text };
}
