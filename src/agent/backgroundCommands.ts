import { setImmediate as polled, setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import {
  type BackgroundCommand,
  type CommandEnd,
  type CommandEndCause,
  endText,
  nextHandle,
  runningCommands,
  unreportedEnds,
} from '../contextWindow/commands';
import type { LastingChange } from '../contextWindow/event';
import { type Refusal, refused, type Result } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';
import { lastingText } from './lastingFiles';
import { RedactedStream } from './secrets/secrets';
import type { Session } from './session';
import type { StartedCommand } from './workspace';

/** Most background commands of a session at the same time. */
export const MOST_RUNNING = 8;

/** How long to wait for the first output, and then for more output; ms. */
export const FIRST_LOOK = { most: 2_000, quiet: 300 };

interface BackgroundEffects {
  /** Called when a command has written something or ended. */
  readonly changed: (handle: string) => void;
  /** Receives errors that could not be logged. */
  readonly report: (error: unknown) => void;
}

/** A command to run in the background. */
export interface NewBackground {
  readonly command: string;
  readonly started: StartedCommand;
  /**
   * Present for a command that started in the foreground; `soFar` is its output there, shown in its
   * result.
   */
  readonly moved?: { readonly soFar: string };
  /** Reports at the end which lasting files changed; keep it short when `isStopped`. */
  readonly lasting?: (isStopped: boolean) => Promise<readonly LastingChange[]>;
}

/** A command's output since the last read, and its state. */
interface BackgroundOutput {
  readonly text: string;
  /** Characters before `text` that were dropped. */
  readonly missed: number;
  /** Absent while it runs. */
  readonly end?: CommandEnd;
}

interface Running {
  readonly started: StartedCommand;
  readonly ring: OutputRing;
  /** Settles once the end is logged. */
  readonly over: Promise<void>;
  stoppedBy?: CommandEndCause;
  /** Called on every output. */
  wrote: () => void;
}

/** A foreground command that can be moved to the background. */
interface Movable {
  readonly signal: AbortSignal;
  /** Call this once it can no longer be moved. */
  readonly done: () => void;
}

/** The background commands of a session. They outlive a turn, but not the session. */
export class BackgroundCommands {
  /** Includes ended commands, for their output. */
  readonly #commands = new Map<string, Running>();
  #movable: AbortController | undefined;
  #isLeft = false;

  constructor(
    private readonly session: Session,
    private readonly effects: BackgroundEffects,
    private readonly look = FIRST_LOOK,
  ) {}

  /** The commands that run here. The log may list others, which run in another window. */
  get running(): readonly BackgroundCommand[] {
    return runningCommands(this.session.window).filter(({ handle }) => this.#commands.has(handle));
  }

  /** Handles of the commands whose output is available. */
  get withOutput(): ReadonlySet<string> {
    return new Set(this.#commands.keys());
  }

  /** Why no more commands can start; undefined when one can. */
  get whyNoMore(): Refusal {
    if (this.running.length < MOST_RUNNING) return undefined;
    return `${MOST_RUNNING} commands already run in the background, which is the most. Stop one with stop_command first.`;
  }

  /**
   * Takes over a command and returns its handle. If logging fails, the command is stopped, so that
   * none runs unseen.
   */
  add({ command, started, moved, lasting }: NewBackground): string {
    const handle = nextHandle(this.session.window);
    try {
      this.session.append({
        type: 'commandStarted',
        handle,
        command,
        ...(moved === undefined ? {} : { moved: true }),
      });
    } catch (error) {
      started.stop().catch((problem: unknown) => this.effects.report(problem));
      throw error;
    }
    const ring = new OutputRing();
    if (moved !== undefined) {
      ring.add(moved.soFar);
      ring.read();
    }
    const running: Running = {
      started,
      ring,
      wrote: () => undefined,
      over: started.ended.then(async (exit) => {
        ring.end();
        const because = running.stoppedBy ?? 'exited';
        const changes = await lasting?.(because !== 'exited').catch(() => []);
        this.#log({ type: 'commandEnded', handle, because, ...exit, ...lastingOf(changes) });
        this.effects.changed(handle);
        running.wrote();
      }),
    };
    this.#commands.set(handle, running);
    started.listen((text) => {
      ring.add(text);
      running.wrote();
      this.effects.changed(handle);
    });
    return handle;
  }

  /** Waits briefly for the first output of a command. */
  async firstLook(handle: string, signal: AbortSignal): Promise<void> {
    const running = this.#commands.get(handle);
    if (running === undefined) return;
    const wrote = new Promise<void>((resolve) => (running.wrote = resolve));
    const quietly = { signal, ref: false } as const;
    const look = wrote.then(() => delay(this.look.quiet, undefined, quietly));
    const most = delay(this.look.most, undefined, quietly);
    // Stopping the turn ends this wait, but not the command.
    const waits = [running.over, look, most].map((wait) => wait.catch(() => undefined));
    await Promise.race(waits);
    // If this process was blocked, read the output that arrived meanwhile.
    await polled();
  }

  /** Returns a command's output since the last read. */
  read(handle: string): Result<BackgroundOutput> {
    const known = this.#known(handle);
    if (!known.ok) return known;
    const { end } = known.command;
    if (known.running === undefined) {
      return end === undefined
        ? refused(`${handle} runs in another window of the editor.`)
        : { ok: true, text: '', missed: 0, end };
    }
    return { ok: true, ...known.running.ring.read(), end };
  }

  /** All kept output of a command; undefined when there is none. */
  output(handle: string): OutputRing['all'] | undefined {
    return this.#commands.get(handle)?.ring.all;
  }

  /** Types text into a command's standard input. */
  async write(handle: string, text: string): Promise<Refusal> {
    const known = this.runningOne(handle);
    if (!known.ok) return known.message;
    const why = await known.running.started.write(text);
    return why === undefined ? undefined : `Nothing was typed into ${handle}: ${why}.`;
  }

  /** Stops a command and everything it started; settles once that is logged. */
  async stop(handle: string, because: CommandEndCause): Promise<Refusal> {
    const known = this.runningOne(handle);
    if (!known.ok) return known.message;
    const { running } = known;
    running.stoppedBy ??= because;
    await running.started.stop();
    await running.over;
    return undefined;
  }

  async stopAll(because: CommandEndCause): Promise<void> {
    await Promise.all(this.running.map(({ handle }) => this.stop(handle, because)));
  }

  /** Stops all commands without logging: reopening the session logs their end. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await Promise.all([...this.#commands.values()].map(({ started }) => started.stop()));
  }

  /** Finds a command that runs here. */
  runningOne(
    handle: string,
  ): Result<{ readonly command: BackgroundCommand; readonly running: Running }> {
    const known = this.#known(handle);
    if (!known.ok) return known;
    const { command, running } = known;
    if (command.end !== undefined) return refused(`${handle} has already ended.`);
    if (running === undefined) return refused(`${handle} runs in another window of the editor.`);
    return { ok: true, command, running };
  }

  /** Lets the user move a foreground command to the background, until `done`. */
  movable(): Movable {
    const asked = new AbortController();
    this.#movable = asked;
    return {
      signal: asked.signal,
      done: () => {
        if (this.#movable === asked) this.#movable = undefined;
      },
    };
  }

  /** Moves the foreground command to the background; returns why it could not. */
  move(): Refusal {
    if (this.#movable === undefined) return 'No running command can be moved.';
    const why = this.whyNoMore;
    if (why !== undefined) return why;
    this.#movable.abort();
    return undefined;
  }

  #known(handle: string): Result<{
    readonly command: BackgroundCommand;
    readonly running: Running | undefined;
  }> {
    const { commands = [] } = this.session.window;
    const command = commands.find((one) => one.handle === handle);
    if (command !== undefined) return { ok: true, command, running: this.#commands.get(handle) };
    const names = commands.map((one) => one.handle).join(', ');
    return refused(
      `There is no background command "${handle}". ${names === '' ? 'None was started.' : `There are: ${names}.`}`,
    );
  }

  #log(event: Parameters<Session['append']>[0]): void {
    if (this.#isLeft) return;
    try {
      this.session.append(event);
    } catch (error) {
      this.effects.report(error);
    }
  }
}

function lastingOf(changes: readonly LastingChange[] = []): {
  readonly lasting?: readonly LastingChange[];
} {
  return changes.length === 0 ? {} : { lasting: changes };
}

/** Most characters kept of a background command's output. */
export const RING_CHARS = 200_000;

/** An unfinished escape sequence at the end of a text. */
// eslint-disable-next-line no-control-regex -- it is looked for
const OPEN_ESCAPE = /\u001b(?:\[[0-9;?]*)?$/;

/**
 * The last part of a command's output, without secrets. `read` returns new output once, without
 * escape sequences.
 */
export class OutputRing {
  readonly #redacted = new RedactedStream('all');
  #kept = '';
  #total = 0;
  #read = 0;

  /** `limit` is the most characters kept. */
  constructor(private readonly limit: number = RING_CHARS) {}

  add(text: string): void {
    this.#take(this.#redacted.push(text));
  }

  /** Call this when no more output comes. */
  end(): void {
    this.#take(this.#redacted.end());
  }

  /** All kept output; `missed` characters before it were dropped. */
  get all(): { readonly text: string; readonly missed: number } {
    this.#trim();
    return {
      text: stripVTControlCharacters(this.#kept),
      missed: this.#total - this.#kept.length,
    };
  }

  /** Output since the last read; `missed` characters of it were dropped. */
  read(): { readonly text: string; readonly missed: number } {
    this.#trim();
    const first = this.#total - this.#kept.length;
    const missed = Math.max(0, first - this.#read);
    const unread = this.#kept.slice(Math.max(0, this.#read - first));
    const whole = unread.replace(OPEN_ESCAPE, '');
    this.#read = this.#total - (unread.length - whole.length);
    return { text: stripVTControlCharacters(whole), missed };
  }

  #take(text: string): void {
    this.#total += text.length;
    this.#kept += text;
    // Cutting at every chunk would copy the whole text each time.
    if (this.#kept.length > 2 * this.limit) this.#trim();
  }

  #trim(): void {
    this.#kept = this.#kept.slice(-this.limit);
  }
}

const LONGEST_COMMAND = 200;

/**
 * Tells the model about background commands that ended. Call it before a prompt or after results:
 * nothing may come between a call and its result.
 */
export function noteEndedCommands({ session }: { readonly session: Session }): void {
  const ended = unreportedEnds(session.window);
  if (ended.length === 0) return;
  const text = [
    ended.length === 1
      ? 'A background command has ended:'
      : `${ended.length} background commands have ended:`,
    ...ended.flatMap(({ handle, command, end }) => {
      if (end === undefined) return [];
      const line = visibleLine(command.slice(0, LONGEST_COMMAND));
      const name = command.length > LONGEST_COMMAND ? `${line}…` : line;
      const isKept = end.because === 'exited' || end.because === 'user';
      const how = `${endText(end)}${isKept ? '; read_output returns its last output' : ''}`;
      const lasting = end.lasting === undefined ? '' : ` While it ran: ${lastingText(end.lasting)}`;
      return [`- ${handle} (${name}): ${how}.${lasting}`];
    }),
  ].join('\n');
  session.append({
    type: 'noteAdded',
    source: { from: 'commandsEnded', handles: ended.map(({ handle }) => handle) },
    text,
    admission: { form: 'whole' },
  });
}
