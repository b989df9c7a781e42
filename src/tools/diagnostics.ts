import * as z from 'zod/mini';
import { succeeded, defineTool } from './defineTool';
import { insideWorkspace } from './insideWorkspace';
import { problemLines } from './newProblems';
import { refused } from '../contextWindow/result';

/** Most problems that one call tells. */
const MOST_PROBLEMS = 100;

export const diagnostics = defineTool({
  name: 'diagnostics',
  description:
    'Tells errors and warnings of the language servers in the editor, as path:line: severity: message. ' +
    `Of files that the editor has not looked at they may say nothing. At most ${MOST_PROBLEMS}.`,
  input: z.strictObject({
    path: z.optional(z.string()).check(z.describe('File or folder. Default: the whole workspace.')),
  }),
  async prepare({ path = '.' }, { workspace }) {
    const inside = await insideWorkspace(workspace.root, path);
    if (!inside.ok) return inside;
    const { problems } = workspace;
    if (problems === undefined) return refused('No editor is there to tell any problems.');
    const where = inside.path === '.' ? 'the workspace' : inside.path;
    return {
      ok: true,
      call: {
        action: `The look at the problems of ${where}`,
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
