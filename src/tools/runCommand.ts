import { stopperOf } from '../agent/stopping';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import type { CommandOutcome } from '../agent/workspace';
import { lastingText } from '../agent/lastingWords';
import { defineTool } from './defineTool';
import { lastingChanges, lastingSnapshot } from './lastingSnapshot';
import { WALK_BOUNDS } from './projectFolders';
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
    return {
      ok: true,
      call: {
        approval: { kind: 'command', command, cwd: workspace.root },
        action: `The command \`${name}\``,
        async run(signal, onOutput) {
          const options = { timeoutMs: seconds * 1_000, signal, onOutput };
          const before = await lastingSnapshot(workspace.root);
          const outcome = await workspace.runCommand(command, options);
          // Who stops a command does not wait for a long look.
          const bounds = signal.aborted ? { ...WALK_BOUNDS, ms: 200 } : WALK_BOUNDS;
          const after = await lastingSnapshot(workspace.root, before, bounds);
          const lasting = lastingChanges(before, after);
          const output = stripVTControlCharacters(outcome.output).trimEnd();
          const lines = [
            output === '' ? '(no output)' : output,
            ...(lasting.length === 0 ? [] : [`[${lastingText(lasting)} The user is told.]`]),
            ...(before.isAll && after.isAll ? [] : [NOT_ALL]),
            lastLine(outcome, seconds, signal),
          ];
          return {
            text: lines.join('\n'),
            isError: outcome.exitCode !== 0,
            ...(lasting.length === 0 ? {} : { lasting }),
          };
        },
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
