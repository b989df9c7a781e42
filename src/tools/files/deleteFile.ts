import * as z from 'zod/mini';
import { LASTING_WORDS } from '../../agent/lastingFiles';
import { failed, succeeded, defineTool } from '../defineTool';
import { movableFile } from './moveFile';

export const deleteFile = defineTool({
  name: 'delete_file',
  description:
    'Deletes a file of the workspace, to the trash if there is one. Not for folders. The user ' +
    'approves it first.',
  input: z.strictObject({
    path: z.string().check(z.describe('The file, relative to the workspace root.')),
  }),
  async prepare({ path: given }, { workspace }) {
    const file = await movableFile(workspace, given, 'deleted');
    if (!file.ok) return file;
    const { path, before, lasting } = file;
    return {
      ok: true,
      call: {
        approval: {
          kind: 'delete',
          path,
          before,
          ...(lasting === undefined ? {} : { lasting: LASTING_WORDS[lasting] }),
        },
        action: `The deletion of ${path}`,
        async run() {
          if (before !== undefined) {
            const now = await workspace.readFile(path);
            if (!now.ok) return failed(now.message);
            if (now.text !== before) {
              return failed(`${path} was not deleted: it has changed since the user was asked.`);
            }
          }
          const removed = await workspace.deleteFile(path);
          if (!removed.ok) return failed(removed.message);
          return succeeded(
            removed.isKept ? `Moved ${path} to the trash.` : `Deleted ${path} permanently.`,
          );
        },
      },
    };
  },
});
