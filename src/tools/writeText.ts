import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  link,
  mkdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces an existing file in one rename, so that nobody ever sees half of it; keeps its mode. */
export async function replaceText(file: string, text: string): Promise<void> {
  await access(file, constants.W_OK);
  const { mode } = await stat(file);
  await throughTemporary(file, text, async (temporary) => {
    await chmod(temporary, mode & 0o7777);
    await rename(temporary, file);
  });
}

/** Makes a file that is not there yet, with its folders; throws EEXIST when it is. */
export async function createText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await throughTemporary(file, text, (temporary) =>
    link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Not every file system knows hard links.
      return copyFile(temporary, file, constants.COPYFILE_EXCL);
    }),
  );
}

async function throughTemporary(
  file: string,
  text: string,
  finish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await finish(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
