import * as z from 'zod/mini';
import { problemLines } from '../agent/fileProblems';
import type { Workspace } from '../agent/workspace';
import { refused } from '../contextWindow/result';
import { defineTool, succeeded } from './defineTool';
import { insideWorkspace } from './files/insideWorkspace';

/** Most problems that one call returns. */
const MOST_PROBLEMS = 100;

export const diagnostics = defineTool({
  name: 'diagnostics',
  description:
    'Returns errors and warnings of the language servers in the editor, as path:line: severity: message. ' +
    `Files that the editor has not checked may be missing. At most ${MOST_PROBLEMS}.`,
  input: z.strictObject({
    path: z.optional(z.string()).check(z.describe('File or folder. Default: the whole workspace.')),
  }),
  async prepare({ path = '.' }, { workspace }) {
    const inside = await insideWorkspace(workspace.folders, path);
    if (!inside.ok) return inside;
    const { problems } = workspace;
    if (problems === undefined) return refused('Problems are not available: there is no editor.');
    const where = inside.path === '.' ? 'the workspace' : inside.path;
    return {
      ok: true,
      call: {
        action: `The check for problems in ${where}`,
        async run(signal) {
          await problems.settled(signal);
          const found = problems.in(inside.path);
          if (found.length === 0) return succeeded(`No errors or warnings in ${where}.`);
          const count = found.length === 1 ? '1 problem' : `${found.length} problems`;
          return succeeded(`${count} in ${where}:\n${problemLines(found, MOST_PROBLEMS)}`);
        },
      },
    };
  },
});

/**
 * Checks a file that is about to be edited. The returned function lists the new errors and warnings
 * as text for the tool's result; '' for none.
 */
export async function problemsAfter(
  { problems }: Workspace,
  path: string,
): Promise<(signal: AbortSignal) => Promise<string>> {
  const watched = await problems?.watch(path);
  return async (signal) => {
    const found = await watched?.(signal);
    if (found === undefined || found.problems.length === 0) return '';
    const heading = found.areNew
      ? 'New problems in the file, as reported by language servers:'
      : 'Problems in the file, as reported by language servers; some may be older than this edit:';
    return `\n\n${heading}\n${problemLines(found.problems)}`;
  };
}
