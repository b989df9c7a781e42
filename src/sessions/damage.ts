import type { NewEvent, SessionEvent } from '../contextWindow/event';

/** Key of the session state that lists the damaged lines of the log. */
const NOTED_AS = 'plimsoll.damagedLines';

/** A line of a log that is skipped because it is unreadable, or that is missing from the file. */
export interface DamagedLine {
  /** Its number when it was written, counted from 1. */
  readonly number: number;
  /** The last number of a run of missing lines; absent for a single line. */
  readonly until?: number;
  /** Its line number in the file, or where it would be. */
  readonly place: number;
  /** Absent for a missing line. */
  readonly bytes?: number;
  /** The type of its event, if readable. */
  readonly type: string | undefined;
  readonly why: string;
}

const LONGEST_LIST = 3;

/** Lists the skipped lines and their lost content. */
export function damageText(file: string, lines: readonly DamagedLine[]): string {
  const shown = lines.slice(0, LONGEST_LIST).map((line) => {
    const { place, type, bytes, why } = line;
    if (bytes === undefined) {
      const count = countOf(line);
      const are = count === 1 ? 'A line is' : `${count} lines are`;
      return `${are} missing before line ${place} of ${file}.`;
    }
    const lost = `${lossOf(type)}, ${bytes} bytes`;
    return `Line ${place} of ${file} is damaged and was left out (${lost}: ${why}).`;
  });
  const more = lines.slice(LONGEST_LIST).reduce((sum, line) => sum + countOf(line), 0);
  const others =
    more === 0 ? [] : [`${more} more were left out, up to line ${lines.at(-1)?.place}.`];
  return [...shown, ...others, 'Everything else is kept.'].join(' ');
}

/** The run of lines missing between two line numbers; empty when there is none. */
export function missingLines(from: number, to: number, place: number): readonly DamagedLine[] {
  if (to <= from) return [];
  const run = to - from === 1 ? {} : { until: to - 1 };
  return [{ number: from, ...run, place, type: undefined, why: 'it is missing' }];
}

function countOf({ number, until = number }: DamagedLine): number {
  return until - number + 1;
}

/** Reads the event type of a damaged line; events begin with their time and their type. */
export function typeOfDamaged(bytes: Buffer): string | undefined {
  return /^.{0,40}"type":"(\w+)"/s.exec(bytes.toString('latin1', 0, 80))?.[1];
}

function lossOf(type: string | undefined): string {
  switch (type) {
    case undefined:
      return 'its type is unreadable';
    case 'sessionStarted':
      return 'the beginning of the session';
    case 'promptSubmitted':
      return 'a prompt';
    case 'replyReceived':
      return 'a reply of the model';
    case 'toolFinished':
      return 'the result of a tool';
    case 'passApplied':
      return 'a pass';
    default:
      return `an event "${type}"`;
  }
}

/** An event with the number its line had when it was written. */
export interface PlacedEvent {
  readonly line: number;
  readonly event: SessionEvent;
}

/**
 * Marks the replies to requests that can no longer be rebuilt as sent: their thinking and usage
 * belong to other bytes. Requests sent after the damage was noted were built without the lost
 * lines.
 */
export function withoutLostRequests(
  events: readonly PlacedEvent[],
  damaged: readonly DamagedLine[],
): readonly SessionEvent[] {
  const [first] = events;
  // Lines before the start of the session do not belong to it.
  const begin = first?.event.type === 'sessionStarted' ? first.line : 0;
  const notes = events.map(({ line, event }) => ({ line, noted: notedBy(event) }));
  const lost = damaged.filter(({ number }) => number > begin);
  const spans = lost.map(({ number }) => ({
    from: number,
    to: notes.find(({ line, noted }) => line > number && noted.includes(number))?.line ?? Infinity,
  }));
  return events.map(({ line, event }) =>
    event.type === 'replyReceived' && spans.some(({ from, to }) => line > from && line < to)
      ? { ...event, editedMeanwhile: true }
      : event,
  );
}

/** The event to append before a damaged log continues; undefined if the log has it already. */
export function damageNote(
  events: readonly SessionEvent[],
  damaged: readonly DamagedLine[],
): NewEvent | undefined {
  const known = new Set(events.flatMap(notedBy));
  if (damaged.every(({ number }) => known.has(number))) return undefined;
  // The event names only the first of a run of missing lines.
  return { type: 'stateSet', key: NOTED_AS, value: damaged.map(({ number }) => number) };
}

export function isDamageNote(key: unknown): boolean {
  return key === NOTED_AS;
}

function notedBy(event: SessionEvent): readonly number[] {
  if (event.type !== 'stateSet' || event.key !== NOTED_AS || !Array.isArray(event.value)) return [];
  return event.value.filter((number): number is number => typeof number === 'number');
}
