import { awaitedApproval, turnEnd } from '../../contextWindow/turnEnd';
import type { ContextWindow } from '../../contextWindow/window';
import type { PromptContent, QueuedPrompt, SessionEvent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import type { HoldReason } from './state';
import { SessionLogError } from '../../sessions/sessionLog';
import type { AgentWork } from './agentWork';
import type { RunFollowers } from './runFollowers';
import type { TurnSource } from './turnSource';
import type { PromptQueue } from './promptQueue';

/** A turn to run: a prompt, with an id if it was queued, or the newest turn again. */
type Job = { readonly prompt: PromptContent; readonly id?: number } | 'continue';

/** A prompt that is not in the log yet; the one being sent has no id. */
export type WaitingPrompt = PromptContent & Partial<QueuedPrompt>;

/** The session whose turns are run. */
interface TurnSession {
  readonly source: Pick<TurnSource, 'runTurn' | 'continueTurn'>;
  /** False while the prompts of the session must wait. */
  readonly mayBegin: boolean;
  readonly window: ContextWindow;
  readonly events: readonly SessionEvent[];
  /** Why nothing can be sent; undefined if the session can be written. */
  readonly whyReadOnly: Refusal;
  /** Starts the session if there is none yet. */
  begin(): void;
}

const ASKED_FIRST = 'First choose how to continue the session.';

/**
 * Runs the turns of the session one after another: prompts in the order typed, or the newest turn
 * again.
 */
export class Turns {
  #sending:
    | { readonly prompt: PromptContent; readonly id?: number; readonly turnsBefore: number }
    | undefined;
  #isSendingNow = false;
  #logProblem: string | undefined;

  constructor(
    private readonly session: TurnSession,
    private readonly work: AgentWork,
    private readonly followers: RunFollowers,
    /** The waiting prompts. */
    readonly queue: PromptQueue,
  ) {}

  /** The prompts that are not in the log yet; the one being sent has no id. */
  get queued(): readonly WaitingPrompt[] {
    const { waiting } = this.queue;
    const sending = this.#sending;
    if (sending === undefined) return waiting;
    return [sending.prompt, ...waiting.filter(({ id }) => id !== sending.id)];
  }

  /** The error with which the log stopped accepting events; undefined while it accepts them. */
  get logProblem(): string | undefined {
    return this.#logProblem;
  }

  /** Notes that another log is open, or the same one again. */
  opened(): void {
    this.#logProblem = undefined;
  }

  /**
   * Sends a prompt now, or after earlier prompts; `atNextStep`: a running turn gets it at its next
   * step.
   */
  submit(prompt: PromptContent, atNextStep = false): Refusal {
    if (prompt.text.trim() === '') return 'There is nothing to send.';
    if (this.session.whyReadOnly !== undefined) return this.session.whyReadOnly;
    if (this.work.isBusy) this.queue.add(prompt, undefined, atNextStep);
    else if (this.session.mayBegin) this.#begin({ prompt });
    else this.queue.add(prompt, 'question');
    this.followers.changed();
    return undefined;
  }

  /** Continues the newest turn, which ended early or was interrupted. */
  continueTurn(): Refusal {
    const why = this.#whyNotBegin;
    if (why !== undefined) return why;
    const { type } = turnEnd(this.session.events);
    if (type === 'none' || type === 'finished') return 'There is no turn to continue.';
    this.#begin('continue');
    return undefined;
  }

  /** Asks again about a call that waited for an answer when the user left the session. */
  askAgain(): void {
    if (awaitedApproval(this.session.events) !== undefined) this.continueTurn();
  }

  /** Continues with prompts held because of a problem or an open question. */
  resume(): void {
    this.askAgain();
    const { held } = this.queue;
    if (held === 'refused' || held === 'question') this.sendQueued();
  }

  /** Continues with held prompts, whatever the reason. */
  sendQueued(): Refusal {
    const why = this.work.isBusy ? undefined : this.#whyNotBegin;
    if (why !== undefined) return why;
    this.queue.release();
    this.sendNext();
    this.followers.changed();
    return undefined;
  }

  /** Sends the next prompt, unless the agent is at work or prompts are held. */
  sendNext(): void {
    const next = this.work.isBusy ? undefined : this.queue.next();
    if (next !== undefined) this.#begin(jobOf(next));
  }

  /** Sends one prompt before the others; stops a running turn for it. */
  sendNow(id: number): Refusal {
    const why = this.work.isBusy ? undefined : this.#whyNotBegin;
    const refusal = why ?? this.change((queue) => queue.move(id, 0));
    if (refusal !== undefined) return refusal;
    const [first] = this.queue.waiting;
    if (this.work.isBusy) {
      this.#isSendingNow = true;
      this.work.stop();
    } else if (first !== undefined) this.#begin(jobOf(first));
    return undefined;
  }

  /** Changes the waiting prompts. */
  change(change: (queue: PromptQueue) => Refusal): Refusal {
    const refusal = this.session.whyReadOnly ?? change(this.queue);
    this.followers.changed();
    return refusal;
  }

  /** Stops the turn; waiting prompts are held. `reason`: the user did not ask for it. */
  stop(reason?: Error): void {
    this.#isSendingNow = false;
    this.work.stop(reason);
  }

  get #whyNotBegin(): Refusal {
    if (this.work.isBusy) return 'The agent is at work already.';
    return this.session.whyReadOnly ?? (this.session.mayBegin ? undefined : ASKED_FIRST);
  }

  #begin(job: Job): void {
    void this.work.occupy(() => this.#runAll(job));
  }

  async #runAll(first: Job): Promise<void> {
    for (let job: Job | undefined = first; job !== undefined;) {
      const reason = await this.#run(job);
      if (this.#isSendingNow) this.queue.release();
      else if (reason !== undefined) this.queue.hold(reason);
      this.#isSendingNow = false;
      const next = this.queue.next();
      job = next === undefined ? undefined : jobOf(next);
    }
  }

  /**
   * Runs a turn; returns why waiting prompts are then held, or undefined if the next one follows.
   */
  async #run(job: Job): Promise<HoldReason | undefined> {
    const turnsBefore = this.session.window.turn;
    this.#logProblem = undefined;
    this.#sending = job === 'continue' ? undefined : { ...job, turnsBefore };
    try {
      const ran = await this.work.run(
        (deps, signal) =>
          job === 'continue'
            ? this.session.source.continueTurn(deps, signal)
            : this.session.source.runTurn(deps, job.prompt, signal),
        () => this.#takeLogged(),
      );
      if (!ran.ok) {
        this.followers.refused(ran);
        return 'refused';
      }
      this.followers.ended(ran.value);
      const { type } = ran.value;
      if (type === 'finished') return undefined;
      return type === 'stopped' ? 'stopped' : 'ended';
    } catch (error) {
      if (error instanceof SessionLogError) this.#logProblem = error.message;
      this.followers.broke(error);
      return 'ended';
    } finally {
      this.#takeLogged();
      this.#keepUnsent();
      this.followers.changed();
    }
  }

  /** A prompt in the log no longer waits. */
  #takeLogged(): void {
    const sending = this.#sending;
    if (sending === undefined || this.session.window.turn === sending.turnsBefore) return;
    this.#sending = undefined;
    if (sending.id !== undefined) this.queue.remove(sending.id);
  }

  /** A prompt that did not reach the log is not lost. */
  #keepUnsent(): void {
    const sending = this.#sending;
    this.#sending = undefined;
    if (sending === undefined || sending.id !== undefined) return;
    try {
      this.session.begin();
    } catch (error) {
      // Without a log it waits in memory.
      if (!(error instanceof SessionLogError)) throw error;
    }
    this.queue.putBack(sending.prompt);
  }
}

function jobOf({ id, text, attachments }: QueuedPrompt): Job {
  return { prompt: { text, attachments }, id };
}
