import type { Session } from '../../agent/session';
import type { ContextWindow } from '../../contextWindow/window';
import type { PromptContent, SessionEvent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import type { LiveTurn } from './agentWork';
import type { ChangesByHand, WindowChange } from './changesByHand';
import type { ControllerEffects } from './controllerEffects';
import type { CompactedNow, RoomOf } from './compactNow';
import type { Questions } from './questions';
import { SessionRun, type UnsavedPrompts } from './sessionRun';
import type { Turns, WaitingPrompt } from './turns';

/**
 * The session shown, and those in which the agent goes on working meanwhile. Whatever a view asks for
 * concerns the one shown.
 */
export class AgentController {
  readonly #unsaved: UnsavedPrompts = new Map();
  readonly #background = new Set<SessionRun>();
  #shown: SessionRun;

  /** `effectsOf` gives each session what its work needs from outside. */
  constructor(private readonly effectsOf: (run: SessionRun) => ControllerEffects) {
    this.#shown = this.#newRun();
  }

  /** The agent on the session shown. */
  get shown(): SessionRun {
    return this.#shown;
  }

  /** Sessions at work that are not shown, the one left first at the beginning. */
  get background(): readonly SessionRun[] {
    return [...this.#background];
  }

  /** Every session at work. */
  get atWork(): readonly SessionRun[] {
    return [this.#shown, ...this.#background].filter(({ isBusy }) => isBusy);
  }

  /** Says whether the agent is at work in a session, shown or not. */
  isAtWork(session: Session | undefined): boolean {
    return session !== undefined && this.atWork.some((run) => run.session === session);
  }

  /** The session in which a question about this call waits, the one shown before others. */
  asking(toolUseId: string): SessionRun | undefined {
    return this.atWork.find(({ questions }) => questions.isOpen(toolUseId));
  }

  /** What the agent asks the user, and the answers. */
  get questions(): Questions {
    return this.#shown.questions;
  }

  /** The user's changes of single blocks. */
  get byHand(): ChangesByHand {
    return this.#shown.byHand;
  }

  /** The turns of the session, and the prompts that wait in it. */
  get turns(): Turns {
    return this.#shown.turns;
  }

  get window(): ContextWindow {
    return this.#shown.window;
  }

  get events(): readonly SessionEvent[] {
    return this.#shown.events;
  }

  get live(): LiveTurn {
    return this.#shown.live;
  }

  /** The prompts that are not in the log as such yet. */
  get queued(): readonly WaitingPrompt[] {
    return this.#shown.queued;
  }

  get isBusy(): boolean {
    return this.#shown.isBusy;
  }

  /** Why nothing can be done in this session but look at it; undefined where it can be written. */
  get whyReadOnly(): Refusal {
    return this.#shown.whyReadOnly;
  }

  /** Why the window cannot be changed by hand right now. */
  get whyNoChange(): Refusal {
    return this.#shown.whyNoChange;
  }

  /**
   * Shows a session, as it works or rests; undefined for none yet. What is left goes on working.
   * `whyReadOnly`: it can only be looked at.
   */
  openSession(session: Session | undefined, whyReadOnly?: string): void {
    const left = this.#shown;
    const working = this.atWork.find((run) => session !== undefined && run.session === session);
    if (working !== left) {
      this.#shown = working ?? this.#newRun();
      this.#background.delete(this.#shown);
      if (left.isBusy) void this.#keepWorking(left);
      else left.leave(left.session === session);
      if (working === undefined) this.#shown.open(session, whyReadOnly);
    }
    this.#shown.effects.changed();
  }

  /** Sends a prompt now, or after the turns of the prompts before it. */
  submit(prompt: string | PromptContent): Refusal {
    return this.#shown.submit(prompt);
  }

  /** Stops the turn at once; prompts that wait are held. */
  stop(): void {
    this.#shown.stop();
  }

  /** Ends the pause before a request is sent again. */
  tryNow(): Refusal {
    return this.#shown.tryNow();
  }

  /**
   * Leaves the session, with what waits in it, for a new one, whose log begins with its first prompt.
   * `withTyped`: what was typed while the user was asked how the session goes on is for the new one.
   */
  startNew(how: 'empty' | 'withTyped' = 'empty'): void {
    const typed = how === 'withTyped' ? this.turns.queue.takeAsked() : [];
    this.openSession(undefined);
    this.#shown.effects.sessionLeft();
    for (const prompt of typed) this.turns.queue.add(prompt, 'question');
  }

  /** Changes the window by hand, or says why not. */
  edit(change: (window: ContextWindow) => WindowChange): Refusal {
    return this.#shown.edit(change);
  }

  /** Pins or unpins the task anchor, because the setting was changed. */
  setAnchorPinned(pinned: boolean): Refusal {
    return this.#shown.setAnchorPinned(pinned);
  }

  /** Takes back what a pass did. */
  undoPass(number: number): Refusal {
    return this.#shown.undoPass(number);
  }

  /** Runs a pass now, and says what came of it; `instructions` are for its summaries. */
  compactNow(instructions = '', of: RoomOf = 'policy'): Promise<CompactedNow> {
    return this.#shown.compactNow(instructions, of);
  }

  /** Stops the turn of the session shown, and settles once nothing runs in it any more. */
  end(): Promise<void> {
    return this.#shown.end();
  }

  /** Stops everything, because the window goes, and settles when every turn has ended. */
  async dispose(): Promise<void> {
    await Promise.all([this.#shown, ...this.#background].map((run) => run.dispose()));
  }

  /** A session that is not shown is known as long as the agent works in it; its log has the rest. */
  async #keepWorking(run: SessionRun): Promise<void> {
    this.#background.add(run);
    do await run.settled();
    while (run.isBusy);
    if (this.#background.delete(run)) run.leave();
    this.#shown.effects.changed();
  }

  #newRun(): SessionRun {
    return new SessionRun(this.effectsOf, this.#unsaved);
  }
}
