import type { AgentEvent } from '../../agent/agentEvent';
import type { Session } from '../../agent/session';
import { textsOf } from '../../contextWindow/account/measure';
import type { TurnOutcome } from '../../contextWindow/event';
import { refused } from '../../contextWindow/result';
import type { Loading } from '../../sessions/loadLog';
import type { LogEnd } from '../../sessions/logSummary';
import { SessionLogError } from '../../sessions/sessionLog';
import { SessionRegistry } from '../../sessions/sessionRegistry';
import type { Pricing } from './changesByHand';
import { type Account, accountOf, type Elsewhere } from './derive';
import type { Problem } from './state';
import type { Services } from '../services';
import { isLongLog, LeftOpen, sessionsFolder } from './workLeft';
import type { Question } from './runFollowers';
import { type RunOwner, SessionRun, type UnsavedPrompts } from './sessionRun';
import { type SessionToContinue, ShownLog } from './shownLog';
import type { PreparedTurn, TurnSource } from './turnSource';

/** The most sessions at work at a time: each calls the model, and all share one folder. */
export const MOST_AT_WORK = 5;

/** The page on which the user asked for a session. */
type AskedFrom = 'list' | 'link' | 'chat';

/** Receives the events of this window's sessions; a follower has the methods that it needs. */
export interface SessionFollower {
  /** The state in the views has changed. */
  changed?(): void;
  heard?(run: SessionRun, event: AgentEvent): void;
  ended?(run: SessionRun, outcome: TurnOutcome): void;
  /** A turn could not begin; its prompt is back in the queue. */
  refused?(run: SessionRun, problem: Problem): void;
  /** The agent asks; the returned function is called once the question is settled. */
  asked?(run: SessionRun, question: Question): () => void;
  /** Another session is shown, or the same one was reopened; `isChosen`: the user chose it. */
  shown?(isChosen: boolean): void;
  /** The user asked for a session, which is shown now unless it could not be opened. */
  askedFor?(from: AskedFrom, isOpen: boolean): Promise<void> | void;
  /** Says whether the latest session was left for a new one. */
  wasLeft?(session: Session): boolean;
  /** The user leaves a session for another; it stays in memory. */
  leaving?(session: Session | undefined): void;
  /** A session is about to be opened again. */
  reopening?(session: Session | undefined): void;
}

type CurrentServices = Pick<
  Services,
  'access' | 'context' | 'loadLog' | 'makeId' | 'notices' | 'now' | 'report'
>;

/**
 * The session that this window shows, and the background sessions in which the agent works. It owns
 * which session is current: everything else follows it.
 */
export class CurrentSession implements RunOwner {
  /** The sessions of the workspace. */
  readonly registry: SessionRegistry;
  readonly #followers = new Set<SessionFollower>();
  readonly #unsaved: UnsavedPrompts = new Map();
  readonly #background = new Set<SessionRun>();
  readonly #leftOpen: LeftOpen;
  readonly #log: ShownLog;
  #source: TurnSource | undefined;
  #run: SessionRun;
  #pinTaskAnchor: boolean;
  #standingRules: boolean;
  #opening: Opening | undefined;
  #shown: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: CurrentServices,
    makeRegistry: typeof registryOf = registryOf,
  ) {
    const { access, context, report } = services;
    this.registry = makeRegistry(services, (file) => this.isAtWork(file));
    this.#leftOpen = new LeftOpen(context.workspaceState, (work) => report.run(work));
    this.#log = new ShownLog(this.registry, this.#leftOpen.shown);
    this.#run = this.#newRun();
    const { pinTaskAnchor, standingRules } = access.settings.valid.settings.context;
    this.#pinTaskAnchor = pinTaskAnchor;
    this.#standingRules = standingRules;
    access.onChange(() => this.#settingsChanged());
  }

  /** The current session and the agent's work on it. */
  get run(): SessionRun {
    return this.#run;
  }

  /** The end of the session that is being loaded, once it is known. */
  get opening(): LogEnd | undefined {
    return this.#opening?.end;
  }

  /** Resolves when the session that is being loaded is shown; immediately if there is none. */
  async opened(): Promise<void> {
    for (let last = this.#shown; ; last = this.#shown) {
      await last;
      if (last === this.#shown) return;
    }
  }

  /** The log of the current session. */
  get file(): string | undefined {
    return this.#log.file;
  }

  /** The current session, if it is not read-only. */
  get session(): Session | undefined {
    return this.#log.session;
  }

  /** The bytes of the current session's log; undefined before its first prompt. */
  get logBytes(): Uint8Array | undefined {
    return this.#log.logBytes();
  }

  /** The ids of the sessions that were at work in the background when the last window closed. */
  get interrupted(): readonly string[] {
    return this.#leftOpen.atWork;
  }

  /** Background sessions at work, in the order in which the user left them. */
  get background(): readonly SessionRun[] {
    return [...this.#background];
  }

  get atWork(): readonly SessionRun[] {
    return [this.#run, ...this.#background].filter(({ isBusy }) => isBusy);
  }

  /** The agent on the session of a log; undefined if it does not work there. */
  atWorkOn(file: string): SessionRun | undefined {
    const session = this.registry.inMemory(file);
    return session && this.atWork.find((run) => run.session === session);
  }

  isAtWork(file: string): boolean {
    return this.atWorkOn(file) !== undefined;
  }

  /** The session in which a question about this call waits, the current one first. */
  asking(toolUseId: string): SessionRun | undefined {
    return this.atWork.find(({ questions }) => questions.isOpen(toolUseId));
  }

  /** How full the window of the current session is. */
  get account(): Account {
    const { estimator, settings } = this.services.access;
    return accountOf(this.#run.window, settings.valid.budget, estimator.estimate);
  }

  /** The number of background sessions that wait for an answer, and of those that work. */
  get elsewhere(): Elsewhere {
    const waiting = this.background.filter(({ questions }) => questions.isWaiting).length;
    return { waiting, working: this.background.length - waiting };
  }

  /** Why no turn can begin; undefined if one can. */
  get problem(): Problem | undefined {
    const message = this.#run.whyReadOnly;
    if (message === undefined) return this.services.access.problem;
    return { message, action: { label: 'Open it here', wish: { type: 'reopenSession' } } };
  }

  /** Sends events to a follower until the returned function is called. */
  follow(follower: SessionFollower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Sets the agent and the resources of its turns; before that, no turn can begin. */
  runTurnsWith(source: TurnSource): void {
    this.#source = source;
  }

  get source(): TurnSource {
    if (this.#source === undefined) throw new Error('No turn can begin yet.');
    return this.#source;
  }

  get pricing(): Pricing {
    const { agentSettings, estimator } = this.services.access;
    return { settings: agentSettings, estimator };
  }

  start(run: SessionRun): Session {
    const { pinTaskAnchor, standingRules } = this.services.access.settings.valid.settings.context;
    return run === this.#run
      ? this.#log.start(pinTaskAnchor, standingRules)
      : this.registry.start(pinTaskAnchor, standingRules).session;
  }

  mayBegin(run: SessionRun): boolean {
    return run !== this.#run || this.source.mayBegin();
  }

  async prepare(run: SessionRun): Promise<PreparedTurn> {
    // The run itself counts as busy only after this has begun.
    const others = this.atWork.filter((one) => one !== run);
    return others.length >= MOST_AT_WORK ? TOO_MANY : this.source.prepare(run);
  }

  /** Continues the session that the last window showed, unless it was left for a new one. */
  async openLatest(): Promise<void> {
    const isLeft = (session: Session): boolean =>
      [...this.#followers].some((one) => one.wasLeft?.(session) === true);
    await this.#load(
      (loading) => this.#log.openLatest(isLeft, loading),
      (latest) => this.#continueWith(latest, false),
    );
  }

  /** Shows the session of a log; one that another window has open is read-only. */
  async open(file: string, from: AskedFrom = 'list'): Promise<void> {
    const { session: before, file: fileBefore } = this.#log;
    const opened = await this.#load(
      (loading) => this.#log.open(file, loading),
      (shown) => {
        if (!shown.ok) return this.services.notices.warn(shown.message);
        if (file !== fileBefore) this.#each((one) => one.leaving?.(before));
        this.#continueWith(shown, true);
      },
    );
    if (opened === 'stopped') return;
    await this.#askedFor(from, opened.ok);
  }

  /** Shows a session in which the agent works. */
  async showRun({ session }: Pick<SessionRun, 'session'>): Promise<void> {
    const file = session === undefined ? undefined : this.registry.heldFile(session);
    if (file === undefined || file === this.file) await this.#askedFor('list', true);
    else await this.open(file);
  }

  /** Reopens the current session, with what another window wrote to it. */
  async reopen(): Promise<void> {
    if (this.#run.isBusy) return;
    this.#each((one) => one.reopening?.(this.session));
    await this.#load(
      (loading) => this.#log.reopen(loading),
      (again) => this.#continueWith(again, true),
    );
  }

  /**
   * Leaves the session and its waiting prompts for a new one, whose log begins with its first
   * prompt. `withTyped`: prompts typed during the question how to continue move to the new one.
   */
  startNew(how: 'empty' | 'withTyped' = 'empty'): void {
    this.#opening?.stop.abort();
    const typed = how === 'withTyped' ? this.#run.turns.queue.takeAsked() : [];
    this.#switchTo(undefined);
    this.#each((one) => one.leaving?.(this.session));
    this.#log.leave();
    this.#each((one) => one.shown?.(false));
    for (const prompt of typed) this.#run.turns.queue.add(prompt, 'question');
  }

  /** Handles an error of a turn or a background command: a log that takes no more events can be opened again. */
  broke(error: unknown, { session }: Pick<SessionRun, 'session'>): void {
    const { notices, report } = this.services;
    if (!(error instanceof SessionLogError)) return report.bug(error);
    report.log(error);
    const again = async (): Promise<void> => {
      if (session !== this.#run.session) await this.showRun({ session });
      await this.reopen();
    };
    report.run(() => notices.warnOfLog(error.message, again));
  }

  /** Announces that the state in the views has changed. */
  changed(): void {
    this.#leftOpen.noteWork(this.background);
    this.#each((one) => one.changed?.());
  }

  /** Stops every turn because the window closes, and resolves when all have ended. */
  async stop(): Promise<void> {
    this.#leftOpen.close();
    this.#opening?.stop.abort();
    await this.opened();
    await Promise.all([this.#run, ...this.#background].map((run) => run.dispose()));
  }

  /**
   * Opens a session and shows it by `show`; a newer request stops the loading of a long one. Until
   * that is loaded, the current session stays, and the pages can show the end of the new one.
   */
  async #load<T>(
    open: (loading: Loading) => T | Promise<T>,
    show: (opened: T) => void,
  ): Promise<T | 'stopped'> {
    this.#opening?.stop.abort();
    const stop = new AbortController();
    const opening: Opening = { stop, end: undefined };
    const seen = (end: LogEnd): void => {
      if (this.#opening !== opening) return;
      opening.end = end;
      this.changed();
    };
    const opened = open({ seen, signal: stop.signal });
    if (!(opened instanceof Promise)) {
      show(opened);
      return opened;
    }
    this.#opening = opening;
    const showing = opened.then((loaded) => {
      const isStopped = stop.signal.aborted;
      if (this.#opening === opening) this.#opening = undefined;
      if (isStopped) return 'stopped' as const;
      show(loaded);
      return loaded;
    });
    this.#shown = showing.then(
      () => undefined,
      () => undefined,
    );
    return showing;
  }

  #continueWith({ session, warning, whyReadOnly }: SessionToContinue, isChosen: boolean): void {
    this.#switchTo(session, whyReadOnly);
    this.#each((one) => one.shown?.(isChosen));
    if (warning !== undefined) this.services.notices.warn(warning);
    this.#count();
    this.#run.turns.askAgain();
  }

  /** Shows a session, at work or idle; undefined for none yet. The previous one goes on working. */
  #switchTo(session: Session | undefined, whyReadOnly?: string): void {
    const left = this.#run;
    const working = this.atWork.find((run) => session !== undefined && run.session === session);
    if (working !== left) {
      this.#run = working ?? this.#newRun();
      this.#background.delete(this.#run);
      if (left.isBusy) void this.#keepWorking(left);
      else left.leave(left.session === session);
      if (working === undefined) this.#run.open(session, whyReadOnly);
    }
    this.changed();
  }

  /** A background session is kept only while the agent works in it; its log has everything. */
  async #keepWorking(run: SessionRun): Promise<void> {
    this.#background.add(run);
    do await run.settled();
    while (run.isBusy);
    if (this.#background.delete(run)) run.leave();
    this.changed();
  }

  #newRun(): SessionRun {
    const run = new SessionRun(this, this.#unsaved);
    run.follow({
      changed: () => this.changed(),
      textsChanged: () => {
        if (run === this.#run) this.#count();
      },
      heard: (event) => this.#each((one) => one.heard?.(run, event)),
      ended: (outcome) => this.#each((one) => one.ended?.(run, outcome)),
      refused: (problem) => this.#each((one) => one.refused?.(run, problem)),
      broke: (error) => this.broke(error, run),
      asked: (question) => {
        const settled = [...this.#followers].map((one) => one.asked?.(run, question));
        return () => {
          for (const settle of settled) settle?.();
        };
      },
    });
    return run;
  }

  /**
   * Counts the texts of the window, so that no view shows an estimate where another has a count.
   */
  #count(): void {
    const { access, report } = this.services;
    report.run(async () => {
      await access.estimator.warm(textsOf(this.#run.window));
      this.changed();
    });
  }

  #settingsChanged(): void {
    const { access } = this.services;
    const { context, sessions } = access.settings.valid.settings;
    this.registry.setLimits({ maxSessions: sessions.maxSessions, ttlMs: sessions.ttl });
    const { pinTaskAnchor, standingRules } = context;
    // A change that a running pass refuses is tried again at the next change of the settings.
    const isSame = pinTaskAnchor === this.#pinTaskAnchor;
    const refusal = isSame ? undefined : this.#run.setAnchorPinned(pinTaskAnchor);
    if (refusal === undefined) this.#pinTaskAnchor = pinTaskAnchor;
    const isSwitched = standingRules !== this.#standingRules;
    const why = isSwitched ? this.#run.switchRules(standingRules) : undefined;
    if (why === undefined) this.#standingRules = standingRules;
    this.changed();
    if (access.problem === undefined) this.#run.turns.resume();
  }

  async #askedFor(from: AskedFrom, isOpen: boolean): Promise<void> {
    await Promise.all([...this.#followers].map((one) => one.askedFor?.(from, isOpen)));
  }

  #each(announce: (follower: SessionFollower) => void): void {
    for (const follower of this.#followers) announce(follower);
  }
}

/** A long session that is being loaded. */
interface Opening {
  readonly stop: AbortController;
  end: LogEnd | undefined;
}

/** Creates the registry of the workspace's sessions. */
function registryOf(
  { access, context, loadLog, makeId, now, report }: CurrentServices,
  isAtWork: (file: string) => boolean,
): SessionRegistry {
  const { maxSessions, ttl } = access.settings.valid.settings.sessions;
  return new SessionRegistry(
    {
      folder: sessionsFolder(context),
      now,
      makeId,
      isAtWork,
      loader: { isLong: isLongLog, load: loadLog },
      every(ms, work) {
        const timer = setInterval(work, ms);
        return () => clearInterval(timer);
      },
      report: (error) => report.log(error),
    },
    { maxSessions, ttlMs: ttl },
  );
}

const TOO_MANY = refused(
  `${MOST_AT_WORK} sessions are at work already, which is the limit. Your prompt is kept; try again when one of them has ended.`,
);
