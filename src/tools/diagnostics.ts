import * as z from 'zod/mini';
import type { FileProblem, Workspace } from '../agent/workspace';
import { refused } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';
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
    const inside = await insideWorkspace(workspace.root, path);
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

/** Most problems listed after an edit, and most characters of each. */
const MOST_NEW = 20;
const LONGEST = 300;

/**
 * Watches a file that is about to be edited. The returned function lists the new errors and
 * warnings as text for the tool's result; '' for none.
 */
export function problemsAfter(
  { problems }: Workspace,
  path: string,
): (signal: AbortSignal) => Promise<string> {
  const watched = problems?.watch(path);
  return async (signal) => {
    const found = (await watched?.(signal)) ?? [];
    if (found.length === 0) return '';
    return `\n\nNew problems in the file, as reported by language servers:\n${problemLines(found, MOST_NEW)}`;
  };
}

/** Problems as lines, errors first, with the number of those over the limit. */
export function problemLines(problems: readonly FileProblem[], most: number): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const lines = [...errors, ...warnings].slice(0, most).map(lineOf);
  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`(${left} more)`] : [])].join('\n');
}

function lineOf({ path, line, severity, message, source }: FileProblem): string {
  const text = visibleLine(message.replace(/\s+/g, ' ').trim());
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  return `${path}:${line}: ${severity}: ${short}${source === undefined ? '' : ` (${source})`}`;
}
