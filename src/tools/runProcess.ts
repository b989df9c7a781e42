import { constants } from 'node:os';
import type { CommandExit, CommandOutcome, StartedCommand } from '../agent/workspace';
import { BoundedOutput } from './boundedOutput';
import { startProcess, type StartOptions } from './startedProcess';

/** Most characters of output that are kept, and most that are passed on live. */
export const OUTPUT_CHARS = 200_000;

export interface ProcessOptions extends Omit<StartOptions, 'input'> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  /** Once this aborts, the command is waited for no longer, and goes on. */
  readonly moveOn?: AbortSignal | undefined;
}

/**
 * Runs a shell command; resolves when it and all that is found of what it started has ended, or it was
 * moved to the background.
 */
export async function runProcess(
  command: string,
  options: ProcessOptions,
): Promise<CommandOutcome> {
  const began = performance.now();
  const output = new BoundedOutput(OUTPUT_CHARS);
  const outcome = (
    ended: CommandOutcome['ended'],
    exitCode: number | null,
    goesOn?: StartedCommand,
  ): CommandOutcome => ({
    ended,
    exitCode,
    output: output.text(),
    durationMs: performance.now() - began,
    ...(goesOn === undefined ? {} : { goesOn }),
  });
  if (options.signal.aborted) return outcome('stopped', null);
  const start = await startProcess(command, { ...options, input: 'closed' });
  if (!start.ok) {
    output.add(start.message);
    return outcome('failedToStart', null);
  }
  const { started } = start;
  started.listen(taking(output, options.onOutput));
  const cut = cutShort(options);
  const first = await Promise.race([started.exited, cut.happened]);
  cut.cancel();
  if (first === 'moved') return outcome(first, null, started);
  if (typeof first === 'string') {
    await started.stop();
    return outcome(first, null);
  }
  await started.ended;
  return outcome('exited', exitNumber(first));
}

/** The exit code as a shell tells it: 128 and its number for a signal. */
function exitNumber({ exitCode, signal }: CommandExit): number {
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return exitCode ?? 128 + (signal === undefined ? 0 : (numbers[signal] ?? 0));
}

function taking(output: BoundedOutput, onOutput: (text: string) => void): (text: string) => void {
  return (text) => {
    const wasLive = output.total < OUTPUT_CHARS;
    output.add(text);
    if (!wasLive) return;
    onOutput(text);
    if (output.total >= OUTPUT_CHARS) onOutput('\n[more output is not shown live]\n');
  };
}

/** Listens for timeout, stop and the move to the background, whichever comes first. */
function cutShort({ timeoutMs, signal, moveOn }: ProcessOptions) {
  let cancel = () => {};
  const happened = new Promise<'timedOut' | 'stopped' | 'moved'>((resolve) => {
    const timer = setTimeout(() => resolve('timedOut'), timeoutMs);
    const stop = () => resolve('stopped');
    const move = () => resolve('moved');
    // Whoever stopped it while the system was starting it is not heard later.
    if (signal.aborted) stop();
    else if (moveOn?.aborted === true) move();
    signal.addEventListener('abort', stop, { once: true });
    moveOn?.addEventListener('abort', move, { once: true });
    cancel = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      moveOn?.removeEventListener('abort', move);
    };
  });
  return { happened, cancel };
}
