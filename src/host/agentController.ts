import type { AgentDeps } from '../agent/agentDeps';
import type { AgentEvent } from '../agent/agentEvent';
import type { Session } from '../agent/session';
import { dropAhead } from '../agent/summaryAhead';
import type { ContextWindow } from '../contextWindow/contextWindow';
import type { SessionEvent } from '../contextWindow/event';
import { EMPTY_WINDOW } from '../contextWindow/log/fold';
import type { Problem } from '../protocol/agentView';
import { ChangesByHand, pinChange, undoChange, type WindowChange } from './changesByHand';
import type { ControllerEffects, TurnParts } from './controllerEffects';
import { IDLE, liveAfter, type LiveTurn } from '../views/liveTurn';
import type { MadeRoom, RoomOf } from './makeRoom';
import { readable } from './readable';
import { PromptQueue } from './promptQueue';
import { Questions } from './questions';
import { refused, type Refusal } from '../contextWindow/result';
import { redactedEvents } from '../agent/redactedEvents';

/** The result of work by the agent, or what stood in its way. */
type Ran<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** Owns the current session: runs its turns one after another, and passes on the user's answer. */
export class AgentController {
  /** What the agent asks the user, and the answers. */
  readonly questions: Questions;
  /** The user's changes of single blocks. */
  readonly byHand: ChangesByHand;
  readonly #queue: PromptQueue;
  #session: Session | undefined;
  #forgetSession: (() => void) | undefined;
  #live: LiveTurn = IDLE;
  #running: Promise<void> | undefined;
  #stop: AbortController | undefined;
  #sending: { readonly prompt: string; readonly turnsBefore: number } | undefined;
  #isRefused = false;
  #isHeld = false;

  /**
   * `waiting` are prompts that an earlier window had not sent; they are sent when the user says so.
   */
  constructor(
    private readonly effects: ControllerEffects,
    waiting: readonly string[] = [],
  ) {
    this.questions = new Questions(effects);
    this.byHand = new ChangesByHand(this, effects);
    this.#queue = new PromptQueue(waiting, (prompts) => effects.queueChanged(prompts));
  }

  get window(): ContextWindow {
    return this.#session?.window ?? EMPTY_WINDOW;
  }

  get events(): readonly SessionEvent[] {
    return this.#session?.events ?? [];
  }

  get live(): LiveTurn {
    return this.#live;
  }

  /** The prompts that are not in the log yet, including the one being sent. */
  get queued(): readonly string[] {
    const sending = this.#sending;
    return sending?.turnsBefore === this.window.turn
      ? [sending.prompt, ...this.#queue.waiting]
      : this.#queue.waiting;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Makes a session the current one; undefined for none yet. */
  openSession(session: Session | undefined): void {
    this.#forgetSession?.();
    if (this.#session !== undefined && this.#session !== session) dropAhead(this.#session);
    this.#session = session;
    this.#forgetSession = session?.onEvent(() => this.effects.changed());
    this.effects.changed();
  }

  /** Sends a prompt now, or after the turns of the prompts before it. */
  submit(prompt: string): Refusal {
    if (prompt.trim() === '') return 'There is nothing to send.';
    this.#queue.add(prompt);
    this.#work();
    this.effects.changed();
    return undefined;
  }

  /** Goes on with prompts that were kept because something stood in the way, or a question did. */
  resume(): void {
    if (this.#isRefused || this.#isHeld) this.#work();
  }

  /** Goes on with prompts that were kept, for whatever reason. */
  sendQueued(): void {
    this.#work();
  }

  /** Takes the prompts that wait out of the queue, as one text; '' when none waits. */
  takeBackQueued(): string {
    const text = this.#queue.takeAll().join('\n\n');
    this.effects.changed();
    return text;
  }

  /** Stops the turn at once; prompts that wait are sent after it. */
  stop(): void {
    if (this.#stop === undefined) return;
    this.#live = { ...this.#live, activity: { state: 'stopping' } };
    this.#stop.abort();
    this.effects.changed();
  }

  /** Ends the pause before a request is sent again. */
  tryNow(): Refusal {
    const { tryNow } = this.#live;
    if (tryNow === undefined) return 'Nothing waits to be tried again.';
    tryNow();
    return undefined;
  }

  /** Leaves the session for a new one, whose log begins with its first prompt; prompts that wait stay. */
  startNew(): Refusal {
    if (this.isBusy) return 'The agent is still at work: stop it before starting a new session.';
    this.openSession(undefined);
    this.effects.sessionLeft();
    return undefined;
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
    const { state } = this.#live.activity;
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

  /** Takes back what a pass did. */
  undoPass(number: number): Refusal {
    if (this.isBusy) return 'The agent is working. You can undo a pass when its turn has ended.';
    return this.edit((window) => undoChange(window, number));
  }

  /**
   * Runs a pass now, and says what came of it; `instructions` are what the user wants of its
   * summaries.
   */
  async makeRoom(instructions = '', of: RoomOf = 'policy'): Promise<MadeRoom> {
    if (this.isBusy)
      return refused('The agent is working. You can make room when its turn has ended.');
    if (this.#session === undefined) return refused('There is nothing in the window yet.');
    const waiting = this.#queue.waiting.length;
    let made: MadeRoom = refused('Something went wrong: nothing has left the window.');
    this.#occupy(this.#runManualPass(instructions, of).then((came) => void (made = came)));
    await this.#running;
    // Sends what was typed meanwhile; prompts kept from before wait for the user's answer.
    if (this.#queue.waiting.length > waiting) this.#work();
    return made;
  }

  /** Stops the turn, and settles once nothing runs any more. */
  async end(): Promise<void> {
    this.stop();
    await this.#running;
  }

  /** Stops everything and settles when the turn has ended. */
  async dispose(): Promise<void> {
    this.#queue.clear();
    await this.end();
    if (this.#session !== undefined) dropAhead(this.#session);
  }

  #work(): void {
    if (this.isBusy) return;
    this.#isHeld = !this.effects.mayBegin();
    if (!this.#isHeld) this.#occupy(this.#runQueue());
  }

  #occupy(work: Promise<void>): void {
    this.#running = work.finally(() => {
      this.#running = undefined;
      this.effects.changed();
    });
  }

  async #runQueue(): Promise<void> {
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) {
      const outcome = await this.#runPrompt(next);
      // What failed for one prompt would fail for the next: the waiting ones are kept.
      if (outcome === 'failed') return;
    }
  }

  async #runPrompt(prompt: string): Promise<'ended' | 'failed'> {
    const began = this.effects.now();
    const turnsBefore = this.window.turn;
    this.#sending = { prompt, turnsBefore };
    try {
      const ran = await this.#runAgent((deps, signal) =>
        this.effects.runTurn(deps, prompt, signal),
      );
      this.#isRefused = !ran.ok;
      if (!ran.ok) {
        this.#queue.putBack(prompt);
        this.effects.turnRefused(ran.problem);
        return 'failed';
      }
      const outcome = ran.value;
      this.effects.turnEnded(outcome, this.effects.now() - began);
      return outcome.type === 'failed' || outcome.type === 'contextFull' ? 'failed' : 'ended';
    } catch (error) {
      this.effects.report(error);
      // A prompt that never reached the log is not lost.
      if (this.window.turn === turnsBefore) this.#queue.putBack(prompt);
      return 'failed';
    } finally {
      this.#sending = undefined;
      this.effects.changed();
    }
  }

  async #runManualPass(instructions: string, of: RoomOf): Promise<MadeRoom> {
    try {
      const ran = await this.#runAgent((deps, signal) =>
        this.effects.makeRoom(deps, signal, instructions, of),
      );
      return ran.ok ? ran.value : refused(ran.problem.message);
    } catch (error) {
      this.effects.report(error);
      return refused('No room was made.');
    }
  }

  /** Runs work of the agent that the user can stop. */
  async #runAgent<T>(
    work: (deps: AgentDeps, signal: AbortSignal) => AsyncGenerator<AgentEvent, T>,
  ): Promise<Ran<T>> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#live = { activity: { state: 'asking', since: this.effects.now() } };
    this.effects.changed();
    try {
      const prepared = await this.effects.prepareTurn();
      if (!prepared.ok) return prepared;
      if (this.#session === undefined) this.openSession(this.effects.startSession());
      const events = redactedEvents(work(this.#depsOf(prepared.parts), stop.signal));
      return { ok: true, value: await this.#listen(events) };
    } finally {
      this.#stop = undefined;
      this.#live = IDLE;
      this.effects.changed();
    }
  }

  async #listen<T>(events: AsyncGenerator<AgentEvent, T>): Promise<T> {
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) {
      const event = readable(next.value);
      this.#live = liveAfter(this.#live, event, this.effects.now());
      this.effects.heard(event);
    }
    return next.value;
  }

  #depsOf(parts: TurnParts): AgentDeps {
    if (this.#session === undefined) throw new Error('A turn needs a session.');
    const now = () => this.effects.now();
    return { ...parts, ...this.questions.ports, session: this.#session, now };
  }
}
