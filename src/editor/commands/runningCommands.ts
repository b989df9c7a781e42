import * as vscode from 'vscode';
import { BackgroundCommands, RING_CHARS } from '../../agent/backgroundCommands';
import type { Session } from '../../agent/session';
import type { Refusal } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import type { ExpireHook } from '../../sessions/heldSessions';
import { titleOfWindow } from '../../sessions/sessionTitle';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import { showText } from '../openEditor';

/** Open documents of output are refreshed at most this often; ms. */
const FOLLOW_MS = 300;

/** Most commands named in a question. */
const MOST_NAMED = 3;

/** Longest command in a question, characters. */
const LONGEST_COMMAND = 60;

type CommandServices = Pick<Services, 'notices' | 'textColumn'>;

const NO_SESSION = 'This session has no commands.';

/** The background commands of every session in memory. They are stopped with their session. */
export class RunningCommands implements vscode.TextDocumentContentProvider {
  static readonly scheme = 'plimsoll-output';
  readonly #bySession = new Map<Session, BackgroundCommands>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #stale = new Set<string>();
  #following: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly services: {
      readonly notices: Pick<CommandServices['notices'], 'warn'>;
      readonly textColumn: Pick<CommandServices['textColumn'], 'beside'>;
    },
    private readonly current: Pick<CurrentSession, 'broke' | 'session'> & {
      readonly run: Pick<CurrentSession['run'], 'live'>;
    },
  ) {}

  of(session: Session): BackgroundCommands {
    const known = this.#bySession.get(session);
    if (known !== undefined) return known;
    const made = new BackgroundCommands(session, {
      changed: (handle) => this.#wrote(session, handle),
      report: (error) => this.current.broke(error, { session }),
    });
    this.#bySession.set(session, made);
    return made;
  }

  /** Handles of the shown session's commands whose output is kept. */
  get withOutput(): ReadonlySet<string> {
    return this.#shown?.withOutput ?? new Set();
  }

  /** Called when a session leaves memory: its commands are stopped. */
  readonly hook: ExpireHook = (session, reason, { waitFor }) => {
    const commands = this.#bySession.get(session);
    const names = this.namesIn(session);
    // Forget a session without kept output once it has left memory.
    if (commands?.withOutput.size === 0) this.#bySession.delete(session);
    if (commands === undefined || names === '') return;
    waitFor(commands.stopAll('sessionEnded'));
    if (reason !== 'expired' && reason !== 'evicted') return;
    const why = reason === 'expired' ? 'expired' : 'left memory to make room for others';
    const title = titleOfWindow(session.window);
    this.services.notices.warn(
      `The session “${title}” ${why}. Its commands were stopped: ${names}.`,
    );
  };

  /** Names the running commands of a session; '' for none. */
  namesIn(session: Session): string {
    const running = this.#bySession.get(session)?.running ?? [];
    const named = running.slice(0, MOST_NAMED).map(({ handle, command }) => {
      const line = visibleLine(command.slice(0, LONGEST_COMMAND));
      return `${handle} (${command.length > LONGEST_COMMAND ? `${line}…` : line})`;
    });
    const left = running.length - named.length;
    return [...named, ...(left > 0 ? [`${left} more`] : [])].join(', ');
  }

  /**
   * Asks before a session with running commands ends, and stops them; false if the user cancels.
   */
  async mayEnd(session: Session | undefined): Promise<boolean> {
    const names = session === undefined ? '' : this.namesIn(session);
    if (session === undefined || names === '') return true;
    const choice = await vscode.window.showQuickPick(
      [
        { label: 'Keep the session', isYes: false },
        { label: 'Stop them and end', detail: names, isYes: true },
      ],
      {
        title: 'Plimsoll: End Session',
        placeHolder: 'Commands of this session run in the background. They end with the session.',
      },
    );
    if (choice?.isYes !== true) return false;
    await this.of(session).stopAll('sessionEnded');
    return true;
  }

  /** Says that commands keep running while another session is shown. */
  leaving(session: Session | undefined): void {
    const names = session === undefined ? '' : this.namesIn(session);
    if (session === undefined || names === '') return;
    const title = titleOfWindow(session.window);
    this.services.notices.warn(
      `Commands of the session “${title}” keep running in the background until it ends: ${names}.`,
    );
  }

  /** Stops the commands of a session that is opened again. */
  reopening(session: Session | undefined): void {
    if (session === undefined) return;
    const commands = this.#bySession.get(session);
    this.#bySession.delete(session);
    commands?.leave().catch((error: unknown) => this.current.broke(error, { session }));
  }

  /** Stops all commands because the window closes. */
  async stop(): Promise<void> {
    clearTimeout(this.#following);
    const all = [...this.#bySession.values()];
    await Promise.all(all.map((commands) => commands.stopAll('windowClosed')));
  }

  /** Moves the running command to the background; says why not. */
  move(toolUseId: string): Refusal {
    const { activity } = this.current.run.live;
    const runs = activity.state === 'runningTool' && activity.toolUseId === toolUseId;
    if (!runs) return 'This command is no longer running.';
    return this.#shown?.move() ?? (this.#shown === undefined ? NO_SESSION : undefined);
  }

  /** Stops a command of the shown session; says why not. */
  stopOne(handle: string): Promise<Refusal> {
    return this.#shown?.stop(handle, 'user') ?? Promise.resolve(NO_SESSION);
  }

  /** Types a line into a command of the shown session; says why not. */
  type(handle: string, line: string): Promise<Refusal> {
    return this.#shown?.write(handle, `${line}\n`) ?? Promise.resolve(NO_SESSION);
  }

  /** Opens the output of a command of the shown session; says why not. */
  async show(handle: string): Promise<Refusal> {
    const session = this.current.session;
    if (session === undefined || this.of(session).output(handle) === undefined) {
      return `The output of ${handle} is no longer kept.`;
    }
    const uri = uriOf(session, handle);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await showText(document, { preview: true, viewColumn: this.services.textColumn.beside });
    return undefined;
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const [sessionId = '', handle = ''] = query.split(' ');
    for (const [{ window }, commands] of this.#bySession) {
      if (window.sessionId !== sessionId) continue;
      const output = commands.output(handle);
      if (output === undefined) continue;
      const command = window.commands?.find((one) => one.handle === handle)?.command ?? '';
      const gone =
        output.missed === 0
          ? ''
          : `[${output.missed} earlier characters were dropped: only the last ${RING_CHARS} are kept]\n`;
      return `$ ${command}\n${gone}${output.text}`;
    }
    return 'The output of this command is no longer kept.';
  }

  get #shown(): BackgroundCommands | undefined {
    const session = this.current.session;
    return session === undefined ? undefined : this.of(session);
  }

  #wrote(session: Session, handle: string): void {
    this.#stale.add(uriOf(session, handle).toString());
    this.#following ??= setTimeout(() => {
      this.#following = undefined;
      for (const uri of this.#stale) this.#changed.fire(vscode.Uri.parse(uri));
      this.#stale.clear();
    }, FOLLOW_MS);
  }
}

function uriOf({ window }: Session, handle: string): vscode.Uri {
  const { scheme } = RunningCommands;
  return vscode.Uri.from({
    scheme,
    path: `/Output of ${handle}`,
    query: `${window.sessionId} ${handle}`,
  });
}
