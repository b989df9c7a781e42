import { parentPort, workerData } from 'node:worker_threads';
import type { SessionEvent } from '../contextWindow/event';
import { MOST_WAITING, type LogPart, type LogToLoad } from './loadLog';
import { type LogBytes, withLogFile } from './logFile';
import { logEndIn } from './logSummary';
import { readLogBytes } from './readSessionLog';

/** Most characters and events of a part: few milliseconds of the host's time. */
const MOST_CHARS = 200_000;
const MOST_EVENTS = 100;

/** Entry of dist/logWorker.js: reads one log, its end first, and ends. */
function readLog({ file, taken }: LogToLoad, bytes: LogBytes): void {
  const end = logEndIn(file, bytes);
  if (end !== undefined) say({ end });
  const parts = new Parts(taken);
  let isFirst = true;
  let hasStart = false;
  const read = readLogBytes(file, bytes, (event) => {
    if (isFirst) hasStart = event.type === 'sessionStarted';
    isFirst = false;
    parts.add(event);
  });
  if (read.ok && (read.damaged.length > 0 || !hasStart)) {
    // Lost lines change events before them, so the host has to begin again.
    parts.drop();
    say({ again: true });
    const whole = readLogBytes(file, bytes);
    if (whole.ok) for (const event of whole.events) parts.add(event);
    parts.flush();
    say({ read: whole.ok ? { ...whole, events: [] } : whole });
    return;
  }
  parts.flush();
  say({ read });
}

/** Sends events in parts, and waits while the host has several of them to take. */
class Parts {
  #events: SessionEvent[] = [];
  #chars = 0;
  #sent = 0;

  constructor(private readonly taken: Int32Array) {}

  add(event: SessionEvent): void {
    this.#events.push(event);
    this.#chars += lengthOf(event);
    if (this.#chars >= MOST_CHARS || this.#events.length >= MOST_EVENTS) this.flush();
  }

  /** Forgets the events that were not sent yet. */
  drop(): void {
    this.#events = [];
    this.#chars = 0;
  }

  flush(): void {
    if (this.#events.length === 0) return;
    for (;;) {
      const taken = Atomics.load(this.taken, 0);
      if (this.#sent - taken < MOST_WAITING) break;
      Atomics.wait(this.taken, 0, taken);
    }
    say({ events: this.#events });
    this.#sent += 1;
    this.drop();
  }
}

/** About how long an event is; only texts can be very long. */
function lengthOf(event: SessionEvent): number {
  switch (event.type) {
    case 'promptSubmitted':
    case 'toolFinished':
    case 'noteAdded':
      return event.text.length;
    case 'replyReceived':
      return event.parts.length * 1_000;
    case 'passApplied':
      return event.pass.decisions.length * 200;
    case 'subAgentEvent':
      return lengthOf(event.event);
    default:
      return 200;
  }
}

function say(part: LogPart): void {
  parentPort?.postMessage(part);
}

const task = workerData as LogToLoad;
withLogFile(task.file, (bytes) => readLog(task, bytes));
