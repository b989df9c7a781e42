import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Workspace } from '../../src/agent/workspace';

/** A workspace in which every file was deleted. */
export const NO_FILES = {
  folders: oneFolder('/work/sample'),
  readFile: (path: string) =>
    Promise.resolve({ ok: false, message: `${path} does not exist.`, isMissing: true }),
} as unknown as Workspace;
