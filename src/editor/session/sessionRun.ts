import type { AgentDeps } from '../../agent/agentDeps';
import type { Session } from '../../agent/session';
import { windowClosing } from '../../agent/stopping';
import { dropSummaryAhead } from '../../agent/summaryAhead';
import { textsOf } from '../../contextWindow/account/measure';
import { windowAfter } from '../../contextWindow/passes/movement';
import type { ContextWindow } from '../../contextWindow/window';
import type { PromptContent, QueuedPrompt, SessionEvent } from '../../contextWindow/event';
import { EMPTY_WINDOW } from '../../contextWindow/fold';
import { type Mode, modeOf } from '../../contextWindow/mode';
import { type Refusal, refused } from '../../contextWindow/result';
import { AgentWork, type LiveTurn } from './agentWork';
import {
  ChangesByHand,
  type Pricing,
  pinChange,
  undoChange,
  type WindowChange,
} from './changesByHand';
import { type RunFollower, RunFollowers } from './runFollowers';
import { leftByUndo, undoAllByHand } from './undoAllByHand';
import type { PreparedTurn, RunSession, TurnParts, TurnSource } from './turnSource';
import type { CompactedNow, RoomOf } from './compactNow';
import { PromptQueue } from './promptQueue';
import { Questions } from './questions';
import { rulesSwitched } from './rulesByHand';
import { Turns, type WaitingPrompt } from './sessionTurns';

/** Events that put uncounted texts into the window, such as placeholders. */
const CHANGES_TEXTS: ReadonlySet<SessionEvent['type']> = new Set([
  'passApplied',
  'passUndone',
  'anchorMoved',
  'scratchpadUpdated',
  'standingRulesSet',
  'standingRuleAdded',
  'standingRuleStruck',
]);

/** Prompts that a log did not accept, by session id; shared by all runs. */
export type UnsavedPrompts = Map<string, readonly QueuedPrompt[]>;

/** The window that has a session open. */
export interface RunOwner {
  readonly source: TurnSource;
  readonly pricing: Pricing;
  /** Starts the log of a session with its first prompt. */
  start(run: SessionRun): Session;
  /** False while the prompts of a session must wait. */
  mayBegin(run: SessionRun): boolean;
  prepare(run: SessionRun): Promise<PreparedTurn>;
}

/**
 * A session and the agent's work on it: its turns one after another, waiting prompts, questions and
 * answers.
 */
export class SessionRun implements RunSession {
  readonly questions: Questions;
  readonly byHand = new ChangesByHand(this);
  readonly turns: Turns;
  readonly #work: AgentWork;
  readonly #followers = new RunFollowers();
  #session: Session | undefined;
  #whyReadOnly: Refusal;
  #forgetSession: (() => void) | undefined;
  /** The mode chosen before the first prompt. */
  #modeBefore: Mode = 'ask';

  constructor(
    private readonly owner: RunOwner,
    unsaved: UnsavedPrompts,
  ) {
    this.questions = new Questions(this.#followers);
    this.#work = new AgentWork(this, this.#followers);
    this.turns = new Turns(this, this.#work, this.#followers, new PromptQueue(unsaved));
  }

  get source(): TurnSource {
    return this.owner.source;
  }

  get pricing(): Pricing {
    return this.owner.pricing;
  }

  /** False while the prompts of the session must wait. */
  get mayBegin(): boolean {
    return this.owner.mayBegin(this);
  }

  /** The session; undefined before its first prompt. */
  get session(): Session | undefined {
    return this.#session;
  }

  get window(): ContextWindow {
    return this.#session?.window ?? EMPTY_WINDOW;
  }

  get events(): readonly SessionEvent[] {
    return this.#session?.events ?? [];
  }

  get live(): LiveTurn {
    return this.#work.live;
  }

  /** The prompts that are not in the log yet. */
  get queued(): readonly WaitingPrompt[] {
    return this.turns.queued;
  }

  get isBusy(): boolean {
    return this.#work.isBusy;
  }

  /** Why the session is read-only; undefined if it is not. */
  get whyReadOnly(): Refusal {
    return this.#whyReadOnly;
  }

  /** Opens a session; undefined for none yet. `whyReadOnly` makes it read-only. */
  open(session: Session | undefined, whyReadOnly?: string): void {
    this.#attach(session);
    this.#whyReadOnly = whyReadOnly;
    this.turns.queue.open(session);
  }

  /** Leaves the session; `isGoingOn`: it continues elsewhere, with its prepared summary. */
  leave(isGoingOn = false): void {
    this.#forgetSession?.();
    if (this.#session !== undefined && !isGoingOn) dropSummaryAhead(this.#session);
    this.#followers.left();
  }

  /** Sends the events of this session to a follower until the returned function is called. */
  follow(follower: RunFollower): () => void {
    return this.#followers.add(follower);
  }

  /** The mode that applies from the next step on. */
  get mode(): Mode {
    return this.#session === undefined ? this.#modeBefore : modeOf(this.#session.window);
  }

  /** Chooses a mode; says why not. */
  setMode(mode: Mode): Refusal {
    if (this.#whyReadOnly !== undefined) return this.#whyReadOnly;
    if (mode === this.mode) return undefined;
    if (this.#session === undefined) this.#modeBefore = mode;
    else this.#session.append({ type: 'modeSet', mode });
    this.#followers.changed();
    return undefined;
  }

  /** Sends a prompt now, or after the turns of earlier prompts. */
  submit(prompt: string | PromptContent): Refusal {
    return this.turns.submit(typeof prompt === 'string' ? { text: prompt } : prompt);
  }

  /** Stops the turn; waiting prompts are held. */
  stop(): void {
    this.turns.stop();
  }

  /** Ends the pause before a retry. */
  tryNow(): Refusal {
    return this.#work.tryNow();
  }

  /** Changes the window by hand, or says why not. */
  edit(change: (window: ContextWindow) => WindowChange): Refusal {
    const edit = change(this.window);
    if (!edit.ok) return edit.message;
    if (edit.event === undefined) return undefined;
    const session = this.#session;
    if (session === undefined) return 'There is no session yet. It starts with your first prompt.';
    const why = this.whyNoChange;
    if (why === undefined) session.append(edit.event);
    return why;
  }

  /** Why the window cannot be changed by hand right now. */
  get whyNoChange(): Refusal {
    if (this.#whyReadOnly !== undefined) return this.#whyReadOnly;
    const { state } = this.live.activity;
    if (state === 'awaitingReview') {
      return 'A pass is waiting for your review: apply or postpone it first.';
    }
    return state === 'compacting'
      ? 'A pass is running with the settings it started with. Try again when it has ended.'
      : undefined;
  }

  /** Pins or unpins the task anchor, because the setting was changed. */
  setAnchorPinned(pinned: boolean): Refusal {
    const anchor = this.window.blocks.find((block) => block.kind === 'anchor');
    return anchor === undefined
      ? undefined
      : this.edit((window) => pinChange(window, anchor.id, pinned));
  }

  /** Switches the standing rules of the session on or off. */
  switchRules(on: boolean): Refusal {
    return this.window.turn === 0 ? undefined : this.edit((window) => rulesSwitched(window, on));
  }

  undoPass(number: number): Refusal {
    if (this.isBusy) return 'The agent is working. You can undo a pass when its turn has ended.';
    return this.edit((window) => undoChange(window, number));
  }

  /** Undoes all changes by hand that can be undone, and says which stay. */
  async undoAllByHand(): Promise<Refusal> {
    if (this.isBusy) return 'The agent is working. You can undo changes when its turn has ended.';
    const why = this.whyNoChange;
    if (why !== undefined) return why;
    await this.pricing.estimator.warm(
      textsOf(windowAfter(this.window, undoAllByHand(this.window).events)),
    );
    const undone = undoAllByHand(this.window);
    for (const event of undone.events) this.edit(() => ({ ok: true, event }));
    return leftByUndo(undone);
  }

  /** Runs a pass now, and returns the result; `instructions` are the user's for its summaries. */
  async compactNow(instructions = '', of: RoomOf = 'policy'): Promise<CompactedNow> {
    if (this.isBusy)
      return refused('The agent is working. You can compact when its turn has ended.');
    if (this.#whyReadOnly !== undefined) return refused(this.#whyReadOnly);
    if (this.#session === undefined) return refused('There is nothing in the window yet.');
    let made: CompactedNow = refused('Something went wrong: nothing was removed from the window.');
    await this.#work.occupy(async () => {
      made = await this.#runManualPass(instructions, of);
    });
    // Send prompts typed meanwhile; held ones stay held.
    this.turns.sendNext();
    return made;
  }

  /** Stops the turn, and resolves once nothing runs. */
  async end(): Promise<void> {
    this.stop();
    await this.#work.settled();
  }

  /** Resolves once nothing runs. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  /** Stops everything because the window closes, and resolves when the turn has ended. */
  async dispose(): Promise<void> {
    this.turns.stop(windowClosing());
    await this.settled();
    if (this.#session !== undefined) dropSummaryAhead(this.#session);
  }

  /** Starts the session if there is none yet. */
  begin(): Session {
    const session = this.#session ?? this.owner.start(this);
    if (session !== this.#session) {
      this.#attach(session);
      this.turns.queue.begin(session);
      if (this.#modeBefore !== 'ask') session.append({ type: 'modeSet', mode: this.#modeBefore });
    }
    return session;
  }

  prepare(): Promise<PreparedTurn> {
    return this.owner.prepare(this);
  }

  /** Completes the resources of a turn, and starts the session if there is none yet. */
  depsOf(parts: TurnParts): AgentDeps {
    const now = () => this.now();
    const { queue } = this.turns;
    const queuedPrompts = {
      waiting: () => queue.forNextStep,
      added: (id: number) => void queue.remove(id),
    };
    const session = this.begin();
    const background = this.source.background(session);
    return { ...parts, ...this.questions.ports, session, background, queuedPrompts, now };
  }

  now(): number {
    return this.source.now();
  }

  #attach(session: Session | undefined): void {
    this.#session = session;
    this.turns.opened();
    this.#forgetSession = session?.onEvent(({ type }) => {
      this.#followers.changed();
      if (CHANGES_TEXTS.has(type)) this.#followers.textsChanged();
    });
  }

  async #runManualPass(instructions: string, of: RoomOf): Promise<CompactedNow> {
    try {
      const ran = await this.#work.run((deps, signal) =>
        this.source.compactNow(deps, signal, instructions, of),
      );
      return ran.ok ? ran.value : refused(ran.message);
    } catch (error) {
      this.#followers.broke(error);
      return refused('Nothing was compacted.');
    }
  }
}
