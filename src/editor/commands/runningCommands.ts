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

/** Open documents of output follow it at most this often; ms. */
const FOLLOW_MS = 300;

/** Most commands that a question names. */
const MOST_NAMED = 3;

/** Longest command in a question, characters. */
const LONGEST_COMMAND = 60;

type CommandServices = Pick<Services, 'notices' | 'textColumn'>;

const NO_SESSION = 'There is no session with commands.';

/** The commands in the background of every session in memory: stopped with their session, never left behind. */
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

  /** The commands of a session. */
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

  /** Handles of the session shown whose output is kept. */
  get withOutput(): ReadonlySet<string> {
    return this.#shown?.withOutput ?? new Set();
  }

  /** To be called when a session leaves memory: its commands do not outlive it. */
  readonly hook: ExpireHook = (session, reason, { waitFor }) => {
    const commands = this.#bySession.get(session);
    const names = this.namesIn(session);
    // A session without output to keep is not held here once it has left memory.
    if (commands?.withOutput.size === 0) this.#bySession.delete(session);
    if (commands === undefined || names === '') return;
    waitFor(commands.stopAll('sessionEnded'));
    if (reason !== 'expired' && reason !== 'evicted') return;
    const why = reason === 'expired' ? 'was not used for its time to live' : 'made room for others';
    const title = titleOfWindow(session.window);
    this.services.notices.warn(
      `The session “${title}” ${why}. Its commands were stopped: ${names}.`,
    );
  };

  /** Names what runs in a session, '' for nothing. */
  namesIn(session: Session): string {
    const running = this.#bySession.get(session)?.running ?? [];
    const named = running.slice(0, MOST_NAMED).map(({ handle, command }) => {
      const line = visibleLine(command.slice(0, LONGEST_COMMAND));
      return `${handle} (${command.length > LONGEST_COMMAND ? `${line}…` : line})`;
    });
    const left = running.length - named.length;
    return [...named, ...(left > 0 ? [`${left} more`] : [])].join(', ');
  }

  /** Asks before a session ends whose commands run, and stops them; false where the user does not want that. */
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
        placeHolder: 'Commands of this session run in the background. They end with it.',
      },
    );
    if (choice?.isYes !== true) return false;
    await this.of(session).stopAll('sessionEnded');
    return true;
  }

  /** Says that what a session runs goes on while another one is shown. */
  leaving(session: Session | undefined): void {
    const names = session === undefined ? '' : this.namesIn(session);
    if (session === undefined || names === '') return;
    const title = titleOfWindow(session.window);
    this.services.notices.warn(
      `Commands of the session “${title}” go on in the background, and end with it: ${names}.`,
    );
  }

  /** Stops what a session runs that is opened anew. */
  reopening(session: Session | undefined): void {
    if (session === undefined) return;
    const commands = this.#bySession.get(session);
    this.#bySession.delete(session);
    commands?.leave().catch((error: unknown) => this.current.broke(error, { session }));
  }

  /** Stops everything, because the window goes. */
  async stop(): Promise<void> {
    clearTimeout(this.#following);
    const all = [...this.#bySession.values()];
    await Promise.all(all.map((commands) => commands.stopAll('windowClosed')));
  }

  /** Moves the call that runs to the background; says why not. */
  move(toolUseId: string): Refusal {
    const { activity } = this.current.run.live;
    const runs = activity.state === 'runningTool' && activity.toolUseId === toolUseId;
    if (!runs) return 'This command is no longer running.';
    return this.#shown?.move() ?? (this.#shown === undefined ? NO_SESSION : undefined);
  }

  /** Stops a command of the session shown; says why not. */
  stopOne(handle: string): Promise<Refusal> {
    return this.#shown?.stop(handle, 'user') ?? Promise.resolve(NO_SESSION);
  }

  /** Opens what a command of the session shown has written; says why not. */
  async show(handle: string): Promise<Refusal> {
    const session = this.current.session;
    if (session === undefined || this.of(session).output(handle) === undefined) {
      return `The output of ${handle} is not kept any more.`;
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
          : `[${output.missed} characters before this are gone: the last ${RING_CHARS} are kept]\n`;
      return `$ ${command}\n${gone}${output.text}`;
    }
    return 'The output of this command is not kept any more.';
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
