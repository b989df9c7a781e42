import * as z from 'zod/mini';
import type { ToolContext, ToolOutput } from '../../agent/tool';
import { failed, succeeded, defineTool } from '../defineTool';
import { insideWorkspace } from './insideWorkspace';
import { isNamedLikeMedia, readMedia } from './media';
import { linesOf, numbered } from './textLines';
import { refused } from '../../contextWindow/result';

/** Most lines that one call returns. */
const MOST_LINES = 2_000;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace. Returns a header with the range and the number of lines, ' +
    'then every line as "number<TAB>text"; number and tab are not part of the file. ' +
    `At most ${MOST_LINES} lines a call: use start_line and end_line for a part of a longer file. ` +
    'A PNG, JPEG, GIF or WebP image or a PDF is shown to you directly.',
  brief:
    'Reads lines of a text file, each as "number<TAB>text", or shows an image or PDF. A long file ' +
    'comes in ranges: the header says where to continue.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path relative to the workspace root.')),
    start_line: z
      .optional(z.int().check(z.minimum(1)))
      .check(z.describe('First line, counted from 1. Default 1.')),
    end_line: z
      .optional(z.int().check(z.minimum(1)))
      .check(z.describe('Last line, included. Default: the last one.')),
  }),
  async prepare(
    { path: given, start_line: start = 1, end_line: end = Infinity },
    { workspace, range },
  ) {
    const inside = await insideWorkspace(workspace.folders, given);
    if (!inside.ok) return inside;
    const { path, kind } = inside;
    if (kind === 'missing')
      return refused(`${path} does not exist; list_files shows which files do.`);
    if (kind === 'folder') return refused(`${path} is a folder; use list_files.`);
    if (kind === 'other') return refused(`${path} is not a regular file.`);
    if (end < start) return refused(`end_line ${end} is before start_line ${start}.`);
    return {
      ok: true,
      call: {
        action: `The reading of ${path}`,
        async run() {
          const shown = isNamedLikeMedia(path) ? await look(inside.realPath, path) : undefined;
          if (shown !== undefined) return shown;
          const read = await workspace.readFile(path);
          return read.ok ? partOf(path, read.text, { start, end, range }) : failed(read.message);
        },
      },
    };
  },
});

/** Shows an image or PDF; undefined for any other file. */
async function look(realPath: string, path: string): Promise<ToolOutput | undefined> {
  const read = await readMedia(realPath, path).catch(() => undefined);
  if (read?.ok !== true) return read === undefined ? undefined : failed(read.message);
  const kilobytes = Math.max(1, Math.round(read.bytes / 1_000));
  const text = `${path} (${read.media.mediaType}, ${kilobytes} kB)`;
  return { ...succeeded(text), attachments: [read.media] };
}

interface Wanted {
  readonly start: number;
  readonly end: number;
  readonly range: ToolContext['range'];
}

function partOf(path: string, text: string, { start, end, range }: Wanted) {
  const lines = linesOf(text.replace(/^\uFEFF/, ''));
  const total = lines.length;
  if (total === 0) return succeeded(`${path} is empty (0 lines).`);
  if (start > total) {
    return failed(`${path} has ${count(total)}; start_line ${start} is past its end.`);
  }
  const most = Math.min(end, total, start + MOST_LINES - 1);
  const last = start - 1 + linesIn(numbered(lines.slice(start - 1, most), start), range);
  const more =
    last < Math.min(end, total) ? `; for more, call again with start_line ${last + 1}` : '';
  const head = `${path}, lines ${start}-${last} of ${total}${more}`;
  return succeeded(`${head}\n${numbered(lines.slice(start - 1, last), start)}`);
}

/** How many of these lines fit the range; at least one. A line weighs by its characters. */
function linesIn(text: string, range: ToolContext['range']): number {
  const lines = text.split('\n');
  const tokens = range?.estimate(text) ?? 0;
  if (range === undefined || tokens <= range.tokens) return lines.length;
  let left = (text.length * range.tokens) / tokens;
  const fitting = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return Math.max(1, fitting);
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}
