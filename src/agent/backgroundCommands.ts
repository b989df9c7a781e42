import { setImmediate as polled, setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import {
  type BackgroundCommand,
  type CommandEnd,
  type CommandEndCause,
  endText,
  nextHandle,
  runningCommands,
  untoldEnds,
} from '../contextWindow/commands';
import type { LastingChange } from '../contextWindow/event';
import { type Refusal, refused, type Result } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';
import { lastingText } from './lastingFiles';
import { RedactedStream } from './secrets';
import type { Session } from './session';
import type { StartedCommand } from './workspace';

/** Most commands of a session that run in the background at once. */
export const MOST_RUNNING = 8;

/** How long the first output is waited for, and how long for more of it once it came; ms. */
export const FIRST_LOOK = { most: 2_000, quiet: 300 };

/** What is needed besides the session. */
export interface BackgroundEffects {
  /** Called whenever a command has written something, or ended. */
  readonly changed: (handle: string) => void;
  /** Takes what could not be logged. */
  readonly report: (error: unknown) => void;
}

/** A command that is to go on in the background. */
export interface NewBackground {
  readonly command: string;
  readonly started: StartedCommand;
  /** It was in the foreground; `soFar` is what it wrote there, which its result tells. */
  readonly moved?: { readonly soFar: string };
  /** Says at the end what became of files that outlast the session; `isStopped`: nobody waits long. */
  readonly lasting?: (isStopped: boolean) => Promise<readonly LastingChange[]>;
}

/** What `read` gives: output since the last reading, and how the command stands. */
export interface BackgroundOutput {
  readonly text: string;
  /** Characters before it that are gone. */
  readonly missed: number;
  /** Absent while it runs. */
  readonly end?: CommandEnd;
}

interface Running {
  readonly started: StartedCommand;
  readonly ring: OutputRing;
  /** Settles when the end is in the log. */
  readonly over: Promise<void>;
  stoppedBy?: CommandEndCause;
  /** Called with whatever it writes. */
  wrote: () => void;
}

/** A command in the foreground that can be moved. */
interface Movable {
  readonly signal: AbortSignal;
  /** Called once it can be moved no longer. */
  readonly done: () => void;
}

/** The commands of a session that run in the background: they outlive a turn, and not the session. */
export class BackgroundCommands {
  /** Those that ended too, for their output. */
  readonly #commands = new Map<string, Running>();
  #movable: AbortController | undefined;
  #isLeft = false;

  constructor(
    private readonly session: Session,
    private readonly effects: BackgroundEffects,
    private readonly look = FIRST_LOOK,
  ) {}

  /** Those that run here; the log may tell of others, in another window. */
  get running(): readonly BackgroundCommand[] {
    return runningCommands(this.session.window).filter(({ handle }) => this.#commands.has(handle));
  }

  /** Handles whose output is kept. */
  get withOutput(): ReadonlySet<string> {
    return new Set(this.#commands.keys());
  }

  /** Why no more can be started; undefined where one can. */
  get whyNoMore(): Refusal {
    if (this.running.length < MOST_RUNNING) return undefined;
    return `${MOST_RUNNING} commands run in the background already, the most there can be. Stop one with stop_command first.`;
  }

  /** Takes a command; gives its handle. What the log does not take is stopped: nobody would know of it. */
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

  /** Waits for the first output of a command, for a short moment. */
  async firstLook(handle: string, signal: AbortSignal): Promise<void> {
    const running = this.#commands.get(handle);
    if (running === undefined) return;
    const wrote = new Promise<void>((resolve) => (running.wrote = resolve));
    const quietly = { signal, ref: false } as const;
    const look = wrote.then(() => delay(this.look.quiet, undefined, quietly));
    const most = delay(this.look.most, undefined, quietly);
    // A stop of the turn ends the look, and not the command.
    const waits = [running.over, look, most].map((wait) => wait.catch(() => undefined));
    await Promise.race(waits);
    // Where this process itself was held up, what came meanwhile is read now.
    await polled();
  }

  /** Gives what a command wrote since it was last read. */
  read(handle: string): Result<BackgroundOutput> {
    const known = this.#known(handle);
    if (!known.ok) return known;
    const { end } = known.command;
    if (known.running === undefined) {
      return end === undefined
        ? refused(`${handle} runs in another window of the editor.`)
        : { ok: true, text: '', missed: 0, end };
    }
    return { ok: true, ...known.running.ring.read(), ...(end === undefined ? {} : { end }) };
  }

  /** All of a command's output that is kept; undefined where none is. */
  output(handle: string): OutputRing['all'] | undefined {
    return this.#commands.get(handle)?.ring.all;
  }

  /** Types into a command. */
  async write(handle: string, text: string): Promise<Refusal> {
    const known = this.runningOne(handle);
    if (!known.ok) return known.message;
    const why = await known.running.started.write(text);
    return why === undefined ? undefined : `Nothing was typed into ${handle}: ${why}.`;
  }

  /** Stops a command with everything it started; settles when that is in the log. */
  async stop(handle: string, because: CommandEndCause): Promise<Refusal> {
    const known = this.runningOne(handle);
    if (!known.ok) return known.message;
    const { running } = known;
    running.stoppedBy ??= because;
    await running.started.stop();
    await running.over;
    return undefined;
  }

  /** Stops all of them. */
  async stopAll(because: CommandEndCause): Promise<void> {
    await Promise.all(this.running.map(({ handle }) => this.stop(handle, because)));
  }

  /** Stops all of them, and logs nothing more: the session is opened anew, which notes their end. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await Promise.all([...this.#commands.values()].map(({ started }) => started.stop()));
  }

  /** A command that runs here, by its handle. */
  runningOne(
    handle: string,
  ): Result<{ readonly command: BackgroundCommand; readonly running: Running }> {
    const known = this.#known(handle);
    if (!known.ok) return known;
    const { command, running } = known;
    if (command.end !== undefined) return refused(`${handle} has ended already.`);
    if (running === undefined) return refused(`${handle} runs in another window of the editor.`);
    return { ok: true, command, running };
  }

  /** Lets the user move a command of the foreground to the background, until `done`. */
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

  /** Moves the command that runs in the foreground; says why not. */
  move(): Refusal {
    if (this.#movable === undefined) return 'No command runs that could be moved.';
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
      `There is no command "${handle}" in the background. ${names === '' ? 'None was started.' : `There are: ${names}.`}`,
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

/** Most characters of output that are kept of a command in the background. */
export const RING_CHARS = 200_000;

/** An escape sequence at the end of a text, which more may follow. */
// eslint-disable-next-line no-control-regex -- it is looked for
const OPEN_ESCAPE = /\u001b(?:\[[0-9;?]*)?$/;

/**
 * The output of a command: its last characters, without secrets. What is read comes without escape
 * sequences, once.
 */
export class OutputRing {
  readonly #redacted = new RedactedStream();
  #kept = '';
  #total = 0;
  #read = 0;

  /** `limit` is the most characters that are kept. */
  constructor(private readonly limit: number = RING_CHARS) {}

  add(text: string): void {
    this.#take(this.#redacted.push(text));
  }

  /** Notes that nothing more comes. */
  end(): void {
    this.#take(this.#redacted.end());
  }

  /** All that is kept; `missed` characters came before it and are gone. */
  get all(): { readonly text: string; readonly missed: number } {
    this.#trim();
    return {
      text: stripVTControlCharacters(this.#kept),
      missed: this.#total - this.#kept.length,
    };
  }

  /** What came since the last reading; `missed` characters of it are gone. */
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
    // Cutting at every chunk would copy all of it each time.
    if (this.#kept.length > 2 * this.limit) this.#trim();
  }

  #trim(): void {
    this.#kept = this.#kept.slice(-this.limit);
  }
}

/** Longest command in the note, characters. */
const LONGEST_COMMAND = 200;

/**
 * Tells the model which commands in the background ended that it does not know of. To be called before
 * a prompt or behind results, since nothing may come between a call and its result.
 */
export function tellEndedCommands({ session }: { readonly session: Session }): void {
  const ended = untoldEnds(session.window);
  if (ended.length === 0) return;
  const text = [
    ended.length === 1
      ? 'A command in the background is over:'
      : `${ended.length} commands in the background are over:`,
    ...ended.flatMap(({ handle, command, end }) => {
      if (end === undefined) return [];
      const line = visibleLine(command.slice(0, LONGEST_COMMAND));
      const name = command.length > LONGEST_COMMAND ? `${line}…` : line;
      const isKept = end.because === 'exited' || end.because === 'user';
      const how = `${endText(end)}${isKept ? '; read_output gives what it wrote last' : ''}`;
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
