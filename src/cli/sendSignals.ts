import { resolve } from 'node:path';
import type { Session } from '../agent/session';
import type { SessionEvent } from '../contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../contextWindow/fold';
import type { Transcript } from '../sessions/transcript';
import type { OtlpSender } from '../telemetry/otlpSender';
import { OwnSignals } from '../telemetry/ownSignals';
import { recordedSignals } from '../telemetry/recordedSignals';
import { type Say, type Surroundings, versionNear } from './terminal';

/** Longest wait for the last signals when a command ends; ms. */
const LAST_WAIT_MS = 5_000;

/** Sends sessions to the OTLP receiver that a command names; sends nothing without one. */
export class SignalsOfCommand {
  private constructor(
    private readonly sender: OtlpSender | undefined,
    private readonly version: string,
  ) {}

  /** Loads what sends, if an address is given. */
  static async to(
    given: string | undefined,
    { bundles }: Pick<Surroundings, 'bundles'>,
    say: Say,
  ): Promise<SignalsOfCommand> {
    const version = versionNear(bundles);
    if (given === undefined) return new SignalsOfCommand(undefined, version);
    const endpoint = given.replace(/\/+$/, '');
    const { OtlpSender: Sender } = await import('../telemetry/otlpSender');
    const problem = (why: string, receiver: string): void =>
      say(`  note: telemetry was not received by ${receiver}: ${why}. Nothing else is affected.`);
    return new SignalsOfCommand(new Sender({ endpoint, version, problem }), version);
  }

  /** Sends what a session does from now on. */
  follow(session: Session): void {
    const { sender } = this;
    if (sender === undefined) return;
    const signals = new OwnSignals(session.window.sessionId, this.version);
    session.onEvent((event) => sender.send(signals.take(event, session.window)));
  }

  /** Sends the whole log of a Plimsoll session. */
  sendLog(events: readonly SessionEvent[]): void {
    const { sender } = this;
    const start = events.find(({ type }) => type === 'sessionStarted');
    if (sender === undefined || start?.type !== 'sessionStarted') return;
    const signals = new OwnSignals(start.sessionId, this.version);
    let window = EMPTY_WINDOW;
    for (const event of events) {
      window = applyEvent(window, event);
      sender.send(signals.take(event, window));
    }
  }

  /** Sends another agent's recording. */
  sendRecording(transcript: Transcript, file: string): void {
    const { sender } = this;
    if (sender === undefined) return;
    for (const signals of recordedSignals(transcript, resolve(file), { now: Date.now() })) {
      sender.send(signals);
    }
  }

  /** Sends what waits, within a limit. */
  async stop(): Promise<void> {
    await this.sender?.stop(LAST_WAIT_MS);
  }
}
