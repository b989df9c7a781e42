import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../../agent/session';
import type { Transcript } from '../../sessions/transcript';
import type { Settings } from '../../settings/settings';
import type { OtlpOptions, OtlpSender } from '../../telemetry/otlpSender';
import { OwnSignals } from '../../telemetry/ownSignals';
import { endedTurns, recordedId, recordedSignals } from '../../telemetry/recordedSignals';
import type { Signal } from '../../telemetry/signal';
import { loadPart } from '../loading';
import type { Services } from '../services';
import type { SessionFollower } from '../session/currentSession';

/** What telemetry needs of the editor. */
export interface TelemetryServices extends Pick<Services, 'now'> {
  readonly access: {
    readonly settings: { readonly valid: { readonly settings: Pick<Settings, 'telemetry'> } };
    onChange(listener: () => void): void;
    tellOnce(problem: string): void;
  };
  readonly context: {
    readonly globalState: {
      get(key: string): unknown;
      update(key: string, value: unknown): PromiseLike<void>;
    };
    readonly extension: { readonly packageJSON: unknown };
  };
  readonly report: Pick<Services['report'], 'run' | 'warn'>;
}

/** How many steps of each recording were sent and turns counted, by its id; the newest last. */
const SENT = 'plimsoll.telemetry.sentRecordings';
type Sent = Readonly<Record<string, { readonly steps: number; readonly turns: number }>>;
const MOST_REMEMBERED = 500;

/** Signals that wait while the code that sends them is loaded. */
const MOST_WAITING = 10_000;

/** The editor must not wait longer; ms. */
const LONGEST_TURN_MS = 10;

/** Longest wait for the last signals when the window closes; ms. */
const LAST_WAIT_MS = 1_500;

/**
 * Sends what the sessions of this window do to the OTLP receiver of the settings: numbers, names of
 * models and tools, and no text. Without a receiver nothing is loaded and no event is followed.
 */
export class Telemetry {
  #endpoint = '';
  #sender: Sending | undefined;
  readonly #watched = new WeakSet<Session>();
  #inspecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: TelemetryServices,
    current: { follow(follower: Pick<SessionFollower, 'heard'>): unknown },
    private readonly load: (options: OtlpOptions) => Promise<Sender> = loadSender,
  ) {
    services.access.onChange(() => this.#refresh());
    current.follow({ heard: (run) => this.#watch(run.session) });
    this.#refresh();
  }

  /** Sends the steps of another agent's recording that were not sent before. */
  inspected(transcript: Transcript, file: string): void {
    const sending = this.#sender;
    if (sending === undefined) return;
    this.services.report.run(async () => {
      // One after the other, so that each knows what the one before has sent.
      const sent = this.#inspecting.then(() => this.#sendRecorded(sending, transcript, file));
      this.#inspecting = sent.catch(() => undefined);
      await sent;
    });
  }

  /** Sends what waits, within a limit. */
  async stop(): Promise<void> {
    await this.#sender?.stop();
  }

  #refresh(): void {
    const { otlpEndpoint } = this.services.access.settings.valid.settings.telemetry;
    if (otlpEndpoint === this.#endpoint) return;
    this.#endpoint = otlpEndpoint;
    const former = this.#sender;
    this.services.report.run(() => former?.leave());
    this.#sender = otlpEndpoint === '' ? undefined : this.#sendingTo(otlpEndpoint);
  }

  #sendingTo(endpoint: string): Sending {
    const { access, report } = this.services;
    const options: OtlpOptions = {
      endpoint,
      version: this.#version,
      problem: (why, receiver) => {
        report.warn(`Telemetry was not received by ${receiver}: ${why}`);
        access.tellOnce(
          `Telemetry was not received by ${receiver} (${why}). The agent is not affected, and later telemetry is tried again. ` +
            'Start the receiver, or change plimsoll.telemetry.otlpEndpoint.',
        );
      },
    };
    const sending = new Sending(() => this.load(options));
    report.run(() => sending.loaded);
    return sending;
  }

  #watch(session: Session | undefined): void {
    if (this.#sender === undefined || session === undefined || this.#watched.has(session)) return;
    this.#watched.add(session);
    const signals = new OwnSignals(session.window.sessionId, this.#version);
    signals.begin(session.events, session.window);
    session.onEvent((event) =>
      // A failure here must not end the turn.
      this.services.report.run(() => {
        // Also while nothing is sent: later signals say when their turn began.
        const taken = signals.take(event, session.window);
        this.#sender?.send(taken);
      }),
    );
  }

  async #sendRecorded(sending: Sending, transcript: Transcript, file: string): Promise<void> {
    const { globalState } = this.services.context;
    const id = recordedId(transcript, file);
    const before = (globalState.get(SENT) ?? {}) as Sent;
    const done = before[id] ?? { steps: 0, turns: 0 };
    const steps = transcript.entries.filter(({ type }) => type === 'reply').length;
    if (steps <= done.steps) return;
    let began = performance.now();
    for (const signals of recordedSignals(transcript, file, {
      fromStep: done.steps + 1,
      countedTurns: done.turns,
      now: this.services.now(),
    })) {
      sending.send(signals);
      if (performance.now() - began < LONGEST_TURN_MS) continue;
      await nextTurn();
      began = performance.now();
    }
    // A counted turn can go on: Claude Code writes the text of a reply before its calls.
    const turns = Math.max(done.turns, endedTurns(transcript.entries));
    const others = Object.entries(before).filter(([other]) => other !== id);
    await globalState.update(
      SENT,
      Object.fromEntries([...others.slice(1 - MOST_REMEMBERED), [id, { steps, turns }]]),
    );
  }

  get #version(): string {
    const { packageJSON } = this.services.context.extension;
    const { version = 'unknown' } = packageJSON as { readonly version?: string };
    return version;
  }
}

type Sender = Pick<OtlpSender, 'send' | 'stop'>;

/** A sender that is being loaded, and what waits for it. */
class Sending {
  #sender: Sender | undefined;
  #waiting: (readonly Signal[])[] = [];
  #waitingCount = 0;
  #isLeft = false;
  readonly loaded: Promise<void>;

  constructor(load: () => Promise<Sender>) {
    this.loaded = load().then(async (sender) => {
      this.#sender = sender;
      const waiting = this.#waiting.splice(0);
      if (this.#isLeft) return sender.stop(LAST_WAIT_MS);
      for (const signals of waiting) sender.send(signals);
    });
  }

  /** Sends signals, or keeps them until it is loaded; the oldest stay if there are too many. */
  send(signals: readonly Signal[]): void {
    if (this.#isLeft) return;
    if (this.#sender !== undefined) return this.#sender.send(signals);
    this.#waitingCount += signals.length;
    if (this.#waitingCount <= MOST_WAITING) this.#waiting.push(signals);
  }

  /** The user named another receiver, or none: this one gets what its sender has, and nothing more. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.#sender?.stop(LAST_WAIT_MS);
  }

  /** Sends what waits, within a limit. */
  async stop(): Promise<void> {
    await Promise.race([this.loaded, sleep(LAST_WAIT_MS, undefined, { ref: false })]);
    await this.#sender?.stop(LAST_WAIT_MS);
  }
}

async function loadSender(options: OtlpOptions): Promise<Sender> {
  const part = import('../../telemetry/otlpSender');
  const { OtlpSender: Loaded } = await loadPart('The telemetry', part);
  return new Loaded(options);
}
