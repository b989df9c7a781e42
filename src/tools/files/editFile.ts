import * as z from 'zod/mini';
import { failed, succeeded, defineTool } from '../defineTool';
import { editTexts, type Replacement, revisedText } from './editText';
import { freelyEditablePath } from './insideWorkspace';
import { lastingChange, LASTING_WORDS } from '../../agent/lastingFiles';
import { whyNotWritten } from '../../agent/secrets/knownSecrets';
import type { ToolOutput } from '../../agent/tool';
import { refused, type Result } from '../../contextWindow/result';
import { problemsAfter } from '../diagnostics';

/** Most replacements in one call. */
const MOST_EDITS = 50;

const REPLACEMENT = z.strictObject({
  old_text: z.string().check(z.describe('Text to replace, with enough context to be unique.')),
  new_text: z.string().check(z.describe('The replacement; empty to delete the text.')),
  replace_all: z.optional(z.boolean()).check(z.describe('Replace every occurrence.')),
});

type GivenReplacement = z.output<typeof REPLACEMENT>;

type MaybeReplacement = {
  readonly [K in keyof GivenReplacement]?: GivenReplacement[K] | undefined;
};

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces old_text with new_text in a text file of the workspace. old_text must match the file ' +
    'exactly, whitespace included, without the line numbers of read_file, and occur exactly once ' +
    'unless replace_all is true. The file keeps its line breaks. The user approves the edit first. ' +
    'Files in .git, .vscode and .plimsoll cannot be edited. For several replacements in one file, use edits.',
  brief:
    'Replaces old_text with new_text in a file. old_text must match exactly, without line numbers, ' +
    'and occur once unless replace_all is true. For several replacements in one file, use edits.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path relative to the workspace root.')),
    ...z.partial(REPLACEMENT).shape,
    edits: z
      .optional(z.array(REPLACEMENT).check(z.minLength(1), z.maxLength(MOST_EDITS)))
      .check(
        z.describe('Instead of old_text and new_text: replacements made in order, all or none.'),
      ),
  }),
  async prepare({ path: given, edits, ...single }, { workspace }) {
    const replacements = replacementsOf(single, edits);
    if (!replacements.ok) return replacements;
    const inside = await freelyEditablePath(workspace.folders, given);
    if (!inside.ok) return inside;
    const { path, kind, byGit } = inside;
    if (kind === 'missing')
      return refused(`${path} does not exist; use create_file for new files.`);
    if (kind !== 'file') return refused(`${path} is not a file.`);
    const read = await workspace.readFile(path);
    if (!read.ok) return read;
    const before = read.text;
    const whyMarked = replacements.list
      .flatMap(({ oldText, newText }) => [oldText, newText])
      .map((text) => whyNotWritten(text, before))
      .find((why) => why !== undefined);
    if (whyMarked !== undefined) return refused(`${path} was not edited: ${whyMarked}`);
    const edit = editTexts(before, replacements.list);
    if (!edit.ok) return refused(`${path} was not edited: ${edit.message}`);
    const { after, lines } = edit;
    const what = lastingChange({ paths: inside.names, before, after, byGit });
    const lasting = what === undefined ? {} : { lasting: LASTING_WORDS[what] };
    const unsaved = read.unsaved === true ? { unsaved: read.unsaved } : {};
    const write = async (text: string, done: string, signal: AbortSignal): Promise<ToolOutput> => {
      const now = await workspace.readFile(path);
      if (!now.ok) return failed(now.message);
      if (now.text !== before) {
        return failed(
          `${path} was not edited: it has changed since this edit was prepared. Read it again.`,
        );
      }
      const newProblems = await problemsAfter(workspace, path);
      const written = await workspace.writeFile(path, text, 'replace');
      if (!written.ok) return failed(written.message);
      return succeeded(`${done}${await newProblems(signal)}`);
    };
    return {
      ok: true,
      call: {
        approval: { kind: 'edit', path, before, after, ...unsaved, ...lasting },
        action: `The edit of ${path}`,
        run: (signal) => write(after, doneText(path, lines), signal),
        runRevised: (text, signal) => {
          const difference = revisedText({ path, proposed: after, written: text });
          return write(text, `Edited ${path}. ${difference}`, signal);
        },
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

function replacementsOf(
  { old_text, new_text, replace_all }: MaybeReplacement,
  edits: readonly GivenReplacement[] | undefined,
): Result<{ readonly list: readonly Replacement[] }> {
  const isSingle = old_text !== undefined || new_text !== undefined || replace_all !== undefined;
  if (edits !== undefined) {
    if (isSingle) return refused('edit_file was not run: give edits, or old_text and new_text.');
    return { ok: true, list: edits.map(replacementOf) };
  }
  if (old_text === undefined || new_text === undefined) {
    const missing = old_text === undefined ? 'old_text' : 'new_text';
    return refused(`edit_file was not run: "${missing}" is missing (string).`);
  }
  return { ok: true, list: [replacementOf({ old_text, new_text, replace_all })] };
}

function replacementOf({ old_text, new_text, replace_all }: GivenReplacement): Replacement {
  return { oldText: old_text, newText: new_text, replaceAll: replace_all === true };
}
