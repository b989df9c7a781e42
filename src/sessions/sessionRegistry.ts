import type { SessionSummary } from '../agent/closeSession';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../agent/session';

import { pausesTogether, type SessionPauses } from '../contextWindow/account/promptCache';
import type { BlockId } from '../contextWindow/block';
import { activeRules, standingRulesOf } from '../contextWindow/standingRules/standingRules';
import type { ContextWindow } from '../contextWindow/window';
import type { EventOf, NewEvent, SessionEvent } from '../contextWindow/event';
import { fold } from '../contextWindow/fold';
import type { Refusal } from '../contextWindow/result';
import { scratchpadText } from '../contextWindow/scratchpad';
import {
  type ExpireHook,
  HeldSessions,
  type HoldingEffects,
  type SessionLimits,
} from './heldSessions';
import { closeInterruptedCalls, closeLostCommands } from './interruptedCalls';
import { isLocked, lockLog } from './logLock';
import { logsByUse } from './logSummary';
import type { Loading } from './loadLog';
import {
  type LoadedLog,
  loadSession,
  lookAtSession,
  newSession,
  type NotOpened,
  openSession,
  type OpenSessionResult,
  type SessionStart,
  type StoredSession,
} from './openSession';
import { readSessionLog, sessionIdIn } from './readSessionLog';
import { SessionList, type SessionListing } from './sessionList';
import { forkTitle, handoverTitle, TITLE_KEY, titleOfWindow } from './sessionTitle';

interface RegistryEffects extends HoldingEffects {
  /** The folder of the logs of this workspace. */
  readonly folder: string;
  /** Makes a new unique id. */
  makeId(): string;
  /** Loads long logs without blocking; absent: every log is read synchronously. */
  readonly loader?: LogLoader;
}

/** Reads the logs that take noticeable time. */
export interface LogLoader {
  isLong(file: string): boolean;
  load(file: string, loading: Loading): Promise<LoadedLog>;
}

/** An opened session; `warning` names the skipped lines of its log. */
export interface OpenedSession {
  readonly session: Session;
  readonly file: string;
  readonly warning?: string;
}

export type ResumeResult = ({ readonly ok: true } & OpenedSession) | NotOpened;

/** Why a session cannot be closed, deleted or handed over. */
export const AT_WORK = 'The agent is still at work in this session.';
/** Why a session cannot be opened twice at the same time. */
const BEING_LOADED = 'The session is being loaded. Try again when that is done.';
const BEING_CLOSED = 'The session is being closed. Try again when that is done.';

/** The sessions of a workspace: on disk, known by their logs, and in memory. */
export class SessionRegistry {
  readonly #held: HeldSessions;
  readonly #list: SessionList;
  /** The logs that are being loaded. */
  readonly #loading = new Set<string>();
  readonly #pausesBefore = new WeakMap<Session, SessionPauses>();

  constructor(
    private readonly effects: RegistryEffects,
    limits: SessionLimits,
  ) {
    this.#held = new HeldSessions(effects);
    this.#list = new SessionList(effects.folder);
    this.#held.setLimits(limits);
  }

  setLimits(limits: SessionLimits): void {
    this.#held.setLimits(limits);
  }

  /**
   * Calls back once for every session that leaves memory, until the returned function is called.
   */
  onExpire(hook: ExpireHook): () => void {
    return this.#held.onExpire(hook);
  }

  /** The logs of the sessions in memory, the most recently used last. */
  get heldFiles(): readonly string[] {
    return this.#held.files;
  }

  /** The log of a session in memory; undefined if it is not in memory. */
  heldFile(session: Session): string | undefined {
    return this.heldFiles.find((file) => this.#held.get(file)?.session === session);
  }

  /** A session in memory; undefined if it is not in memory. */
  inMemory(file: string): Session | undefined {
    return this.#held.get(file)?.session;
  }

  /** Records that a session was used; its own events do this automatically. */
  touch(file: string): void {
    this.#held.touch(file);
  }

  /**
   * Ends the sessions whose time to live ran out while no window held them, of those used after a
   * time (ms); their hooks run as for any other. Returns the time up to which all have ended.
   */
  async endOverdue(usedAfter: number): Promise<number> {
    const { ttlMs } = this.#held.limits;
    const latest = this.effects.now() - ttlMs;
    if (ttlMs === 0 || latest <= usedAfter) return usedAfter;
    for (const { file, usedAt } of await this.list()) {
      const isOverdue = usedAt > usedAfter && usedAt <= latest;
      // One that another window has open ends there.
      if (!isOverdue || this.#held.get(file) !== undefined || !this.resume(file).ok) continue;
      await this.#held.letGo(file, 'expired');
    }
    return latest;
  }

  /** Starts a session in its own log, whose name has the date and the session's id. */
  start(pinTaskAnchor: boolean, standingRules?: boolean): OpenedSession {
    return this.#begin({ sessionId: this.effects.makeId(), pinTaskAnchor, standingRules });
  }

  /** Opens a session, or finds it in memory. Refuses one that is open in another window. */
  resume(file: string): ResumeResult {
    const held = this.#held.get(file);
    if (held !== undefined) {
      this.#held.touch(file);
      return { ok: true, session: held.session, file };
    }
    if (this.#loading.has(file)) return { ok: false, cause: 'locked', message: BEING_LOADED };
    const opened = openSession(
      file,
      () => this.effects.now(),
      () => this.#wake(opened.ok ? opened.stored : undefined),
    );
    return this.#hold(file, opened);
  }

  /**
   * Opens a session like `resume`. For a long log it returns a promise: the log is read without
   * blocking anything.
   */
  load(file: string, loading: Loading): ResumeResult | Promise<ResumeResult> {
    const loader = this.#held.get(file) === undefined ? this.#loaderFor(file) : undefined;
    return loader === undefined ? this.resume(file) : this.#load(file, loader, loading);
  }

  async #load(file: string, loader: LogLoader, loading: Loading): Promise<ResumeResult> {
    this.#loading.add(file);
    try {
      const opened: OpenSessionResult = await loadSession(
        file,
        () => this.effects.now(),
        () => loader.load(file, loading),
        () => this.#wake(opened.ok ? opened.stored : undefined),
      );
      return this.#hold(file, opened);
    } finally {
      this.#loading.delete(file);
    }
  }

  /** The loader for a log that is long, and not being loaded already. */
  #loaderFor(file: string): LogLoader | undefined {
    const { loader } = this.effects;
    return loader?.isLong(file) === true && !this.#loading.has(file) ? loader : undefined;
  }

  #hold(file: string, opened: OpenSessionResult): ResumeResult {
    if (!opened.ok) return opened;
    const { stored, warning } = opened;
    this.#held.hold(stored);
    const { session } = stored;
    return { ok: true, session, file, warning };
  }

  /** Reads a session that another window has open: it is read-only here. */
  look(file: string): ResumeResult {
    return this.#looked(file, readSessionLog(file));
  }

  /** Reads it like `look`; for a long log without blocking anything. */
  loadLook(file: string, loading: Loading): ResumeResult | Promise<ResumeResult> {
    const loader = this.#loaderFor(file);
    return loader === undefined
      ? this.look(file)
      : loader.load(file, loading).then((read) => this.#looked(file, read));
  }

  #looked(file: string, read: LoadedLog): ResumeResult {
    const looked = lookAtSession(file, () => this.effects.now(), read);
    return looked.ok ? { ...looked, file } : looked;
  }

  /** Opens a session again, including the events that another window wrote. */
  reopen(file: string): ResumeResult {
    this.#held.drop(file);
    return this.resume(file);
  }

  /** Opens it again like `reopen`; for a long log without blocking anything. */
  loadAgain(file: string, loading: Loading): ResumeResult | Promise<ResumeResult> {
    this.#held.drop(file);
    return this.load(file, loading);
  }

  /**
   * Opens the most recently used session that no other window has open; `first` is a log to try
   * before. An unreadable log is not skipped silently: the result is then its error.
   */
  openLatest(first?: string): ResumeResult | undefined {
    let refused: ResumeResult | undefined;
    for (const file of this.#logsFrom(first)) {
      const result = this.resume(file);
      if (result.ok || result.cause === 'unreadable') return result;
      if (result.cause === 'locked') refused ??= result;
    }
    return refused;
  }

  /** Opens it like `openLatest`; for a long log without blocking anything. */
  loadLatest(
    first: string | undefined,
    loading: Loading,
  ): ResumeResult | undefined | Promise<ResumeResult | undefined> {
    const latest = this.latestLog(first);
    const loader = latest === undefined ? undefined : this.#loaderFor(latest);
    if (latest === undefined || loader === undefined) return this.openLatest(first);
    return this.#load(latest, loader, loading).then((result) =>
      result.ok || result.cause === 'unreadable' ? result : this.openLatest(first),
    );
  }

  /** The log that `openLatest` opens; undefined if there is none, or if another window has it. */
  latestLog(first?: string): string | undefined {
    const [latest] = this.#logsFrom(first);
    return latest === undefined || isLocked(latest) ? undefined : latest;
  }

  /** Lists every session, the most recently used first, and reads no log completely twice. */
  list(): Promise<readonly SessionListing[]> {
    return this.#list.read(this.#names(), (file) => this.#held.get(file) !== undefined);
  }

  /**
   * The pauses in sessions that ended before this one began, or before now. What it was forked from
   * is left out: the fork has those requests itself.
   */
  async pausesBefore(session: Session | undefined): Promise<SessionPauses> {
    const known = session && this.#pausesBefore.get(session);
    if (known !== undefined) return known;
    const all = await this.list();
    const file = session && this.heldFile(session);
    const began = all.find((one) => one.file === file)?.createdAt ?? this.effects.now();
    const [start] = session?.events ?? [];
    const origin = start?.type === 'sessionStarted' ? start.forkedFrom?.sessionId : undefined;
    const pauses = pausesTogether(
      all.filter(
        ({ file: other, sessionId, usedAt, requests }) =>
          other !== file && sessionId !== origin && usedAt <= began && requests > 0,
      ),
    );
    if (session !== undefined) this.#pausesBefore.set(session, pauses);
    return pauses;
  }

  /** Renames a session; '' gives it the name of its task. */
  rename(file: string, title: string): Refusal {
    return this.#with(file, (session) =>
      session.setState(TITLE_KEY, title.trim() === '' ? null : title.trim()),
    );
  }

  /** Starts a session with the events of another one up to the end of a step. */
  fork(file: string, step: number): ResumeResult {
    const source = this.#held.get(file)?.session ?? readSessionLog(file);
    if ('ok' in source && !source.ok) {
      return { ok: false, cause: 'unreadable', message: source.message };
    }
    const [begun] = source.events;
    const events = forkEvents(source.events, step);
    if (begun?.type !== 'sessionStarted' || events === undefined) {
      return { ok: false, cause: 'empty', message: `The session has no step ${step}.` };
    }
    const opened = this.#begin({
      sessionId: this.effects.makeId(),
      pinTaskAnchor: begun.pinTaskAnchor,
      standingRules: begun.standingRules,
      forkedFrom: { sessionId: begun.sessionId, step },
      events,
    });
    const { session } = opened;
    closeInterruptedCalls(session, 'forked');
    closeLostCommands(session, 'forked');
    session.setState(TITLE_KEY, forkTitle(titleOfWindow(fold(source.events)), step));
    return { ok: true, ...opened };
  }

  /** Starts a session that continues the work of another; each log names the other session. */
  handOver(from: Session, summary: SessionSummary | undefined): ResumeResult {
    const handover = handoverOf(from.window, summary);
    if (handover === undefined) {
      return { ok: false, cause: 'empty', message: 'The session has no task to hand over yet.' };
    }
    const opened = this.#begin({ sessionId: this.effects.makeId(), ...handover.start });
    for (const event of handover.events) opened.session.append(event);
    const { window: begun } = opened.session;
    const to = { sessionId: begun.sessionId, title: titleOfWindow(begun) };
    from.append({ type: 'handedOver', to });
    return { ok: true, ...opened };
  }

  /** Closes a finished session, in memory or not. Refuses one at work or open elsewhere. */
  async closeSession(file: string): Promise<Refusal> {
    if (this.effects.isAtWork(file)) return AT_WORK;
    if (this.#held.isLeaving(file)) return BEING_CLOSED;
    const opened = this.resume(file);
    if (!opened.ok) return opened.message;
    closeInterruptedCalls(opened.session, 'over');
    await this.#held.letGo(file, 'closed');
    return undefined;
  }

  /** The log of a session by its id; undefined if it does not exist, or no longer. */
  fileOf(sessionId: string): string | undefined {
    const name = this.#names().find((one) => sessionIdIn(one) === sessionId);
    return name === undefined ? undefined : join(this.effects.folder, name);
  }

  /** Deletes a session and its log permanently. Refuses one at work or open elsewhere. */
  delete(file: string): Refusal {
    if (this.effects.isAtWork(file)) return AT_WORK;
    if (this.#held.isLeaving(file)) return BEING_CLOSED;
    void this.#held.letGo(file, 'ended');
    const locked = lockLog(file);
    if (!locked.ok) return locked.message;
    try {
      rmSync(file, { force: true });
    } finally {
      locked.lock.release();
    }
    return undefined;
  }

  /** Closes every session in memory. */
  close(): void {
    this.#held.close();
  }

  *#logsFrom(first: string | undefined): Generator<string> {
    const names = this.#names();
    const named = names.find((name) => name === first);
    if (named !== undefined) yield join(this.effects.folder, named);
    yield* logsByUse(
      this.effects.folder,
      names.filter((name) => name !== named),
    );
  }

  #begin(start: Omit<SessionStart, 'file' | 'now' | 'wake'>): OpenedSession {
    const day = new Date(this.effects.now()).toISOString().slice(0, 10);
    const stored: StoredSession = newSession({
      ...start,
      file: join(this.effects.folder, `${day}-${start.sessionId}.jsonl`),
      now: () => this.effects.now(),
      wake: () => this.#wake(stored),
    });
    this.#held.hold(stored);
    return { session: stored.session, file: stored.file };
  }

  /** Loads a session into memory again when it is used. */
  #wake(stored: StoredSession | undefined): void {
    if (stored === undefined) return;
    stored.reopen();
    this.#held.hold(stored);
  }

  #with(file: string, work: (session: Session) => void): Refusal {
    const held = this.#held.get(file);
    if (held !== undefined) {
      work(held.session);
      return undefined;
    }
    const opened = openSession(file, () => this.effects.now());
    if (!opened.ok) return opened.message;
    try {
      work(opened.stored.session);
    } finally {
      opened.stored.close();
    }
    return undefined;
  }

  #names(): readonly string[] {
    const { folder } = this.effects;
    if (!existsSync(folder)) return [];
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  }
}

/**
 * The events of a fork: everything after the start, up to the last tool result of the step, and the
 * end of its turn if it was the last step. Undefined if the session has no such step.
 */
export function forkEvents(
  events: readonly SessionEvent[],
  step: number,
): readonly SessionEvent[] | undefined {
  const reply = events.findIndex((event) => event.type === 'replyReceived' && event.step === step);
  const asked = events[reply];
  if (asked?.type !== 'replyReceived') return undefined;
  const calls = new Set(
    asked.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use.id] : [])),
  );
  const lastResult = events.findLastIndex(
    (event) => event.type === 'toolFinished' && calls.has(event.toolUseId),
  );
  // A late result, after a damaged line, does not include later steps.
  const next = events.findIndex(
    (event, index) =>
      index > reply && (event.type === 'replyReceived' || event.type === 'promptSubmitted'),
  );
  const end = Math.max(reply, lastResult);
  const taken = next === -1 ? end + 1 : Math.min(next, end + 1);
  const rest = events.slice(taken, next === -1 ? undefined : next);
  const ended = rest.find(({ type }) => type === 'turnEnded');
  // Waiting prompts stay with their session.
  const happened = events.slice(1, taken).filter(({ type }) => type !== 'queueChanged');
  return [...happened, ...(ended === undefined ? [] : [ended])];
}

/** The first events of a session that continues another. */
interface Handover {
  readonly start: Pick<
    EventOf<'sessionStarted'>,
    'pinTaskAnchor' | 'standingRules' | 'handedOverFrom'
  >;
  readonly events: readonly NewEvent[];
}

/**
 * Hands over the task, the summary of the conversation, the scratchpad and the standing rules. Refuses
 * a session without a task.
 */
function handoverOf(
  from: ContextWindow,
  summary: SessionSummary | undefined,
): Handover | undefined {
  const task = from.blocks.find((block) => block.kind === 'anchor');
  if (task?.kind !== 'anchor') return undefined;
  const { text, admission, attachments } = task;
  const { scratchpad } = from;
  const title = titleOfWindow(from);
  const events: readonly NewEvent[] = [
    { type: 'stateSet', key: TITLE_KEY, value: handoverTitle(title) },
    ...rulesToHandOver(from, task.id),
    {
      type: 'promptSubmitted',
      text,
      admission,
      attachments,
    },
    ...rulesStruckIn(from, task.id),
    ...(summary === undefined
      ? []
      : [
          {
            type: 'noteAdded',
            source: { from: 'handover', title },
            text: summary.text,
            admission: { form: 'whole' },
          } as const,
        ]),
    ...(scratchpadText(scratchpad) === ''
      ? []
      : [{ type: 'scratchpadUpdated', scratchpad, handedOver: true } as const]),
    // Nothing is requested yet: the work continues with the user's next prompt.
    { type: 'turnEnded', outcome: { type: 'finished' } },
  ];
  const handedOverFrom = { sessionId: from.sessionId, title };
  const standingRules = from.rules?.on;
  return { start: { pinTaskAnchor: task.pinned, standingRules, handedOverFrom }, events };
}

/** The active rules that the new session cannot find in its task. */
function rulesToHandOver(from: ContextWindow, task: BlockId): readonly NewEvent[] {
  // A task that was shortened no longer says all of its rules.
  const rules = activeRules(from).filter(
    ({ origins, place }) => place === 'block' || !origins.includes(task),
  );
  return rules.map(({ text }) => ({ type: 'standingRuleAdded', text, given: true }));
}

/** Strikes again what the user struck in the task. */
function rulesStruckIn(from: ContextWindow, task: BlockId): readonly NewEvent[] {
  const struck = standingRulesOf(from).filter(
    ({ place, origins }) => place === 'struck' && origins.includes(task),
  );
  return struck.map(({ text }) => ({ type: 'standingRuleStruck', text }));
}
