import { stopperOf } from '../agent/stopping';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import type { RunCall } from '../agent/tool';
import type { CommandOutcome } from '../agent/workspace';
import { lastingText } from '../agent/lastingWords';
import { defineTool } from './defineTool';
import { lastingChanges, lastingSnapshot } from './lastingSnapshot';
import { WALK_BOUNDS } from './projectFolders';
import { mayBeHeld } from './sandbox';
import { visibleLine } from '../contextWindow/visibleText';

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
    'The user is asked first.',
  input: z.strictObject({
    command: z.string().check(
      z.refine((command) => command.trim() !== '', 'must not be empty'),
      z.describe('The command line.'),
    ),
    timeout_seconds: z
      .optional(z.int().check(z.minimum(1), z.maximum(MOST_SECONDS)))
      .check(z.describe(`Default ${DEFAULT_SECONDS}.`)),
  }),
  async prepare({ command, timeout_seconds: seconds = DEFAULT_SECONDS }, { workspace }) {
    const beginning = visibleLine(command.slice(0, LONGEST_NAME));
    const name = command.length > LONGEST_NAME ? `${beginning}…` : beginning;
    const guards = await workspace.sandbox?.();
    const approval = { kind: 'command', command, cwd: workspace.root } as const;
    const run =
      (inSandbox: boolean): RunCall =>
      async (signal, onOutput) => {
        const options = { timeoutMs: seconds * 1_000, signal, onOutput, inSandbox };
        const before = await lastingSnapshot(workspace.root);
        const outcome = await workspace.runCommand(command, options);
        // Who stops a command does not wait for a long look.
        const bounds = signal.aborted ? { ...WALK_BOUNDS, ms: 200 } : WALK_BOUNDS;
        const after = await lastingSnapshot(workspace.root, before, bounds);
        const lasting = lastingChanges(before, after);
        const output = stripVTControlCharacters(outcome.output).trimEnd();
        const last = lastLine(outcome, seconds, signal);
        const hasFailed = outcome.exitCode !== 0;
        const lines = [
          output === '' ? '(no output)' : output,
          ...(lasting.length === 0 ? [] : [`[${lastingText(lasting)} The user is told.]`]),
          ...(before.isAll && after.isAll ? [] : [NOT_ALL]),
          ...(inSandbox && hasFailed
            ? [`[It ran in a sandbox. Of commands there: ${guards}]`]
            : []),
          last,
        ];
        const isHeld = inSandbox && outcome.ended === 'exited' && hasFailed && mayBeHeld(output);
        const why = `It failed in the sandbox (${last}), and what it said looks as if the sandbox kept it from something. Its output there is in the row.`;
        return {
          text: lines.join('\n'),
          isError: hasFailed,
          ...(lasting.length === 0 ? {} : { lasting }),
          ...(isHeld ? { outside: { ...approval, outside: why } } : {}),
        };
      };
    return {
      ok: true,
      call: {
        approval: guards === undefined ? approval : { ...approval, sandbox: guards },
        action: `The command \`${name}\``,
        run: run(false),
        ...(guards === undefined ? {} : { runInSandbox: run(true) }),
      },
    };
  },
});

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
      return `${stopperOf(signal).toLowerCase()} after ${(durationMs / 1_000).toFixed(1)} s; the command and what it started were ended`;
    case 'failedToStart':
      return 'the command could not be started';
  }
}
