import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MEMORY_PATH, memoryPathIn, type Profile } from '../../agent/memory/projectMemory';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { insideWorkspace } from './insideWorkspace';
import { createText, readRegularFile, reasonOf, replaceText } from './fileOnDisk';
import { decodeText, LARGEST_FILE } from './textLines';

/** Where the profile is, and the folders it must not be in. */
export interface ProfilePlace {
  /** The setting's value: absolute, or with `~` for the home folder; '' for no profile. */
  readonly place: string;
  /** Absolute path of the user's home folder. */
  readonly home: string;
  readonly folders: WorkspaceFolders;
}

/** The absolute path of the profile; undefined when the user turned it off. */
export function profileFile({ place, home }: Omit<ProfilePlace, 'folders'>): string | undefined {
  if (place === '') return undefined;
  return /^~[\\/]/.test(place) ? join(home, place.slice(2)) : place;
}

/**
 * Makes the profile; undefined when the user turned it off. It must be a regular file outside the
 * workspace, where no other tool can change it, and neither it nor its folder may be a symbolic
 * link.
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
      switch (await placeIn(where.folders, file)) {
        case 'outside':
          return read();
        case 'projectMemory':
          // That file is already the project memory.
          return { ok: true, text: undefined };
        case 'folderMemory':
          return refused(ofAFolder(name));
        case 'inside':
          return refused(inWorkspace(name));
      }
    },
    write: async (text, before) => {
      const place = await placeIn(where.folders, file);
      if (place === 'projectMemory') {
        return refused(`Here ${name} is the memory of this project: leave out where.`);
      }
      if (place === 'folderMemory') return refused(ofAFolder(name));
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

const CHOOSE_ANOTHER = 'Ask the user to choose another place for it with plimsoll.memory.profile.';

function inWorkspace(name: string): string {
  return `${name} is in the workspace, where other tools could change it. ${CHOOSE_ANOTHER}`;
}

function ofAFolder(name: string): string {
  return `${name} is also the memory of a folder of this workspace, for the files there alone. ${CHOOSE_ANOTHER}`;
}

/**
 * The file's place: outside the workspace, as the project's own memory, as that of another folder,
 * or elsewhere inside.
 */
async function placeIn(
  folders: WorkspaceFolders,
  file: string,
): Promise<'outside' | 'projectMemory' | 'folderMemory' | 'inside'> {
  // A parent folder may be a link into the workspace.
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const inside = await insideWorkspace(folders, join(folder, basename(file)));
  if (!inside.ok) return 'outside';
  if (inside.target === memoryPathIn(folders)) return 'projectMemory';
  return folders.inEach(MEMORY_PATH).includes(inside.target) ? 'folderMemory' : 'inside';
}

/** Why the file cannot be the profile; undefined when it can, or does not exist yet. */
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
  // Folders further up may be links; only its own folder must not be one.
  const folder = await realpath(dirname(file));
  const read = await readRegularFile(join(folder, basename(file)), LARGEST_FILE);
  switch (read) {
    case 'notRegular':
      return refused(`${name} is not a regular file.`);
    case 'moved':
      return refused(`${name} has just moved.`);
    case 'tooLarge':
      return refused(`${name} is over ${LARGEST_FILE / 1_000_000} MB.`);
    default: {
      const text = decodeText(read, name);
      if (!text.ok) return text;
      if (text.encoding !== 'utf8') return refused(`${name} is not UTF-8 text.`);
      return { ok: true, text: text.text };
    }
  }
}
