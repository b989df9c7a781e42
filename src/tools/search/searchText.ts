import * as z from 'zod/mini';
import { failed, succeeded, defineTool } from '../defineTool';
import { WITHOUT_RIPGREP } from './fileSearch';
import { FILE_GLOB } from './glob';
import { visiblePath } from '../../contextWindow/visibleText';
import { insideWorkspace } from '../files/insideWorkspace';

/** Most matching lines that one call returns. */
const MOST_LINES = 200;

/** Longest pattern, characters. */
const LONGEST_PATTERN = 5_000;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Searches file contents with a ripgrep regular expression, line by line, case-sensitive ' +
    '(begin with (?i) to ignore case). Returns "path:line:text", sorted by path; long lines are cut. ' +
    'Skips .git, binary files and files that .gitignore excludes. ' +
    `At most ${MOST_LINES} lines a call; says when there are more.`,
  brief: 'Searches files for a ripgrep regular expression, line by line. Returns "path:line:text".',
  input: z.strictObject({
    pattern: z
      .string()
      .check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(LONGEST_PATTERN, `must have at most ${LONGEST_PATTERN} characters`),
        z.describe('Regular expression; escape ( ) [ ] { } . * + ? | \\ ^ $ to search for them.'),
      ),
    path: z.optional(z.string()).check(z.describe('File or folder. Default: the whole workspace.')),
    glob: FILE_GLOB,
  }),
  async prepare({ pattern, path = '.', glob }, { workspace }) {
    const inside = await insideWorkspace(workspace.folders, path);
    if (!inside.ok) return inside;
    const where = inside.path === '.' ? 'the workspace' : inside.path;
    return {
      ok: true,
      call: {
        action: `The search for ${pattern}`,
        async run(signal) {
          const found = await workspace.searchText(
            {
              pattern,
              path: inside.path,
              limit: MOST_LINES,
              glob,
            },
            signal,
          );
          if (!found.ok) return failed(found.message);
          const notes = found.lines[0] === WITHOUT_RIPGREP ? [WITHOUT_RIPGREP] : [];
          const lines = found.lines.slice(notes.length);
          const which = glob === undefined ? '' : ` in files that match ${glob}`;
          const count = `${lines.length} matching ${lines.length === 1 ? 'line' : 'lines'}`;
          const head =
            lines.length === 0
              ? `No matches in ${where}${which}.`
              : found.lateAt !== undefined
                ? `${count} in ${where}${which}. Time ran out at ${visiblePath(found.lateAt)}, so there may be more: use a simpler pattern, or search in one folder.`
                : found.more
                  ? `The first ${count} in ${where}${which}; there are more, so narrow pattern, path or glob:`
                  : `${count} in ${where}${which}:`;
          return succeeded([...notes, head, ...lines].join('\n'));
        },
      },
    };
  },
});
