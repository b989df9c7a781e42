import * as z from 'zod/mini';
import { failed, succeeded, defineTool } from '../defineTool';
import { freelyEditablePath } from './insideWorkspace';
import { lastingChange, LASTING_WORDS } from '../../agent/lastingFiles';
import { whyNotWritten } from '../../agent/secrets/knownSecrets';
import { linesOf } from './textLines';
import { problemsAfter } from '../diagnostics';
import { refused } from '../../contextWindow/result';
import type { ToolOutput } from '../../agent/tool';
import { revisedText } from './editText';

export const createFile = defineTool({
  name: 'create_file',
  description:
    'Creates a text file in the workspace, with its folders. It does not overwrite: change an existing ' +
    'file with edit_file. The user approves it first. Files in .git, .vscode and .plimsoll cannot be created.',
  brief: 'Creates a text file with its folders; edit_file changes an existing one.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path relative to the workspace root.')),
    content: z.string().check(z.describe('The whole text of the file.')),
  }),
  async prepare({ path: given, content }, { workspace }) {
    const inside = await freelyEditablePath(workspace.folders, given);
    if (!inside.ok) return inside;
    const { path, kind, byGit } = inside;
    if (kind === 'folder') return refused(`${path} is a folder; give the path of a file.`);
    if (kind !== 'missing') {
      return refused(`${path} already exists and was not overwritten; change it with edit_file.`);
    }
    const why = whyNotWritten(content);
    if (why !== undefined) return refused(`${path} was not created: ${why}`);
    const what = lastingChange({
      paths: inside.names,
      before: undefined,
      after: content,
      byGit,
    });
    const lasting = what === undefined ? {} : { lasting: LASTING_WORDS[what] };
    const write = async (text: string, signal: AbortSignal, more = ''): Promise<ToolOutput> => {
      const newProblems = await problemsAfter(workspace, path);
      const written = await workspace.writeFile(path, text, 'create');
      if (!written.ok) return failed(written.message);
      const lines = linesOf(text).length;
      const done = `Created ${path} (${lines === 1 ? '1 line' : `${lines} lines`}).${more}`;
      return succeeded(`${done}${await newProblems(signal)}`);
    };
    return {
      ok: true,
      call: {
        approval: { kind: 'edit', path, before: undefined, after: content, ...lasting },
        action: `The creation of ${path}`,
        run: (signal) => write(content, signal),
        runRevised: (text, signal) =>
          write(text, signal, ` ${revisedText({ path, proposed: content, written: text })}`),
      },
    };
  },
});
