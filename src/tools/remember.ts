import * as z from 'zod/mini';
import {
  LARGEST_MEMORY_FILE,
  MEMORY_PATH,
  memoryLine,
  memoryPathIn,
} from '../agent/memory/projectMemory';
import { whyNotWritten } from '../agent/secrets/knownSecrets';
import type { Tool, ToolContext } from '../agent/tool';
import { failed, succeeded, defineTool } from './defineTool';
import { editablePath } from './files/insideWorkspace';
import { LASTING_WORDS } from '../agent/lastingFiles';
import { linesOf, mainLineBreak } from './files/textLines';
import { refused, type Result } from '../contextWindow/result';
import { unseenIn } from '../contextWindow/visibleText';

/** Longest line, characters. */
const LONGEST_LINE = 500;

/** What the profile does, as a sentence for the user. */
const IN_ALL_PROJECTS = 'Every later session in all your projects reads this file as instructions.';

/** A file that lines are added to. */
interface RememberedIn {
  /** The name that the user and the model use. */
  readonly name: string;
  /** Absolute path of the profile; absent for project memory. */
  readonly profile?: string;
  /** Undefined when there is no file. */
  readonly before: string | undefined;
  readonly unsaved?: true;
  write(text: string): Promise<Result<unknown>>;
}

const INPUT = z.strictObject({
  text: z.string().check(z.maxLength(LONGEST_LINE), z.describe('One line, without a bullet.')),
  where: z
    .optional(z.enum(['project', 'profile']))
    .check(
      z.describe(
        'project, the default: for this project. profile: for all projects of the user; only if ' +
          'the user says that it is meant for all of them.',
      ),
    ),
});

/**
 * Makes the tool that adds a line to memory; without a profile, only to project memory, which is in
 * the first of several folders.
 */
export function rememberTool(hasProfile: boolean, hasFolders = false): Tool {
  const file = hasFolders ? `${MEMORY_PATH} in the first folder` : MEMORY_PATH;
  const profile = hasProfile ? ", or to the user's profile, which applies to all projects" : '';
  return defineTool({
    name: 'remember',
    description:
      `Appends one line to ${file}, which every later session reads${profile}. For facts that ` +
      'outlast the task: a convention, a command, a decision of the user. Never for secrets or ' +
      `for progress, which goes to update_scratchpad. At most ${LONGEST_LINE} characters. The user ` +
      'approves it first.',
    input: hasProfile
      ? INPUT
      : (z.strictObject({ text: INPUT.shape.text }) as unknown as typeof INPUT),
    async prepare({ text, where = 'project' }, context) {
      const line = memoryLine(text);
      if (line.trim() === '-') return refused('Nothing was remembered: text is empty.');
      // A control character could hide part of the line from the user who approves it.
      if (unseenIn(text.trim()) !== undefined) {
        return refused(
          'Nothing was remembered: text must be one line without control characters. Use one call for each line.',
        );
      }
      const why = whyNotWritten(text);
      if (why !== undefined) return refused(`Nothing was remembered: ${why}`);
      const found = await (where === 'profile' ? inProfile(context) : inProject(context));
      if (!found.ok) return refused(`Nothing was remembered: ${found.message}`);
      const { name, before, profile: file, write, unsaved } = found.file;
      const action = `The line in ${name}`;
      if (linesOf(before ?? '').includes(line)) {
        const known = `${name} already says so; nothing was written.`;
        return { ok: true, call: { action, run: async () => succeeded(known) } };
      }
      const after = appended(before ?? '', line);
      if (after.length > LARGEST_MEMORY_FILE) {
        return refused(
          `Nothing was remembered: with this line ${name} would have ${after.length} characters, ` +
            `and sessions read only the first ${LARGEST_MEMORY_FILE}. Ask the user to shorten it.`,
        );
      }
      const more = {
        lasting: file === undefined ? LASTING_WORDS.instructions : IN_ALL_PROJECTS,
        ...(file === undefined ? {} : { profile: file }),
        ...(unsaved === true ? { unsaved } : {}),
      };
      return {
        ok: true,
        call: {
          approval: { kind: 'edit', path: name, before, after, ...more },
          action,
          run: async () => {
            const written = await write(after);
            if (!written.ok) return failed(`Nothing was remembered: ${written.message}`);
            const done = succeeded(`Remembered in ${name}.`);
            return file === undefined
              ? { ...done, remembered: { path: name, before, after } }
              : done;
          },
        },
      };
    },
  });
}

async function inProfile({
  profile,
}: ToolContext): Promise<Result<{ readonly file: RememberedIn }>> {
  if (profile === undefined) return refused('the user has turned the profile off.');
  const { name, file } = profile;
  const read = await profile.read();
  if (!read.ok) return read;
  const before = read.text;
  const write = (text: string) => profile.write(text, before);
  return { ok: true, file: { name, profile: file, before, write } };
}

async function inProject({
  workspace,
}: ToolContext): Promise<Result<{ readonly file: RememberedIn }>> {
  const name = memoryPathIn(workspace.folders);
  const inside = await editablePath(workspace.folders, name);
  if (!inside.ok) return inside;
  if (inside.kind !== 'file' && inside.kind !== 'missing') return refused(`${name} is not a file.`);
  if (inside.kind === 'missing') {
    const write = (text: string) => workspace.writeFile(name, text, 'create');
    return { ok: true, file: { name, before: undefined, write } };
  }
  const read = await workspace.readFile(name);
  if (!read.ok) return read;
  const before = read.text;
  const write = async (text: string): Promise<Result<unknown>> => {
    const now = await workspace.readFile(name);
    if (!now.ok) return now;
    if (now.text !== before) return refused(`${name} has just changed. Call again.`);
    return workspace.writeFile(name, text, 'replace');
  };
  const unsaved = read.unsaved === true ? { unsaved: read.unsaved } : {};
  return { ok: true, file: { name, before, write, ...unsaved } };
}

function appended(before: string, line: string): string {
  const lineBreak = mainLineBreak(before);
  const own = before === '' || before.endsWith('\n') ? '' : lineBreak;
  return `${before}${own}${line}${lineBreak}`;
}
