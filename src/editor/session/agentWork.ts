import { stripVTControlCharacters } from 'node:util';
import type { AgentDeps } from '../../agent/agentDeps';
import { type AgentEvent, redactedEvents } from '../../agent/agentEvent';
import type { Refusal } from '../../contextWindow/result';
import { approvalView } from './derive';
import type { Activity, Silence } from './state';
import type { RunFollowers } from './runFollowers';
import type { PreparedTurn, TurnParts, TurnRefused } from './turnSource';

/** The result of the agent's work, or the problem that prevented it. */
type Ran<T> = { readonly ok: true; readonly value: T } | TurnRefused;

/** The agent's work on a session, which emits events. */
type Work<T> = (deps: AgentDeps, signal: AbortSignal) => AsyncGenerator<AgentEvent, T>;

/** The session that the agent works on. */
interface WorkedOn {
  prepare(): Promise<PreparedTurn>;
  /** Completes the resources of a turn; called once everything else exists. */
  depsOf(parts: TurnParts): AgentDeps;
  now(): number;
}

/** The agent's work: one turn or pass at a time, its current activity, and its end. */
export class AgentWork {
  #live: LiveTurn = IDLE;
  #running: Promise<void> | undefined;
  #stop: AbortController | undefined;

  constructor(
    private readonly session: WorkedOn,
    private readonly followers: RunFollowers,
  ) {}

  get live(): LiveTurn {
    return this.#live;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Is busy until the work has settled; it must not reject. */
  occupy(work: () => Promise<void>): Promise<void> {
    const running = work().finally(() => {
      this.#running = undefined;
      this.followers.changed();
    });
    this.#running = running;
    return running;
  }

  /** Runs work that the user can stop; `heard` is called after each event. */
  async run<T>(work: Work<T>, heard = (): void => undefined): Promise<Ran<T>> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#live = { activity: { state: 'asking', since: this.session.now() } };
    this.followers.changed();
    try {
      const prepared = await this.session.prepare();
      if (!prepared.ok) return prepared;
      const events = redactedEvents(work(this.session.depsOf(prepared.parts), stop.signal));
      return { ok: true, value: await this.#listen(events, heard) };
    } finally {
      this.#stop = undefined;
      this.#live = IDLE;
      this.followers.changed();
    }
  }

  /** Stops the running work; `reason` is given if the user did not ask for it. */
  stop(reason?: Error): void {
    if (this.#stop === undefined) return;
    this.#live = { ...this.#live, activity: { state: 'stopping' } };
    this.#stop.abort(reason);
    this.followers.changed();
  }

  /** Ends the pause before a retry. */
  tryNow(): Refusal {
    const { tryNow } = this.#live;
    if (tryNow === undefined) return 'Nothing waits for a retry.';
    tryNow();
    return undefined;
  }

  /** Resolves once nothing runs. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #listen<T>(events: AsyncGenerator<AgentEvent, T>, heard: () => void): Promise<T> {
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) {
      const event = readable(next.value);
      this.#live = liveAfter(this.#live, event, this.session.now());
      this.followers.heard(event);
      heard();
    }
    return next.value;
  }
}

/** Removes colour codes from live output: the views show text. */
function readable(event: AgentEvent): AgentEvent {
  return event.type === 'toolOutput'
    ? { ...event, text: stripVTControlCharacters(event.text) }
    : event;
}

/** The live state: the agent's activity, and the reply being written. */
export interface LiveTurn {
  readonly activity: Activity;
  /** The step being written, its text so far, and the thinking before it. */
  readonly reply?: { readonly step: number; readonly text: string; readonly thinking?: string };
  /** Output of the running tool so far; only its end when it is long. */
  readonly output?: { readonly toolUseId: string; readonly text: string };
  /** Ends the pause before a retry; absent if there is none. */
  readonly tryNow?: () => void;
}

export const IDLE: LiveTurn = { activity: { state: 'idle' } };

/** Characters of a running tool's output that are kept for a view that opens meanwhile. */
const OUTPUT_KEPT = 20_000;

/** Applies an event of the agent to the live state; `now` in ms since the epoch. */
export function liveAfter(live: LiveTurn, event: AgentEvent, now: number): LiveTurn {
  const changed = change(live, event, now);
  // Once the user has pressed Stop, the view says so until the turn is over.
  return live.activity.state === 'stopping' ? { ...changed, activity: live.activity } : changed;
}

function change(live: LiveTurn, event: AgentEvent, now: number): LiveTurn {
  switch (event.type) {
    case 'askStarted':
      return { activity: asking(now), reply: { step: event.step, text: '' } };
    case 'textDelta':
      return {
        ...live,
        reply: { ...replyOf(live, event.step), text: `${textOf(live, event.step)}${event.text}` },
      };
    case 'thinkingDelta': {
      const reply = replyOf(live, event.step);
      const before = event.restarts === true ? '' : (reply.thinking ?? '');
      return { ...live, reply: { ...reply, thinking: `${before}${event.text}` } };
    }
    case 'toolUseStreaming':
      return noted(live, `Writing a call of ${event.name}`);
    case 'retrying': {
      const { attempt, tries, message, until, tryNow } = event;
      const activity = { state: 'waiting', since: now, until, attempt, tries, message } as const;
      return { ...live, activity, tryNow };
    }
    case 'askedAgain': {
      const { tryNow: _over, ...rest } = live;
      return { ...rest, activity: asking(now) };
    }
    case 'silent': {
      const { since, until } = event;
      return withSilence(live, { since, until });
    }
    case 'heardAgain':
      return withSilence(live, undefined);
    case 'replyReceived':
      return { activity: asking(now) };
    case 'approvalAsked':
      return {
        activity: {
          state: 'awaitingApproval',
          approval: approvalView(event.use.id, event.request, event),
        },
      };
    case 'approvalAnswered':
    case 'toolFinished':
      return { activity: asking(now) };
    case 'toolStarted':
      return { activity: { state: 'runningTool', toolUseId: event.use.id, since: now } };
    case 'toolOutput':
      return {
        ...live,
        output: {
          toolUseId: event.use.id,
          text: `${live.output?.text ?? ''}${event.text}`.slice(-OUTPUT_KEPT),
        },
      };
    case 'counting':
      return { activity: asking(now, 'Counting tokens') };
    case 'passStarted':
      return { activity: { state: 'compacting', since: now } };
    case 'passProposed':
    case 'reviewChanged':
      return { activity: { state: 'awaitingReview' } };
    case 'passReviewed':
      return { activity: event.applied ? { state: 'compacting', since: now } : asking(now) };
    case 'passFinished':
      return { activity: asking(now) };
    case 'notice':
    case 'warning':
      return noted(live, event.message);
  }
}

function asking(since: number, note?: string): Activity {
  return { state: 'asking', since, note };
}

function noted(live: LiveTurn, note: string): LiveTurn {
  const { activity } = live;
  return activity.state === 'asking' ? { ...live, activity: { ...activity, note } } : live;
}

function withSilence(live: LiveTurn, silence: Silence | undefined): LiveTurn {
  const { activity } = live;
  if (activity.state !== 'asking') return live;
  const { silence: _before, ...rest } = activity;
  return { ...live, activity: { ...rest, silence } };
}

function replyOf({ reply }: LiveTurn, step: number): NonNullable<LiveTurn['reply']> {
  return reply?.step === step ? reply : { step, text: '' };
}

function textOf(live: LiveTurn, step: number): string {
  return live.reply?.step === step ? live.reply.text : '';
}
