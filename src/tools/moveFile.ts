import * as z from 'zod/mini';
import { lastingChange, LASTING_WORDS } from '../agent/lastingFiles';
import { refused } from '../contextWindow/result';
import { failed, succeeded, defineTool } from './defineTool';
import { freelyEditablePath } from './insideWorkspace';
import { movableFile } from './movableFile';
import { problemsAfter } from './newProblems';

export const moveFile = defineTool({
  name: 'move_file',
  description:
    'Moves or renames a file of the workspace, and makes folders for it. Nothing is overwritten, ' +
    'and what names the file is not changed. The user is asked first.',
  input: z.strictObject({
    path: z.string().check(z.describe('The file, relative to the workspace root.')),
    to: z.string().check(z.describe('Its new path, with the name of the file.')),
  }),
  async prepare({ path: given, to: wanted }, { workspace }) {
    const file = await movableFile(workspace, given, 'moved');
    if (!file.ok) return file;
    const target = await freelyEditablePath(workspace.root, wanted);
    if (!target.ok) return target;
    const { path, before } = file;
    const { path: to, kind } = target;
    if (kind !== 'missing') return refused(`${to} exists already; nothing was moved.`);
    const what =
      file.lasting ??
      lastingChange({ paths: [to, target.target], before: undefined, after: before ?? '' });
    return {
      ok: true,
      call: {
        approval: {
          kind: 'move',
          path,
          to,
          ...(what === undefined ? {} : { lasting: LASTING_WORDS[what] }),
        },
        action: `The move of ${path} to ${to}`,
        async run(signal) {
          const newProblems = problemsAfter(workspace, to);
          const moved = await workspace.moveFile(path, to);
          if (!moved.ok) return failed(moved.message);
          return succeeded(`Moved ${path} to ${to}.${await newProblems(signal)}`);
        },
      },
    };
  },
});
