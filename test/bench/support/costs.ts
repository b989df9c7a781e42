import { COURSE } from './course';

/**
 * Rounds that are enough, and the processor time of what is timed after which fewer are: so much that a
 * long session has as many as a short one, and is measured as warm.
 */
export const MOST_ROUNDS = 60;
const ENOUGH_MS = 5_000;

/** Times a piece of work of a round; the work answers how many bytes came of it, if any did. */
export type Time = (what: string, work: () => number | void) => void;

interface Run {
  /** Milliseconds that went by. */
  readonly ms: number;
  /** Milliseconds of processor time, to which others at work add little. */
  readonly cpuMs: number;
  readonly bytes: number;
}

/**
 * Runs a round several times and sends `growth.mjs` the medians. The first half of the rounds is a
 * warm-up; only the timed part of a round counts.
 */
export function measure(round: (time: Time) => void): void {
  const runsOf = new Map<string, Run[]>();
  const most = COURSE.isCold === true ? 1 : MOST_ROUNDS;
  let spentMs = 0;
  for (let rounds = 0; rounds === 0 || (rounds < most && spentMs < ENOUGH_MS); rounds += 1) {
    round((what, work) => {
      const run = runOf(work);
      spentMs += run.cpuMs;
      runsOf.set(what, [...(runsOf.get(what) ?? []), run]);
    });
  }
  for (const [what, runs] of runsOf) tell(what, runs.slice(Math.floor(runs.length / 2)));
}

function runOf(work: () => number | void): Run {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const bytes = work() ?? 0;
  return { cpuMs: cpuMsSince(cpu), ms: performance.now() - began, bytes };
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
  process.stdout.write(
    `${JSON.stringify({ what, ms, cpuMs, ...(bytes === 0 ? {} : { bytes }) })}\n`,
  );
}

/** Tells `growth.mjs` how many bytes something comes to, which takes no time. */
export function tellBytes(what: string, bytes: number): void {
  process.stdout.write(`${JSON.stringify({ what, bytes })}\n`);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}
