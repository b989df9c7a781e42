import { COURSE } from './course';

/**
 * A measurement ends after this many rounds or this much processor time. The time is long enough
 * that a long session gets as many rounds as a short one, and is measured warm.
 */
export const MOST_ROUNDS = 60;
const ENOUGH_MS = 5_000;

/** Times a part of a round; the work may return the number of bytes it made. */
export type Time = (what: string, work: () => number | void) => void;

/** What a piece of work cost. */
export interface Run {
  readonly ms: number;
  /** Processor time in ms, to which other processes add little. */
  readonly cpuMs: number;
  readonly bytes: number;
}

/**
 * Runs a round several times and sends the medians to `growth.mjs`. The first half of the rounds is
 * a warm-up; only the timed parts of a round count.
 */
export function measure(round: (time: Time) => void): void {
  const runsOf = new Map<string, Run[]>();
  const most = COURSE.isCold === true ? 1 : MOST_ROUNDS;
  let spentMs = 0;
  for (let rounds = 0; rounds === 0 || (rounds < most && spentMs < ENOUGH_MS); rounds += 1) {
    round((what, work) => {
      const ended = runOf();
      const bytes = work() ?? 0;
      const run = { ...ended(), bytes };
      spentMs += run.cpuMs;
      runsOf.set(what, [...(runsOf.get(what) ?? []), run]);
    });
  }
  for (const [what, runs] of runsOf) tell(what, runs.slice(Math.floor(runs.length / 2)));
}

/** Starts a measurement; the function returns what it cost until then. */
export function runOf(): () => Run {
  const began = performance.now();
  const cpu = process.cpuUsage();
  return () => ({ cpuMs: cpuMsSince(cpu), ms: performance.now() - began, bytes: 0 });
}

function cpuMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

function tell(what: string, runs: readonly Run[]): void {
  const [ms, cpuMs, bytes] = [
    medianOf(runs.map((run) => run.ms)),
    medianOf(runs.map((run) => run.cpuMs)),
    medianOf(runs.map((run) => run.bytes)),
  ];
  tellCost(what, { ms, cpuMs, bytes });
}

/** Sends `growth.mjs` what a piece of work cost. */
export function tellCost(what: string, { ms, cpuMs, bytes }: Run): void {
  process.stdout.write(
    `${JSON.stringify({ what, ms, cpuMs, ...(bytes === 0 ? {} : { bytes }) })}\n`,
  );
}

/** Sends `growth.mjs` a size in bytes, without a time. */
export function tellBytes(what: string, bytes: number): void {
  process.stdout.write(`${JSON.stringify({ what, bytes })}\n`);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}
