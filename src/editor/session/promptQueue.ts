import {
  promptParts,
  promptWithAttached,
  withoutRepeats,
  type AttachedText,
} from '../../contextWindow/attached';
import type { Session } from '../../agent/session';
import type { PromptContent, QueuedPrompt, SessionEvent } from '../../contextWindow/event';
import type { Refusal } from '../../contextWindow/result';
import type { HoldReason } from './state';
import { SessionLogError } from '../../sessions/sessionLog';

const IS_PROMPT = 'Images and PDFs need a prompt of their own, which is sent after this turn.';
const GONE = 'This prompt no longer waits: it was sent or deleted meanwhile.';

/**
 * The waiting prompts of one session, stored in its log: a reload restores them, held, and no other
 * session or window sends them.
 */
export class PromptQueue {
  #session: Session | undefined;
  #prompts: readonly QueuedPrompt[] = [];
  #held: HoldReason | undefined;

  /** `unsaved` holds prompts that logs did not accept, by session id. */
  constructor(private readonly unsaved: Map<string, readonly QueuedPrompt[]>) {}

  /** The waiting prompts, in sending order. */
  get waiting(): readonly QueuedPrompt[] {
    return this.#prompts;
  }

  /** Why nothing is sent automatically; undefined if prompts are sent, or none waits. */
  get held(): HoldReason | undefined {
    return this.#prompts.length === 0 ? undefined : this.#held;
  }

  /**
   * Switches to another session with its waiting prompts; they are held until the user sends them.
   */
  open(session: Session | undefined): void {
    this.#session = session;
    const unsaved = this.unsaved.get(session?.window.sessionId ?? '');
    this.#prompts = unsaved ?? queueIn(session?.events ?? []);
    this.#held = 'left';
    if (unsaved !== undefined) this.#save();
  }

  /** Moves the waiting prompts into the session that begins with the first of them. */
  begin(session: Session): void {
    this.#session = session;
    if (this.#prompts.length > 0) this.#save();
  }

  /**
   * Adds a prompt, held for a reason or after held ones. `atNextStep`: the running turn gets it at
   * its next step, unless it has images.
   */
  add(prompt: PromptContent, reason?: HoldReason, atNextStep = false): void {
    if (this.#prompts.length === 0) this.#held = reason;
    const joinsTurn = atNextStep && prompt.attachments === undefined;
    const queued = {
      ...prompt,
      id: this.#nextId,
      ...(joinsTurn ? { atNextStep: true as const } : {}),
    };
    this.#become([...this.#prompts, queued]);
  }

  /** Removes and returns the prompts that were typed while the idle question was open. */
  takeAsked(): readonly PromptContent[] {
    if (this.held !== 'question') return [];
    const prompts = this.#prompts;
    this.#become([]);
    return prompts;
  }

  /** Puts a prompt that could not be sent first. */
  putBack(prompt: PromptContent): void {
    this.#become([{ ...prompt, id: this.#nextId }, ...this.#prompts]);
  }

  /** The next prompt to send; undefined if none waits, or they are held. */
  next(): QueuedPrompt | undefined {
    return this.held === undefined ? this.#prompts[0] : undefined;
  }

  /** Holds the waiting prompts until `release`. */
  hold(reason: HoldReason): void {
    this.#held = reason;
  }

  release(): void {
    this.#held = undefined;
  }

  /** Removes a prompt, because it is in the log or the user deletes it. */
  remove(id: number): Refusal {
    return this.#change(id, (others) => others);
  }

  /** Changes the text of a prompt, and the command it calls; its other attachments stay. */
  edit(id: number, typed: string, command: readonly AttachedText[] = []): Refusal {
    return this.#change(id, (others, at, prompt) => {
      const { attached } = promptParts(prompt.text);
      const kept = attached.filter(({ kind }) => kind !== 'command');
      const text = promptWithAttached({ typed, attached: withoutRepeats([...kept, ...command]) });
      return others.toSpliced(at, 0, { ...prompt, text });
    });
  }

  /** The prompts for the next step of the running turn. */
  get forNextStep(): readonly QueuedPrompt[] {
    return this.#prompts.filter(({ atNextStep }) => atNextStep === true);
  }

  /** Switches a prompt between the next step and after the turn. */
  tellAtNextStep(id: number, atNextStep: boolean): Refusal {
    const given = this.#prompts.find((prompt) => prompt.id === id);
    if (atNextStep && given?.attachments !== undefined) return IS_PROMPT;
    return this.#change(id, (others, at, { atNextStep: _before, ...prompt }) =>
      others.toSpliced(at, 0, { ...prompt, ...(atNextStep ? { atNextStep } : {}) }),
    );
  }

  /** Moves a prompt to an index of the queue, 0 for the first. */
  move(id: number, to: number): Refusal {
    return this.#change(id, (others, _at, prompt) => others.toSpliced(to, 0, prompt));
  }

  get #nextId(): number {
    return Math.max(0, ...this.#prompts.map(({ id }) => id)) + 1;
  }

  #change(
    id: number,
    change: (
      others: readonly QueuedPrompt[],
      at: number,
      prompt: QueuedPrompt,
    ) => readonly QueuedPrompt[],
  ): Refusal {
    const at = this.#prompts.findIndex((prompt) => prompt.id === id);
    const prompt = this.#prompts[at];
    if (prompt === undefined) return GONE;
    this.#become(change(this.#prompts.toSpliced(at, 1), at, prompt));
    return undefined;
  }

  #become(prompts: readonly QueuedPrompt[]): void {
    this.#prompts = prompts;
    this.#save();
  }

  /** A log that cannot be written loses no prompt: it is kept here until the log is reopened. */
  #save(): void {
    const session = this.#session;
    if (session === undefined) return;
    const { sessionId } = session.window;
    try {
      session.append({ type: 'queueChanged', prompts: this.#prompts });
      this.unsaved.delete(sessionId);
    } catch (error) {
      if (!(error instanceof SessionLogError)) throw error;
      this.unsaved.set(sessionId, this.#prompts);
    }
  }
}

function queueIn(events: readonly SessionEvent[]): readonly QueuedPrompt[] {
  const last = events.findLast((event) => event.type === 'queueChanged');
  return last?.prompts ?? [];
}
