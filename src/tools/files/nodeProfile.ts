import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MEMORY_PATH, type Profile } from '../../agent/memory/projectMemory';
import { refused, type Result } from '../../contextWindow/result';
import { insideWorkspace } from './insideWorkspace';
import { createText, readRegularFile, reasonOf, replaceText } from './fileOnDisk';
import { decodeText, LARGEST_FILE } from './textLines';

/** Where the profile is, and what it must not lie in. */
export interface ProfilePlace {
  /** As the setting has it: absolute, or in the home folder with a `~`; '' for no profile. */
  readonly place: string;
  /** Absolute path of the user's home folder. */
  readonly home: string;
  /** The workspace's folder. */
  readonly root: string;
}

/** The profile's file, absolute; undefined where the user has turned it off. */
export function profileFile({ place, home }: Omit<ProfilePlace, 'root'>): string | undefined {
  if (place === '') return undefined;
  return /^~[\\/]/.test(place) ? join(home, place.slice(2)) : place;
}

/**
 * Makes the profile of a place; undefined where the user has turned it off. It is read and written
 * only as a regular file that neither is a symbolic link nor lies in a folder that is one, and only
 * outside the workspace, where no other tool can change it.
 */
export function makeProfile(where: ProfilePlace): Profile | undefined {
  const file = profileFile(where);
  if (file === undefined) return undefined;
  const name = where.place.replaceAll('\\', '/');
  const guarded = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      const why = await whyNotThere(file, name);
      return why === undefined ? await work() : refused(why);
    } catch (error) {
      return refused(`${name}: ${reasonOf(error)}.`);
    }
  };
  const read = () => guarded(() => textOf(file, name));
  return {
    name,
    file,
    read: async () => {
      switch (await placeIn(where.root, file)) {
        case 'outside':
          return read();
        case 'projectMemory':
          // It is told as that.
          return { ok: true, text: undefined };
        case 'inside':
          return refused(inWorkspace(name));
      }
    },
    write: async (text, before) => {
      const place = await placeIn(where.root, file);
      if (place === 'projectMemory') {
        return refused(`${name} is the memory of this project here: leave out where.`);
      }
      if (place === 'inside') return refused(inWorkspace(name));
      const now = await read();
      if (!now.ok) return now;
      if (now.text !== before) return refused(`${name} has just changed. Call again.`);
      return guarded(async () => {
        await (before === undefined
          ? createText(file, text, 'forUserAlone')
          : replaceText(file, text));
        return { ok: true };
      });
    },
  };
}

function inWorkspace(name: string): string {
  return (
    `${name} lies in the workspace, where other tools could change it. Ask the user to choose ` +
    'another place for it with plimsoll.memory.profile.'
  );
}

/** Where the file lies: outside the workspace, as its own memory, or elsewhere in it. */
async function placeIn(
  root: string,
  file: string,
): Promise<'outside' | 'projectMemory' | 'inside'> {
  // A folder above may be a link into the workspace.
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const inside = await insideWorkspace(root, join(folder, basename(file)));
  if (!inside.ok) return 'outside';
  return inside.target === MEMORY_PATH ? 'projectMemory' : 'inside';
}

/** Why the file cannot be used as the profile; undefined where it can, or is not there yet. */
async function whyNotThere(file: string, name: string): Promise<string | undefined> {
  const folder = await found(dirname(file));
  if (folder?.isSymbolicLink() === true) return `the folder of ${name} is a symbolic link.`;
  const entry = await found(file);
  if (entry?.isSymbolicLink() === true) return `${name} is a symbolic link.`;
  return entry === undefined || entry.isFile() ? undefined : `${name} is not a regular file.`;
}

async function found(path: string) {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function textOf(
  file: string,
  name: string,
): Promise<Result<{ readonly text: string | undefined }>> {
  if ((await found(file)) === undefined) return { ok: true, text: undefined };
  // Folders far above may well be links: the one it lies in is none.
  const folder = await realpath(dirname(file));
  const read = await readRegularFile(join(folder, basename(file)), LARGEST_FILE);
  switch (read) {
    case 'notRegular':
      return refused(`${name} is not a regular file.`);
    case 'moved':
      return refused(`${name} has just been moved.`);
    case 'tooLarge':
      return refused(`${name} is over ${LARGEST_FILE / 1_000_000} MB.`);
    default:
      return decodeText(read, name);
  }
}
