import * as z from 'zod/mini';
import { failed, succeeded, defineTool } from './defineTool';
import { editText } from './editText';
import { freelyEditablePath } from './insideWorkspace';
import { lastingChange, LASTING_WORDS } from '../agent/lastingFiles';
import { refused } from '../contextWindow/result';
import type { ToolOutput } from '../agent/tool';
import { revisedText } from './revisedText';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces old_text by new_text in a text file of the workspace. old_text must match the file ' +
    'exactly, whitespace included, without the line numbers of read_file, and occur exactly once ' +
    'unless replace_all is true. Line breaks of the file are kept. The user is asked first. ' +
    'Nothing in .git, .vscode or .plimsoll can be edited.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path relative to the workspace root.')),
    old_text: z.string().check(z.describe('Text to replace, with enough around it to be unique.')),
    new_text: z.string().check(z.describe('Text to put in its place; empty to remove it.')),
    replace_all: z
      .optional(z.boolean())
      .check(z.describe('Replace every occurrence. Default false.')),
  }),
  async prepare({ path: given, old_text, new_text, replace_all = false }, { workspace }) {
    const inside = await freelyEditablePath(workspace.root, given);
    if (!inside.ok) return inside;
    const { path, kind } = inside;
    if (kind === 'missing') return refused(`${path} does not exist; create_file makes new files.`);
    if (kind !== 'file') return refused(`${path} is not a file.`);
    const read = await workspace.readFile(path);
    if (!read.ok) return read;
    const before = read.text;
    const edit = editText(before, {
      oldText: old_text,
      newText: new_text,
      replaceAll: replace_all,
    });
    if (!edit.ok) return refused(`${path} was not edited: ${edit.message}`);
    const { after, lines } = edit;
    const what = lastingChange({ paths: [path, inside.target], before, after });
    const lasting = what === undefined ? {} : { lasting: LASTING_WORDS[what] };
    const unsaved = read.unsaved === true ? { unsaved: read.unsaved } : {};
    const write = async (text: string, done: string): Promise<ToolOutput> => {
      const now = await workspace.readFile(path);
      if (!now.ok) return failed(now.message);
      if (now.text !== before) {
        return failed(
          `${path} was not edited: it has changed since this edit was worked out. Read it again.`,
        );
      }
      const written = await workspace.writeFile(path, text, 'replace');
      return written.ok ? succeeded(done) : failed(written.message);
    };
    return {
      ok: true,
      call: {
        approval: { kind: 'edit', path, before, after, ...unsaved, ...lasting },
        action: `The edit of ${path}`,
        run: () => write(after, doneText(path, lines)),
        runRevised: (text) =>
          write(text, `Edited ${path}. ${revisedText({ path, proposed: after, written: text })}`),
      },
    };
  },
});

function doneText(path: string, lines: readonly number[]): string {
  const [only, ...others] = lines;
  return others.length === 0
    ? `Edited ${path}: 1 replacement, on line ${only}.`
    : `Edited ${path}: ${lines.length} replacements, the first on line ${only}.`;
}
