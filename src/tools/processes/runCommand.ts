import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import type { NewBackground } from '../../agent/backgroundCommands';
import { lastingText } from '../../agent/lastingFiles';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { stopperOf } from '../../agent/stopping';
import type { PreparedCall, RunCall, Tool, ToolContext } from '../../agent/tool';
import type { CommandOutcome } from '../../agent/workspace';
import { endText } from '../../contextWindow/commands';
import type { LastingChange } from '../../contextWindow/event';
import { refused, type Result } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { defineTool } from '../defineTool';
import { insideWorkspace } from '../files/insideWorkspace';
import { WALK_BOUNDS, type WalkBounds } from '../search/ignoreRules';
import { type RanCommand, shortOutput } from './commandTools';
import { lastingChanges, lastingSnapshot, type LastingSnapshot } from './lastingSnapshot';
import { mayBeBlocked } from './sandbox';

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 600;

/** Longest command quoted in a sentence, characters. */
const LONGEST_NAME = 200;

/** Shown when the workspace is too large to check completely around a command. */
const NOT_ALL =
  'This workspace has too many files to check all of them for new instructions and hooks around a command. ' +
  'Plimsoll checks the root folder, .git, and the folders nearest to the root.';

/**
 * Says what happens to processes that a command leaves running; promises no more than the system
 * does.
 */
export function leftRunning(platform: NodeJS.Platform): string {
  const ended = 'Processes that the command leaves running in the background are ended with it';
  switch (platform) {
    case 'linux':
      return `${ended}, daemons too, except those that immediately run as another user or clear their environment.`;
    case 'win32':
      return `${ended} when it is stopped or times out, and keep running when it ends normally.`;
    default:
      return `${ended}, except daemons that leave its process group immediately.`;
  }
}

/** What the model gives for a command. */
const INPUT = z.strictObject({
  command: z.string().check(
    z.refine((command) => command.trim() !== '', 'must not be empty'),
    z.describe('The command line.'),
  ),
  timeout_seconds: z
    .optional(z.int().check(z.minimum(1), z.maximum(MOST_SECONDS)))
    .check(z.describe(`Default ${DEFAULT_SECONDS}; not with background.`)),
  background: z.optional(z.boolean()).check(z.describe('Run it in the background. Default false.')),
});

/** The same in a workspace of several folders. */
const INPUT_IN_FOLDER = z.extend(INPUT, {
  folder: z
    .optional(z.string())
    .check(z.describe('Folder to run it in. Default: the first folder of the workspace.')),
});

export const runCommand = commandTool(INPUT, 'in the workspace root');

/** The tool in a workspace of several folders. */
export const runCommandInFolder = commandTool(INPUT_IN_FOLDER, 'in a folder of the workspace');

function commandTool(input: typeof INPUT | typeof INPUT_IN_FOLDER, where: string): Tool {
  return defineTool({
    name: 'run_command',
    description:
      `Runs a shell command ${where} (bash if installed, cmd.exe on Windows) and ` +
      'returns standard output and error interleaved, then a last line "exit code N". Standard input ' +
      `is closed, so nothing can be typed. ${leftRunning(process.platform)} Ends after timeout_seconds (default ${DEFAULT_SECONDS}, at most ${MOST_SECONDS}). ` +
      'With background, for servers and watchers, it returns soon with a handle such as cmd1, and the command ' +
      'runs until it ends, is stopped, or the session ends; read_output, send_input and stop_command take the handle. ' +
      'The user approves it first, and may move a long command to the background while it runs.',
    brief:
      `Runs a shell command ${where} and returns its output and exit code. With background, ` +
      'for servers, it returns a handle for read_output, send_input and stop_command.',
    input,
    async prepare({ command, timeout_seconds: seconds, background = false, ...more }, context) {
      const why = background ? whyNotInBackground(context, seconds) : undefined;
      if (why !== undefined) return refused(`run_command was not run: ${why}`);
      const { folders } = context.workspace;
      const place = await placeOf(folders, 'folder' in more ? more.folder : undefined);
      if (!place.ok) return refused(`run_command was not run: ${place.message}`);
      const { cwd, folder } = place;
      const beginning = visibleLine(command.slice(0, LONGEST_NAME));
      const name = command.length > LONGEST_NAME ? `${beginning}…` : beginning;
      const guards = await context.workspace.sandbox?.();
      const approval = {
        kind: 'command',
        command,
        cwd,
        ...(folder === undefined ? {} : { folder }),
        ...(background ? { background } : {}),
      } as const;
      const call: CommandCall = { command, context, cwd, seconds: seconds ?? DEFAULT_SECONDS };
      const run =
        (inSandbox: boolean): RunCall =>
        async (signal, onOutput) => {
          const around = await lookAround(folders);
          const ran = background
            ? await startInBackground(
                { command, context, cwd, inSandbox, lasting: around.changes },
                signal,
              )
            : await runInFront(call, { inSandbox, around }, signal, onOutput);
          const hasFailed = ran.isError;
          const { lasting, isAll } = await around.look(signal.aborted);
          const lines = [
            ran.text === '' ? '(no output)' : ran.text,
            ...(lasting.length === 0 ? [] : [`[${lastingText(lasting)} The user was told.]`]),
            ...(isAll ? [] : [`[${NOT_ALL}]`]),
            ...(inSandbox && hasFailed ? [`[It ran in a sandbox. Commands there: ${guards}]`] : []),
            ran.last,
          ];
          const isHeld = inSandbox && ran.hasExited && hasFailed && mayBeBlocked(ran.text);
          const held = `It failed in the sandbox (${ran.last}), and its output suggests that the sandbox blocked something. See its output in the row.`;
          return {
            text: lines.join('\n'),
            isError: hasFailed,
            ...(lasting.length === 0 ? {} : { lasting }),
            ...(isAll ? {} : { notice: NOT_ALL }),
            reportedEnds: ran.reportedEnds,
            ...(isHeld ? { outside: { ...approval, outside: held } } : {}),
          };
        };
      const prepared: PreparedCall = {
        approval: guards === undefined ? approval : { ...approval, sandbox: guards },
        action: `The command \`${name}\``,
        run: run(false),
        ...(guards === undefined ? {} : { runInSandbox: run(true) }),
      };
      return { ok: true, call: prepared };
    },
  });
}

interface CommandCall {
  readonly command: string;
  readonly context: ToolContext;
  readonly cwd: string;
  readonly seconds: number;
}

/** The folder that a command runs in; absolute. */
async function placeOf(
  folders: WorkspaceFolders,
  named: string | undefined,
): Promise<Result<{ readonly cwd: string; readonly folder?: string }>> {
  const first = { ok: true, cwd: folders.first.root } as const;
  if (named === undefined) return first;
  const inside = await insideWorkspace(folders, named);
  if (!inside.ok) return inside;
  if (inside.kind !== 'folder') return refused(`${inside.path} is not a folder.`);
  return [folders.first.name, '.'].includes(inside.path)
    ? first
    : { ok: true, cwd: inside.realPath, folder: inside.path };
}

type Around = Awaited<ReturnType<typeof lookAround>>;

function whyNotInBackground(
  { background, workspace }: ToolContext,
  seconds: number | undefined,
): string | undefined {
  if (background === undefined || workspace.startCommand === undefined) {
    return 'no command can run in the background here.';
  }
  if (seconds !== undefined) {
    return 'timeout_seconds cannot be combined with background. Such a command runs until it ends or is stopped.';
  }
  return background.whyNoMore;
}

/** Records the lasting files of all folders; the returned function reports what changed since. */
async function lookAround(folders: WorkspaceFolders) {
  const { all } = folders;
  const lookAt = (bounds: WalkBounds, before: readonly LastingSnapshot[] = []) =>
    Promise.all(
      all.map(({ root }, index) => lastingSnapshot(root, before[index], bounds, folders)),
    );
  let seen = await lookAt(WALK_BOUNDS);
  const look = async (isHurried: boolean) => {
    // A user who stops a command does not want to wait for a long check.
    const bounds: WalkBounds = isHurried ? { ...WALK_BOUNDS, ms: 200 } : WALK_BOUNDS;
    const before = seen;
    seen = await lookAt(bounds, before);
    const changes = new Map<string, LastingChange>();
    for (const [index, after] of seen.entries()) {
      const [folder, own] = [all[index], before[index]];
      if (folder === undefined || own === undefined) continue;
      for (const { path, how } of lastingChanges(own, after)) {
        const name = folders.pathOf(join(folder.root, path)) ?? path;
        changes.set(name, { path: name, how });
      }
    }
    const isAll = [...before, ...seen].every((one) => one.isAll);
    return { lasting: [...changes.values()], isAll };
  };
  return { look, changes: async (isHurried: boolean) => (await look(isHurried)).lasting };
}

/** Runs a command until it ends or the user moves it to the background. */
async function runInFront(
  { command, context, cwd, seconds }: CommandCall,
  { inSandbox, around }: { readonly inSandbox: boolean; readonly around: Around },
  signal: AbortSignal,
  onOutput: (text: string) => void,
): Promise<RanCommand> {
  const { workspace, background } = context;
  const movable = background?.movable();
  const moving = movable === undefined ? {} : { moveOn: movable.signal };
  const options = { timeoutMs: seconds * 1_000, signal, onOutput, inSandbox, cwd, ...moving };
  const outcome = await workspace.runCommand(command, options).finally(() => movable?.done());
  const text = stripVTControlCharacters(outcome.output).trimEnd();
  const { running, durationMs } = outcome;
  if (running !== undefined && background !== undefined) {
    const moved = { soFar: outcome.output };
    const handle = background.add({ command, started: running, moved, lasting: around.changes });
    const last = `moved to the background by the user after ${secondsText(durationMs)}; ${GOES_ON(handle)}`;
    return { text, last, isError: false, hasExited: false };
  }
  const last = lastLine(outcome, seconds, signal);
  const hasExited = outcome.ended === 'exited';
  return { text, last, isError: outcome.exitCode !== 0, hasExited };
}

function lastLine(
  { ended, exitCode, durationMs }: CommandOutcome,
  seconds: number,
  signal: AbortSignal,
): string {
  switch (ended) {
    case 'exited':
      return `exit code ${exitCode ?? 'unknown'}`;
    case 'timedOut':
      return `timed out after ${seconds} s; the command and everything it started were ended`;
    case 'stopped':
      return `${stopperOf(signal).toLowerCase()} after ${secondsText(durationMs)}; the command and everything it started were ended`;
    case 'moved':
    case 'failedToStart':
      return 'the command could not start';
  }
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** What the model can do with a background command. */
const GOES_ON = (handle: string): string =>
  `it runs as ${handle}: read_output returns its next output, stop_command ends it`;

/** Starts a command in the background and waits briefly for its first output. */
async function startInBackground(
  {
    command,
    context: { workspace, background },
    cwd,
    inSandbox,
    lasting,
  }: {
    readonly command: string;
    readonly context: ToolContext;
    readonly cwd: string;
    readonly inSandbox: boolean;
    readonly lasting: NonNullable<NewBackground['lasting']>;
  },
  signal: AbortSignal,
): Promise<RanCommand> {
  const failed = (text: string, last = 'the command could not start'): RanCommand => {
    return { text, last, isError: true, hasExited: false };
  };
  const stopped = (): RanCommand =>
    failed('', `${stopperOf(signal).toLowerCase()} before it began`);
  if (background === undefined) return failed('No command can run in the background here.');
  if (signal.aborted) return stopped();
  const start = await workspace.startCommand?.(command, { inSandbox, cwd });
  if (start?.ok !== true) return failed(start?.message ?? 'No command can start here.');
  // An abort during the spawn fires no event later, so check here.
  if (signal.aborted) {
    await start.started.stop();
    return stopped();
  }
  const handle = background.add({ command, started: start.started, lasting });
  await background.firstLook(handle, signal);
  const output = background.read(handle);
  if (!output.ok) return failed(output.message);
  const { end } = output;
  const text = shortOutput(output).trimEnd();
  if (end === undefined) {
    const last = `started in the background; ${GOES_ON(handle)}`;
    return { text, last, isError: false, hasExited: false };
  }
  const hasExited = end.because === 'exited';
  return {
    text,
    last: endText(end),
    isError: end.exitCode !== 0,
    hasExited,
    reportedEnds: [handle],
  };
}
