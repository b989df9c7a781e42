import type { NewBackground } from '../agent/backgroundCommands';
import { stopperOf } from '../agent/stopping';
import type { ToolContext } from '../agent/tool';
import { endText } from '../contextWindow/backgroundCommand';
import { shortOutput, type RanCommand } from './commandOutput';

/** Says what can be done with a command that runs in the background. */
export const GOES_ON = (handle: string): string =>
  `it goes on as ${handle}: read_output gives what it writes next, stop_command ends it`;

/** Starts a command in the background, and waits a short moment for its first output. */
export async function startInBackground(
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
