import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import type { Machine, SessionReader } from './foundSession';
import { textOf } from './sessionLines';

/** VS Code and its relatives, by the names of their folders. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** Servers for remote windows and browsers, below the home folder. */
const SERVERS = [
  '.vscode-server/data',
  '.vscode-server-insiders/data',
  '.cursor-server/data',
  '.local/share/code-server',
];

/** Where editors keep the data of their extensions: the folders that have `globalStorage`. */
export function editorFolders({ home, environment }: Machine): readonly string[] {
  const bases = {
    win32: environment['APPDATA'] || join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
  };
  const base =
    process.platform === 'win32' || process.platform === 'darwin'
      ? bases[process.platform]
      : environment['XDG_CONFIG_HOME'] || join(home, '.config');
  return [
    ...EDITORS.map((name) => join(base, name, 'User')),
    ...SERVERS.map((path) => join(home, path, 'User')),
  ];
}

/** The storage of an extension in each editor. */
export function extensionFolders(id: string, machine: Machine): readonly string[] {
  return editorFolders(machine).map((folder) => join(folder, 'globalStorage', id));
}

/** The folder of a workspace by its storage; undefined for several folders, or another machine. */
export async function folderOf(
  storage: string,
  reader: SessionReader,
): Promise<string | undefined> {
  const about = parsed((await reader.text(join(storage, 'workspace.json'))) ?? '');
  try {
    return fileURLToPath((isObject(about) ? textOf(about['folder']) : undefined) ?? '');
  } catch {
    return undefined;
  }
}
