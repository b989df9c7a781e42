import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import type { NewBackground } from '../../agent/backgroundCommands';
import { lastingText } from '../../agent/lastingFiles';
import { stopperOf } from '../../agent/stopping';
import type { PreparedCall, RunCall, ToolContext } from '../../agent/tool';
import type { CommandOutcome } from '../../agent/workspace';
import { endText } from '../../contextWindow/commands';
import { refused } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { defineTool } from '../defineTool';
import { WALK_BOUNDS, type WalkBounds } from '../search/ignoreRules';
import { type RanCommand, shortOutput } from './commandTools';
import { lastingChanges, lastingSnapshot, type LastingSnapshot } from './lastingSnapshot';
import { mayBeBlocked } from './sandbox';

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 600;

/** Longest command in a sentence about it, characters. */
const LONGEST_NAME = 200;

/** Told where the workspace is too large to look at all of it around a command. */
const NOT_ALL =
  '[Not every folder was looked at for changes of instructions and hooks: there are too many files.]';

/** Says what becomes of what a command leaves running, no better than it is on the system. */
export function leftRunning(platform: NodeJS.Platform): string {
  const ended = 'What the command leaves running in the background is ended with it';
  switch (platform) {
    case 'linux':
      return `${ended}, daemons too, except those that run as another user or clear their environment at once.`;
    case 'win32':
      return `${ended} when it is stopped or times out, and goes on when it ends by itself.`;
    default:
      return `${ended}, except daemons that leave its process group at once.`;
  }
}

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a shell command in the workspace root (bash where there is one, cmd.exe on Windows) and ' +
    'answers standard output and error as they came, then a last line "exit code N". Standard input ' +
    `is closed, so nothing can be typed. ${leftRunning(process.platform)} Ends after timeout_seconds (default ${DEFAULT_SECONDS}, at most ${MOST_SECONDS}). ` +
    'With background, for servers and watchers, it answers soon with a handle such as cmd1, and the command ' +
    'goes on until it ends, is stopped, or the session is over; read_output, send_input and stop_command take the handle. ' +
    'The user is asked first, and may move a long command to the background while it runs.',
  input: z.strictObject({
    command: z.string().check(
      z.refine((command) => command.trim() !== '', 'must not be empty'),
      z.describe('The command line.'),
    ),
    timeout_seconds: z
      .optional(z.int().check(z.minimum(1), z.maximum(MOST_SECONDS)))
      .check(z.describe(`Default ${DEFAULT_SECONDS}; not with background.`)),
    background: z.optional(z.boolean()).check(z.describe('Start it, and go on. Default false.')),
  }),
  async prepare({ command, timeout_seconds: seconds, background = false }, context) {
    const why = background ? whyNotInBackground(context, seconds) : undefined;
    if (why !== undefined) return refused(`run_command was not run: ${why}`);
    const beginning = visibleLine(command.slice(0, LONGEST_NAME));
    const name = command.length > LONGEST_NAME ? `${beginning}…` : beginning;
    const guards = await context.workspace.sandbox?.();
    const approval = {
      kind: 'command',
      command,
      cwd: context.workspace.root,
      ...(background ? { background } : {}),
    } as const;
    const call: CommandCall = { command, context, seconds: seconds ?? DEFAULT_SECONDS };
    const run =
      (inSandbox: boolean): RunCall =>
      async (signal, onOutput) => {
        const around = await lookAround(context.workspace.root);
        const ran = background
          ? await startInBackground(
              { command, context, inSandbox, lasting: around.changes },
              signal,
            )
          : await runInFront(call, { inSandbox, around }, signal, onOutput);
        const hasFailed = ran.isError;
        const { lasting, isAll } = await around.look(signal.aborted);
        const lines = [
          ran.text === '' ? '(no output)' : ran.text,
          ...(lasting.length === 0 ? [] : [`[${lastingText(lasting)} The user is told.]`]),
          ...(isAll ? [] : [NOT_ALL]),
          ...(inSandbox && hasFailed
            ? [`[It ran in a sandbox. Of commands there: ${guards}]`]
            : []),
          ran.last,
        ];
        const isHeld = inSandbox && ran.hasExited && hasFailed && mayBeBlocked(ran.text);
        const held = `It failed in the sandbox (${ran.last}), and what it said looks as if the sandbox kept it from something. Its output there is in the row.`;
        return {
          text: lines.join('\n'),
          isError: hasFailed,
          ...(lasting.length === 0 ? {} : { lasting }),
          ...(ran.toldEnds === undefined ? {} : { toldEnds: ran.toldEnds }),
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

interface CommandCall {
  readonly command: string;
  readonly context: ToolContext;
  readonly seconds: number;
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
    return 'timeout_seconds does not go with background. Such a command runs until it ends or is stopped.';
  }
  return background.whyNoMore;
}

/** Looks at the files that outlast the session, and again later: what has changed since the last look. */
async function lookAround(root: string) {
  let seen: LastingSnapshot = await lastingSnapshot(root);
  const look = async (isHurried: boolean) => {
    // Who stops a command does not wait for a long look.
    const bounds: WalkBounds = isHurried ? { ...WALK_BOUNDS, ms: 200 } : WALK_BOUNDS;
    const before = seen;
    seen = await lastingSnapshot(root, before, bounds);
    return { lasting: lastingChanges(before, seen), isAll: before.isAll && seen.isAll };
  };
  return { look, changes: async (isHurried: boolean) => (await look(isHurried)).lasting };
}

/** Runs a command until it ends, or the user moves it to the background. */
async function runInFront(
  { command, context, seconds }: CommandCall,
  { inSandbox, around }: { readonly inSandbox: boolean; readonly around: Around },
  signal: AbortSignal,
  onOutput: (text: string) => void,
): Promise<RanCommand> {
  const { workspace, background } = context;
  const movable = background?.movable();
  const moving = movable === undefined ? {} : { moveOn: movable.signal };
  const options = { timeoutMs: seconds * 1_000, signal, onOutput, inSandbox, ...moving };
  const outcome = await workspace.runCommand(command, options).finally(() => movable?.done());
  const text = stripVTControlCharacters(outcome.output).trimEnd();
  const { goesOn, durationMs } = outcome;
  if (goesOn !== undefined && background !== undefined) {
    const moved = { soFar: outcome.output };
    const handle = background.add({ command, started: goesOn, moved, lasting: around.changes });
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
      return `timed out after ${seconds} s; the command and what it started were ended`;
    case 'stopped':
      return `${stopperOf(signal).toLowerCase()} after ${secondsText(durationMs)}; the command and what it started were ended`;
    case 'moved':
    case 'failedToStart':
      return 'the command could not be started';
  }
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Says what can be done with a command that runs in the background. */
const GOES_ON = (handle: string): string =>
  `it goes on as ${handle}: read_output gives what it writes next, stop_command ends it`;

/** Starts a command in the background, and waits a short moment for its first output. */
async function startInBackground(
  {
    command,
    context: { workspace, background },
    inSandbox,
    lasting,
  }: {
    readonly command: string;
    readonly context: ToolContext;
    readonly inSandbox: boolean;
    readonly lasting: NonNullable<NewBackground['lasting']>;
  },
  signal: AbortSignal,
): Promise<RanCommand> {
  const failed = (text: string, last = 'the command could not be started'): RanCommand => {
    return { text, last, isError: true, hasExited: false };
  };
  const stopped = (): RanCommand =>
    failed('', `${stopperOf(signal).toLowerCase()} before it began`);
  if (background === undefined) return failed('No command can run in the background here.');
  if (signal.aborted) return stopped();
  const start = await workspace.startCommand?.(command, { inSandbox });
  if (start?.ok !== true) return failed(start?.message ?? 'No command can be started here.');
  // Whoever stopped it while the system was starting it is not heard later.
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
    toldEnds: [handle],
  };
}
