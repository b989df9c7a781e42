import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setImmediate as polled, setTimeout as delay } from 'node:timers/promises';
import type { CommandExit, StartedCommand } from '../agent/workspace';
import { refused, type Refusal, type Result } from '../contextWindow/result';
import { childEnvironment } from './childEnvironment';
import { CommandProcesses } from './commandProcesses';
import { endTree, waitUntilGone } from './processTree';
import type { Sandbox } from './sandbox';

/** How long background processes may outlive their shell, and pipes the processes; ms. */
const LINGER_MS = 500;

export interface StartOptions {
  readonly cwd: string;
  /** Whether something can be typed into it, or its standard input is closed. */
  readonly input: 'open' | 'closed';
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** What the command runs in; absent for none. */
  readonly sandbox?: Sandbox | undefined;
}

/** The shell that runs commands; undefined where it is that of the system. */
export const BASH =
  process.platform !== 'win32' && existsSync('/bin/bash') ? '/bin/bash' : undefined;

/**
 * Node's pipes are sockets, and bash takes a standard input that is one for a login from elsewhere: where SHLVL is below
 * 2 it would run ~/.bashrc first.
 */
const NO_RC = ['--norc'];

/** Starts a shell command. */
export async function startProcess(
  command: string,
  options: StartOptions,
): Promise<Result<{ readonly started: StartedProcess }>> {
  // This name in the environment also finds daemons, in sessions of their own (Linux).
  const mark = `PLIMSOLL_COMMAND_${randomUUID().replaceAll('-', '')}`;
  const start = await startShell(command, options, { ...options.variables, [mark]: '1' });
  if (!start.ok) return start;
  return { ok: true, started: new StartedProcess(start.child, start.pid, mark) };
}

/** A shell command that runs, with everything it starts. */
export class StartedProcess implements StartedCommand {
  /** Settles when the shell has ended. */
  readonly exited: Promise<CommandExit>;
  readonly ended: Promise<CommandExit>;
  readonly #processes: CommandProcesses;
  #listener: (text: string) => void = () => undefined;
  #heard = 0;
  #stop: () => void = () => undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly pid: number,
    mark: string,
  ) {
    this.#processes = new CommandProcesses(pid, mark);
    this.exited = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) =>
        resolve({ exitCode, ...(signal === null ? {} : { signal }) }),
      );
    });
    const take = (text: string): void => this.#say(text);
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    // A command may end before it has read what was typed.
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
    if (!stdin.writable) return Promise.resolve('it reads nothing any more');
    return new Promise((resolve) => {
      stdin.write(text, (error) =>
        resolve(error === null || error === undefined ? undefined : error.message),
      );
    });
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
    await this.#drain(closed);
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.child.stdin?.destroy();
    return first === 'stopped' ? { exitCode: null } : first;
  }

  #say(text: string): void {
    this.#heard += text.length;
    this.#listener(text);
  }

  /** Ends what the shell left running, daemons too, and says so in the output. */
  async #endLeftovers(): Promise<readonly number[]> {
    const left = await waitUntilGone(() => this.#processes.left(), LINGER_MS);
    if (left.length === 0) return [];
    const count = left.length === 1 ? '1 process' : `${left.length} processes`;
    this.#say(`\n[Ended ${count} the command left running in the background]\n`);
    return this.#endTree();
  }

  #endTree(): Promise<readonly number[]> {
    return endTree(this.pid, () => this.#processes.left());
  }

  /** Reads the pipes to their end; what could not be ended may keep them open for ever. */
  async #drain(closed: Promise<void>): Promise<void> {
    const done = closed.then(() => true);
    for (let round = 0; round < 10; round++) {
      const before = this.#heard;
      // Where this process itself was held up, what came meanwhile is read before it is judged.
      const linger = delay(LINGER_MS).then(() => polled(false));
      if ((await Promise.race([done, linger])) || this.#heard === before) return;
    }
  }
}

type Start = Result<{ readonly child: ChildProcess; readonly pid: number }>;

async function startShell(
  command: string,
  { cwd, sandbox, input }: StartOptions,
  variables: Readonly<Record<string, string>>,
): Promise<Start> {
  const refusal = (cause: unknown): Start =>
    refused(existsSync(cwd) ? String(cause) : `The folder ${cwd} does not exist.`);
  const windows = process.platform === 'win32';
  try {
    const options: SpawnOptions = {
      cwd,
      env: { ...childEnvironment(process.env), ...variables },
      stdio: [input === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: !windows,
      windowsHide: true,
    };
    const shell = BASH === undefined ? ['/bin/sh', '-c', command] : [BASH, ...NO_RC, '-c', command];
    const [program = '', ...args] =
      sandbox === undefined ? shell : [sandbox.program, ...sandbox.args, ...shell];
    const child =
      windows && sandbox === undefined
        ? spawn(command, { ...options, shell: true })
        : spawn(program, args, options);
    const failure = new Promise<Start>((resolve) => {
      child.on('error', (error) => resolve(refusal(error)));
    });
    return child.pid === undefined ? await failure : { ok: true, child, pid: child.pid };
  } catch (error) {
    return refusal(error);
  }
}
