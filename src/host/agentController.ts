import { stripVTControlCharacters } from 'node:util';
import type { AgentDeps } from '../agent/agentDeps';
import type { AgentEvent } from '../agent/agentEvent';
import type { Session } from '../agent/session';
import type { ApprovalAnswer, ApprovalRequest } from '../agent/tool';
import { isInWindow, type BlockId, type ToolUse } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import type { SessionEvent, TurnOutcome } from '../contextWindow/event';
import { EMPTY_WINDOW } from '../contextWindow/fold';
import type { Problem } from '../protocol/agentView';
import { ApprovalDesk } from './approvalDesk';
import { IDLE, liveAfter, type LiveTurn } from './liveTurn';
import { PromptQueue } from './promptQueue';

/** What a turn is run with, apart from what the controller itself brings. */
export type TurnParts = Omit<AgentDeps, 'session' | 'approve' | 'now'>;

/** What the controller needs from outside. */
export interface ControllerEffects {
  readonly runTurn: (
    deps: AgentDeps,
    prompt: string,
    signal: AbortSignal,
  ) => AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Gathers what a turn needs, or says what stands in its way. */
  prepareTurn(): Promise<
    | { readonly ok: true; readonly parts: TurnParts }
    | { readonly ok: false; readonly problem: Problem }
  >;
  /** Begins the log of a new session. */
  startSession(): Session;
  /** Told when the current session was left. */
  sessionLeft(): void;
  /** Shows the user what they are asked about, until the returned function is called. */
  showProposal(use: ToolUse, request: ApprovalRequest): () => void;
  /** Told after every change of what the views show. */
  changed(): void;
  /** Told of every event of the running turn, before `changed`. */
  heard(event: AgentEvent): void;
  /** Told when a turn is over; ms. */
  turnEnded(outcome: TurnOutcome, durationMs: number): void;
  /** Told what stood in the way of a turn; the prompt is kept. */
  turnRefused(problem: Problem): void;
  /** Told of every change of the prompts that wait, to keep them should the window go. */
  queueChanged(waiting: readonly string[]): void;
  /** Takes our own bugs: log with stack, one notification. */
  report(error: unknown): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Why a wish was not fulfilled; undefined when it was. */
export type Refusal = string | undefined;

/** Owns the current session: runs its turns one after another, and passes on the user's word. */
export class AgentController {
  readonly #queue: PromptQueue;
  readonly #approvals = new ApprovalDesk();
  #session: Session | undefined;
  #forgetSession: (() => void) | undefined;
  #live: LiveTurn = IDLE;
  #running: Promise<void> | undefined;
  #stop: AbortController | undefined;
  #sending: { readonly prompt: string; readonly turnsBefore: number } | undefined;
  #isRefused = false;

  /** `waiting` are prompts an earlier window was not done with; they are sent when the user says so. */
  constructor(
    private readonly effects: ControllerEffects,
    waiting: readonly string[] = [],
  ) {
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

  /** The prompts that are not in the log yet, the one being sent included. */
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
    this.#session = session;
    this.#forgetSession = session?.onEvent(() => this.effects.changed());
    this.effects.changed();
  }

  /** Sends a prompt now, or when the prompts before it have had their turn. */
  submit(prompt: string): Refusal {
    if (prompt.trim() === '') return 'There is nothing to send.';
    this.#queue.add(prompt);
    this.#work();
    this.effects.changed();
    return undefined;
  }

  /** Goes on with prompts that were kept because something stood in the way. */
  resume(): void {
    if (this.#isRefused) this.#work();
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

  /** Leaves the session for a new one, whose log begins with its first prompt; prompts that wait stay. */
  startNew(): Refusal {
    if (this.isBusy) return 'The agent is still at work: stop it before starting a new session.';
    this.openSession(undefined);
    this.effects.sessionLeft();
    return undefined;
  }

  answerApproval(toolUseId: string, answer: ApprovalAnswer): Refusal {
    return this.#approvals.answer(toolUseId, answer)
      ? undefined
      : 'This question has been answered already.';
  }

  /** Pins or unpins a block of the window. */
  setPinned(blockId: string, pinned: boolean): Refusal {
    const block = findBlock(this.window, blockId as BlockId);
    if (this.#session === undefined || block === undefined) return 'There is no such block.';
    if (block.pinned === pinned) return undefined;
    if (this.#live.activity.state === 'compacting') {
      return 'A pass is running on the numbers it began with: try again when it is over.';
    }
    if (pinned && !isInWindow(block)) {
      return 'This block has left the window; pinning would not bring it back.';
    }
    this.#session.append({ type: pinned ? 'blockPinned' : 'blockUnpinned', blockId: block.id });
    return undefined;
  }

  /** Pins or unpins the task anchor, because the setting was changed. */
  setAnchorPinned(pinned: boolean): Refusal {
    const anchor = this.window.blocks.find((block) => block.kind === 'anchor');
    return anchor === undefined ? undefined : this.setPinned(anchor.id, pinned);
  }

  /** Stops everything and settles when the turn has ended. */
  async dispose(): Promise<void> {
    this.#queue.clear();
    this.#stop?.abort();
    await this.#running;
  }

  #work(): void {
    this.#running ??= this.#runQueue().finally(() => {
      this.#running = undefined;
      this.effects.changed();
    });
  }

  async #runQueue(): Promise<void> {
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) {
      const outcome = await this.#runPrompt(next);
      // What failed for one prompt would fail for the next: those that wait are kept.
      if (outcome === 'failed') return;
    }
  }

  async #runPrompt(prompt: string): Promise<'ended' | 'failed'> {
    const stop = new AbortController();
    this.#stop = stop;
    const began = this.effects.now();
    const turnsBefore = this.window.turn;
    this.#sending = { prompt, turnsBefore };
    this.#live = { activity: { state: 'asking', since: began } };
    this.effects.changed();
    try {
      const prepared = await this.effects.prepareTurn();
      this.#isRefused = !prepared.ok;
      if (!prepared.ok) {
        this.#sending = undefined;
        this.#queue.putBack(prompt);
        this.effects.turnRefused(prepared.problem);
        return 'failed';
      }
      if (this.#session === undefined) this.openSession(this.effects.startSession());
      const outcome = await this.#listen(this.#depsOf(prepared.parts), prompt, stop.signal);
      this.effects.turnEnded(outcome, this.effects.now() - began);
      return outcome.type === 'failed' || outcome.type === 'contextFull' ? 'failed' : 'ended';
    } catch (error) {
      this.effects.report(error);
      // A prompt that never reached the log is not lost.
      if (this.window.turn === turnsBefore) this.#queue.putBack(prompt);
      return 'failed';
    } finally {
      this.#stop = undefined;
      this.#sending = undefined;
      this.#live = IDLE;
      this.effects.changed();
    }
  }

  async #listen(deps: AgentDeps, prompt: string, signal: AbortSignal): Promise<TurnOutcome> {
    const turn = this.effects.runTurn(deps, prompt, signal);
    let next = await turn.next();
    for (; next.done !== true; next = await turn.next()) {
      const event = readable(next.value);
      this.#live = liveAfter(this.#live, event, this.effects.now());
      this.effects.heard(event);
    }
    return next.value;
  }

  #depsOf(parts: TurnParts): AgentDeps {
    if (this.#session === undefined) throw new Error('A turn needs a session.');
    return {
      ...parts,
      session: this.#session,
      now: () => this.effects.now(),
      approve: async (use, request, signal) => {
        const hide = this.effects.showProposal(use, request);
        try {
          return await this.#approvals.ask(use.id, signal);
        } finally {
          hide();
        }
      },
    };
  }
}

/** Takes colour codes out of live output: the views show text. */
function readable(event: AgentEvent): AgentEvent {
  return event.type === 'toolOutput'
    ? { ...event, text: stripVTControlCharacters(event.text) }
    : event;
}
