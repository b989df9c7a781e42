import * as z from 'zod/mini';
import { failed, succeeded, defineTool } from '../defineTool';
import { FILE_GLOB } from './glob';
import { insideWorkspace } from '../files/insideWorkspace';

/** Most paths that one call returns. */
const MOST_PATHS = 500;

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists the files of the workspace or of one folder, subfolders included, sorted, one path a ' +
    'line relative to the workspace root, without .git and files that .gitignore excludes. ' +
    `At most ${MOST_PATHS} paths a call.`,
  brief: 'Lists the files of the workspace or of the folder path, without ignored ones.',
  input: z.strictObject({
    path: z.optional(z.string()).check(z.describe('Folder to list. Default: the whole workspace.')),
    glob: FILE_GLOB,
  }),
  async prepare({ path = '.', glob }, { workspace }) {
    const inside = await insideWorkspace(workspace.folders, path);
    if (!inside.ok) return inside;
    const where = inside.path === '.' ? 'the workspace' : inside.path;
    return {
      ok: true,
      call: {
        action: `The listing of ${where}`,
        async run(signal) {
          const listed = await workspace.listFiles(
            { path: inside.path, limit: MOST_PATHS, glob },
            signal,
          );
          if (!listed.ok) return failed(listed.message);
          const { paths, more } = listed;
          const which = glob === undefined ? '' : ` that match ${glob}`;
          if (paths.length === 0) return succeeded(`No files${which} in ${where}.`);
          const head = more
            ? `The first ${paths.length} files${which} in ${where}; there are more, so narrow path or glob:`
            : `${paths.length} ${paths.length === 1 ? 'file' : 'files'}${which} in ${where}:`;
          return succeeded([head, ...paths].join('\n'));
        },
      },
    };
  },
});
