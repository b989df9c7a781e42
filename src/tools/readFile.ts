import { z } from 'zod';
import { failed, refused, succeeded } from './answers';
import { defineTool } from './defineTool';
import { insideWorkspace } from './insideWorkspace';
import { linesOf, numbered } from './textLines';

/** Most lines one call returns. */
const MOST_LINES = 2_000;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace. Answers a header with the range and the number of lines, ' +
    'then every line as "number<TAB>text"; number and tab are not part of the file. ' +
    `At most ${MOST_LINES} lines a call: give start_line and end_line for a part of a longer file.`,
  input: z.strictObject({
    path: z.string().describe('Path relative to the workspace root.'),
    start_line: z.int().min(1).optional().describe('First line, counted from 1. Default 1.'),
    end_line: z.int().min(1).optional().describe('Last line, included. Default: the last one.'),
  }),
  async prepare({ path: given, start_line: start = 1, end_line: end = Infinity }, { workspace }) {
    const inside = await insideWorkspace(workspace.root, given);
    if (!inside.ok) return inside;
    const { path, kind } = inside;
    if (kind === 'missing') return refused(`${path} does not exist; list_files shows what does.`);
    if (kind === 'folder') return refused(`${path} is a folder; use list_files.`);
    if (kind === 'other') return refused(`${path} is not a regular file.`);
    if (end < start) return refused(`end_line ${end} is before start_line ${start}.`);
    return {
      ok: true,
      call: {
        deed: `The reading of ${path}`,
        async run() {
          const read = await workspace.readFile(path);
          return read.ok ? partOf(path, read.text, start, end) : failed(read.message);
        },
      },
    };
  },
});

function partOf(path: string, text: string, start: number, end: number) {
  const lines = linesOf(text.replace(/^\uFEFF/, ''));
  const total = lines.length;
  if (total === 0) return succeeded(`${path} is empty (0 lines).`);
  if (start > total) {
    return failed(`${path} has ${count(total)}; start_line ${start} is past its end.`);
  }
  const last = Math.min(end, total, start + MOST_LINES - 1);
  const more =
    last < Math.min(end, total) ? `; for more, call again with start_line ${last + 1}` : '';
  const head = `${path}, lines ${start}-${last} of ${total}${more}`;
  return succeeded(`${head}\n${numbered(lines.slice(start - 1, last), start)}`);
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}
