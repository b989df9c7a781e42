import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setImmediate as polled, setTimeout as delay } from 'node:timers/promises';
import type { CommandExit, CommandOutcome, StartedCommand } from '../../agent/workspace';
import { type Refusal, refused, type Result } from '../../contextWindow/result';
import { RedactedStream } from '../../agent/secrets/secrets';
import { childEnvironment } from './childEnvironment';
import { endTree, listProcesses, type ProcessInfo, treeOf, waitUntilGone } from './processTree';
import { realPath } from '../../agent/gitSettings';
import { type PreparedSandbox, type Sandbox, spawnInSandbox } from './sandbox';
import { commandMark, startWatcher, type Watcher } from './commandWatcher';

/** How long background processes may outlive their shell, and pipes the processes; ms. */
const LINGER_MS = 500;

interface StartOptions {
  readonly cwd: string;
  /** Whether its standard input is open for typing. */
  readonly input: 'open' | 'closed';
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The sandbox of the command; absent for none. */
  readonly sandbox?: Sandbox | undefined;
}

/** The shell that runs commands; undefined for the system's default. */
export const BASH =
  process.platform !== 'win32' && existsSync('/bin/bash') ? '/bin/bash' : undefined;

/**
 * Node's pipes are sockets, and bash takes a socket as standard input for a remote login: with
 * SHLVL below 2 it would run ~/.bashrc first.
 */
const NO_RC = ['--norc'];

export async function startProcess(
  command: string,
  options: StartOptions,
): Promise<Result<{ readonly started: StartedProcess }>> {
  // This name in the environment also finds daemons in their own sessions (Linux).
  const mark = commandMark();
  const start = await startShell(command, options, mark);
  if (!start.ok) return start;
  return { ok: true, started: new StartedProcess(start, options.input === 'closed', mark) };
}

/** A running shell command, with everything it starts. */
class StartedProcess implements StartedCommand {
  /** Settles when the shell has ended. */
  readonly exited: Promise<CommandExit>;
  readonly ended: Promise<CommandExit>;
  readonly #processes: CommandProcesses;
  #listener: (text: string) => void = () => undefined;
  #heard = 0;
  #stop: () => void = () => undefined;

  private readonly child: ChildProcess;
  private readonly pid: number;
  readonly #inSandbox: PreparedSandbox | undefined;
  readonly #watcher: Watcher;
  #isForeground: boolean;

  constructor({ child, pid, inSandbox, watcher }: Running, isForeground: boolean, mark: string) {
    this.child = child;
    this.pid = pid;
    this.#inSandbox = inSandbox;
    this.#isForeground = isForeground;
    this.#watcher = watcher;
    this.#processes = new CommandProcesses(pid, mark);
    this.exited = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) =>
        resolve({ exitCode, ...(signal === null ? {} : { signal }) }),
      );
    });
    const take = (text: string): void => this.#say(text);
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    // A command may end before it reads its input.
    child.stdin?.on('error', () => undefined);
    this.ended = this.#untilEnded();
  }

  listen(onOutput: (text: string) => void): void {
    this.#listener = onOutput;
  }

  write(text: string): Promise<Refusal> {
    const { stdin } = this.child;
    if (stdin === null) {
      return Promise.resolve(
        'its standard input is closed, since it was not started in the background',
      );
    }
    if (!stdin.writable) return Promise.resolve('it no longer reads input');
    return new Promise((resolve) => {
      stdin.write(text, (error) =>
        resolve(error === null || error === undefined ? undefined : error.message),
      );
    });
  }

  /** From now on others may change files while it runs. */
  moveToBackground(): void {
    this.#isForeground = false;
  }

  async stop(): Promise<void> {
    this.#stop();
    await this.ended;
  }

  async #untilEnded(): Promise<CommandExit> {
    const closed = new Promise<void>((resolve) => this.child.once('close', () => resolve()));
    const stopped = new Promise<'stopped'>((resolve) => (this.#stop = () => resolve('stopped')));
    const ended = new AbortController();
    const followed = this.#processes.follow(ended.signal);
    const first = await Promise.race([this.exited, stopped]);
    ended.abort();
    await followed;
    const left = first === 'stopped' ? await this.#endTree() : await this.#endLeftovers();
    if (left.length > 0) this.#say(`\n[Processes ${left.join(', ')} could not be ended]\n`);
    this.#watcher.dismiss();
    await this.#drain(closed);
    const notes = (await this.#inSandbox?.release(this.#isForeground)) ?? [];
    for (const note of [this.#inSandbox?.note ?? [], notes].flat()) this.#say(`\n${note}\n`);
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.child.stdin?.destroy();
    return first === 'stopped' ? { exitCode: null } : first;
  }

  #say(text: string): void {
    this.#heard += text.length;
    this.#listener(text);
  }

  /**
   * Ends the processes that the shell left running, daemons included, and says so in the output.
   */
  async #endLeftovers(): Promise<readonly number[]> {
    const left = await waitUntilGone(() => this.#processes.left(), LINGER_MS);
    if (left.length === 0) return [];
    const count = left.length === 1 ? '1 process' : `${left.length} processes`;
    this.#say(`\n[Ended ${count} that the command left running in the background]\n`);
    return this.#endTree();
  }

  #endTree(): Promise<readonly number[]> {
    return endTree(this.pid, () => this.#processes.left());
  }

  /** Reads the pipes to their end; a process that cannot be ended may keep them open forever. */
  async #drain(closed: Promise<void>): Promise<void> {
    const done = closed.then(() => true);
    for (let round = 0; round < 10; round++) {
      const before = this.#heard;
      // If this process was blocked, read the output that arrived meanwhile before judging it.
      const linger = delay(LINGER_MS).then(() => polled(false));
      if ((await Promise.race([done, linger])) || this.#heard === before) return;
    }
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly inSandbox: PreparedSandbox | undefined;
  readonly watcher: Watcher;
}

type Start = Result<Running>;

async function startShell(
  command: string,
  { cwd, sandbox, input, variables }: StartOptions,
  mark: string,
): Promise<Start> {
  const refusal = (cause: unknown): Start =>
    refused(existsSync(cwd) ? String(cause) : `The folder ${cwd} does not exist.`);
  const windows = process.platform === 'win32';
  let inSandbox: PreparedSandbox | undefined;
  let watcher: Watcher | undefined;
  const undo = async (): Promise<void> => {
    watcher?.dismiss();
    await inSandbox?.release(false);
  };
  try {
    inSandbox = await sandbox?.prepare(realPath(cwd));
    watcher = startWatcher(mark, inSandbox?.leftovers ?? []);
    const options: SpawnOptions = {
      cwd,
      env: { ...childEnvironment(process.env), ...variables, [mark]: '1' },
      detached: !windows,
      windowsHide: true,
    };
    const shell = BASH === undefined ? ['/bin/sh', '-c', command] : [BASH, ...NO_RC, '-c', command];
    const [program = '', ...args] = shell;
    const streams = [input === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'] as const;
    const child =
      sandbox !== undefined
        ? spawnInSandbox(sandbox, [...(inSandbox?.args ?? []), ...shell], streams, options)
        : windows
          ? spawn(command, { ...options, stdio: [...streams], shell: true })
          : spawn(program, args, { ...options, stdio: [...streams] });
    const failure = new Promise<Start>((resolve) => {
      child.on('error', (error) => resolve(refusal(error)));
    });
    if (child.pid !== undefined) {
      watcher.watch(child.pid);
      return { ok: true, child, pid: child.pid, inSandbox, watcher };
    }
    const failed = await failure;
    await undo();
    return failed;
  } catch (error) {
    await undo();
    return refusal(error);
  }
}

/** Time between two looks at a command's processes: the first, and the longest; ms. */
const LOOKS = { first: 25, longest: 1_000 };

/**
 * Tracks the processes a command starts while it runs. A daemon leaves its group, session and
 * parent, so its earlier ids are remembered, and on Linux its environment is marked. A process that
 * drops all of these between two looks is not found.
 */
class CommandProcesses {
  #known = new Map<number, string>();

  /** `leader` started the group; `mark` is an environment variable of all its processes. */
  constructor(
    private readonly leader: number,
    private readonly mark: string,
  ) {}

  /** Looks until the command ends: often at first, when daemons detach, then once a second. */
  async follow(ended: AbortSignal): Promise<void> {
    for (let pause = LOOKS.first; ; pause = Math.min(2 * pause, LOOKS.longest)) {
      await delay(pause, undefined, { signal: ended, ref: false }).catch(() => {});
      if (ended.aborted) return;
      const processes = await listProcesses().catch(() => undefined);
      // A failure to list processes is reported when they are to be ended.
      if (processes === undefined) return;
      this.#remember(processes);
    }
  }

  /** The command's remaining processes. */
  async left(): Promise<readonly number[]> {
    return this.#remember(await listProcesses(this.mark));
  }

  #remember(processes: readonly ProcessInfo[]): readonly number[] {
    const tree = treeOf(this.leader, processes, this.#known);
    const ids = new Set(tree);
    const found = processes.filter(({ pid }) => ids.has(pid));
    this.#known = new Map(found.map(({ pid, started }) => [pid, started]));
    return tree;
  }
}

/** Most characters of output kept, and most passed on live. */
export const OUTPUT_CHARS = 200_000;

interface ProcessOptions extends Omit<StartOptions, 'input'> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  /** When this aborts, stop waiting: the command keeps running. */
  readonly moveOn?: AbortSignal | undefined;
}

/**
 * Runs a shell command. Resolves when it and every process found below it have ended, or when it
 * was moved to the background.
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
    running?: StartedCommand,
  ): CommandOutcome => ({
    ended,
    exitCode,
    output: output.text(),
    durationMs: performance.now() - began,
    running,
  });
  if (options.signal.aborted) return outcome('stopped', null);
  const start = await startProcess(command, { ...options, input: 'closed' });
  if (!start.ok) {
    output.add(start.message);
    return outcome('failedToStart', null);
  }
  const { started } = start;
  // Before the middle of a long output is left out: half a secret is not recognised any more.
  const stream = new RedactedStream('all');
  const take = taking(output, options.onOutput);
  started.listen((text) => take(stream.push(text)));
  const cut = cutShort(options);
  const first = await Promise.race([started.exited, cut.happened]);
  cut.cancel();
  if (first === 'moved') {
    started.moveToBackground();
    take(stream.end());
    return outcome(first, null, started);
  }
  if (typeof first === 'string') {
    await started.stop();
    take(stream.end());
    return outcome(first, null);
  }
  await started.ended;
  take(stream.end());
  return outcome('exited', exitNumber(first));
}

/** The exit code as a shell reports it: 128 plus the number for a signal. */
function exitNumber({ exitCode, signal }: CommandExit): number {
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return exitCode ?? 128 + (signal === undefined ? 0 : (numbers[signal] ?? 0));
}

function taking(output: BoundedOutput, onOutput: (text: string) => void): (text: string) => void {
  return (text) => {
    if (text === '') return;
    const wasLive = output.total < OUTPUT_CHARS;
    output.add(text);
    if (!wasLive) return;
    onOutput(text);
    if (output.total >= OUTPUT_CHARS) onOutput('\n[more output is not shown live]\n');
  };
}

/** Waits for the timeout, a stop or the move to the background, whichever comes first. */
function cutShort({ timeoutMs, signal, moveOn }: ProcessOptions) {
  let cancel = () => {};
  const happened = new Promise<'timedOut' | 'stopped' | 'moved'>((resolve) => {
    const timer = setTimeout(() => resolve('timedOut'), timeoutMs);
    const stop = () => resolve('stopped');
    const move = () => resolve('moved');
    // An abort during the spawn fires no event later, so check here.
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

/** Keeps the head and tail of a growing text and marks the cut between them. */
export class BoundedOutput {
  #head = '';
  #tail = '';
  #total = 0;
  readonly #half: number;

  /** `limit` is the most characters kept, without the mark. */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2);
  }

  /** Characters added so far. */
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
