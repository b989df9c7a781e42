import { runProcess } from '../../../src/tools/processes/startedProcess';
import { tempFolder } from './tempFolder';

/** Whether there are signals, process groups and a shell such as bash. */
export const posix = process.platform !== 'win32';

/** Whether /proc lists all processes. */
export const linux = process.platform === 'linux';

interface Run {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

/** Runs a command in a folder of its own, for at most a minute. */
export const run = (command: string, options: Run = {}) =>
  runProcess(command, {
    cwd: options.cwd ?? tempFolder(),
    timeoutMs: options.timeoutMs ?? 60_000,
    signal: options.signal ?? new AbortController().signal,
    onOutput: options.onOutput ?? (() => {}),
  });
