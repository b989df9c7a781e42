import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandOutcome } from '../agent/workspace';
import { CommandProcesses } from './commandProcesses';
import { endTree, waitUntilGone, type Tree } from './processTree';
import { refused, type Result } from '../contextWindow/result';
import { childEnvironment } from './childEnvironment';
import type { Sandbox } from './sandbox';

/** Most characters of output that are kept, and most that are passed on live. */
export const OUTPUT_CHARS = 200_000;

/** How long background processes may outlive their shell, and pipes the processes; ms. */
const LINGER_MS = 500;

export interface ProcessOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  readonly variables?: Readonly<Record<string, string>>;
  /** What the command runs in; absent for none. */
  readonly sandbox?: Sandbox | undefined;
}

/** The shell that runs commands; undefined where it is that of the system. */
export const BASH =
  process.platform !== 'win32' && existsSync('/bin/bash') ? '/bin/bash' : undefined;

/** Runs a shell command; resolves when it and all that is found of what it started has ended. */
export async function runProcess(
  command: string,
  options: ProcessOptions,
): Promise<CommandOutcome> {
  const started = performance.now();
  const output = new BoundedOutput(OUTPUT_CHARS);
  const outcome = (ended: CommandOutcome['ended'], exitCode: number | null): CommandOutcome => ({
    ended,
    exitCode,
    output: output.text(),
    durationMs: performance.now() - started,
  });
  if (options.signal.aborted) return outcome('stopped', null);

  // This name in the environment also finds daemons, in sessions of their own (Linux).
  const mark = `PLIMSOLL_COMMAND_${randomUUID().replaceAll('-', '')}`;
  const variables = { ...options.variables, [mark]: '1' };
  const start = await startShell(command, options, variables);
  if (!start.ok) {
    output.add(start.message);
    return outcome('failedToStart', null);
  }
  const { child, pid } = start;
  takeOutput(child, output, options.onOutput);
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const cut = cutShort(options);
  const processes = new CommandProcesses(pid, mark);
  const ended = new AbortController();
  const followed = processes.follow(ended.signal);
  const first = await Promise.race([exited, cut.happened]);
  cut.cancel();
  ended.abort();
  await followed;
  const tree = () => processes.left();
  const left =
    typeof first === 'number' ? await endLeftovers(pid, tree, output) : await endTree(pid, tree);
  if (left.length > 0) output.add(`\n[Processes ${left.join(', ')} could not be ended]\n`);
  await drain(closed, output);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return typeof first === 'number' ? outcome('exited', first) : outcome(first, null);
}

type Start = Result<{ readonly child: ChildProcess; readonly pid: number }>;

async function startShell(
  command: string,
  { cwd, sandbox }: ProcessOptions,
  variables: Readonly<Record<string, string>>,
): Promise<Start> {
  const refusal = (cause: unknown): Start =>
    refused(existsSync(cwd) ? String(cause) : `The folder ${cwd} does not exist.`);
  const windows = process.platform === 'win32';
  try {
    const options: SpawnOptions = {
      cwd,
      env: { ...childEnvironment(process.env), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: !windows,
      windowsHide: true,
    };
    const child =
      sandbox === undefined
        ? spawn(command, { ...options, shell: BASH ?? true })
        : spawn(sandbox.program, [...sandbox.args, BASH ?? '/bin/sh', '-c', command], options);
    const failure = new Promise<Start>((resolve) => {
      child.on('error', (error) => resolve(refusal(error)));
    });
    return child.pid === undefined ? await failure : { ok: true, child, pid: child.pid };
  } catch (error) {
    return refusal(error);
  }
}

function takeOutput(child: ChildProcess, output: BoundedOutput, onOutput: (text: string) => void) {
  const take = (text: string) => {
    const wasLive = output.total < OUTPUT_CHARS;
    output.add(text);
    if (!wasLive) return;
    onOutput(text);
    if (output.total >= OUTPUT_CHARS) onOutput('\n[more output is not shown live]\n');
  };
  child.stdout?.setEncoding('utf8').on('data', take);
  child.stderr?.setEncoding('utf8').on('data', take);
}

/** Listens for timeout and stop, whichever comes first. */
function cutShort({ timeoutMs, signal }: ProcessOptions) {
  let cancel = () => {};
  const happened = new Promise<'timedOut' | 'stopped'>((resolve) => {
    const timer = setTimeout(() => resolve('timedOut'), timeoutMs);
    const stop = () => resolve('stopped');
    signal.addEventListener('abort', stop, { once: true });
    cancel = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
  });
  return { happened, cancel };
}

/** Ends what a shell left running, daemons too, and says so in the output. */
async function endLeftovers(
  pid: number,
  tree: Tree,
  output: BoundedOutput,
): Promise<readonly number[]> {
  const left = await waitUntilGone(tree, LINGER_MS);
  if (left.length === 0) return [];
  const count = left.length === 1 ? '1 process' : `${left.length} processes`;
  output.add(`\n[Ended ${count} the command left running in the background]\n`);
  return endTree(pid, tree);
}

/** Reads the pipes to their end; what could not be ended may keep them open for ever. */
async function drain(closed: Promise<void>, output: BoundedOutput): Promise<void> {
  const done = closed.then(() => true);
  for (let round = 0; round < 10; round++) {
    const before = output.total;
    const linger = delay(LINGER_MS, false);
    if ((await Promise.race([done, linger])) || output.total === before) return;
  }
}

/** Keeps head and tail of a growing text; what is cut from the middle is marked. */
export class BoundedOutput {
  #head = '';
  #tail = '';
  #total = 0;
  readonly #half: number;

  /** `limit` is the most characters that are kept, without the mark. */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2);
  }

  /** Characters that came in so far. */
  get total(): number {
    return this.#total;
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Cutting at every chunk would copy the tail each time.
    if (this.#tail.length > 2 * this.#half) this.#tail = this.#tail.slice(-this.#half);
  }

  text(): string {
    const tail = this.#tail.slice(-this.#half);
    const left = this.#total - this.#head.length - tail.length;
    return left === 0
      ? this.#head + tail
      : `${this.#head}\n[${left} characters of output left out here]\n${tail}`;
  }
}
