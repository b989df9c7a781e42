import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pauseOf } from '../contextWindow/account/promptCache';
import { promptParts } from '../contextWindow/attached';
import { LOG_VERSION, type SessionEvent, type SessionLink } from '../contextWindow/event';
import { isHousekeeping } from '../contextWindow/turnEnd';
import { isDamageNote } from './damage';
import { type LogBytes, withLogFile } from './logFile';
import { type LogLine, logLines, parseLine, sessionIdIn } from './readSessionLog';
import { TITLE_KEY, titleOf } from './sessionTitle';
import { checkStoredEvent } from './storedEvent';

/** The summary of a session in a list, read from its log without parsing every event. */
export interface LogSummary {
  readonly sessionId: string;
  readonly title: string;
  /** The beginning of the first prompt on one line; '' without a prompt. */
  readonly firstPrompt: string;
  /** Milliseconds since the epoch, like `usedAt`: the last event apart from housekeeping. */
  readonly createdAt: number;
  readonly usedAt: number;
  readonly turns: number;
  readonly steps: number;
  /** Its own requests: a fork also has copies of earlier ones. */
  readonly requests: number;
  /** Of these, requests after a pause of 5 to 60 minutes, and after a longer one. */
  readonly pauses: number;
  readonly longPauses: number;
  /** The session it continues, and the newest session that continues it. */
  readonly handedOverFrom?: SessionLink;
  readonly handedOverTo?: SessionLink;
  readonly condition: 'sound' | 'damaged' | 'unreadable';
}

/** Characters of the first prompt that a search in the list covers. */
const LONGEST_PROMPT = 300;

type Fields = Readonly<Record<string, unknown>>;

/** Bytes read at each end of a line. */
const END_BYTES = 80;

const HEAD = /^\{(?:"at":([\d.]+),)?"type":"(\w+)"/;
const TAIL = /(?:"at":([\d.]+)|"(?:turn|step)":(\d+))(?:,"line":\d+)?\}$/;

/** How the log line of an undone prompt ends; every other pass ends with its cost. */
const UNDONE_PROMPT = /(?:"through":(\d+),)?"turn":(\d+)\}\}(?:,"line":\d+)?\}$/;

/**
 * Summarises the bytes of a log. Reads only the ends of each line, and parses the few lines that
 * hold a name. Undefined for a log without events.
 */
export function summarizeLog(file: string, bytes: LogBytes): LogSummary | undefined {
  /** Where the prompts are. */
  const prompts = new Map<number, readonly [start: number, end: number]>();
  let start: Fields | undefined;
  let given: unknown;
  let anchor = 0;
  /** By the first undone turn. */
  const taken = new Map<number, TakenTurns>();
  let [turns, steps, createdAt, usedAt] = [0, 0, 0, 0];
  let [repliedAt, requests, pauses, longPauses] = [0, 0, 0, 0];
  let handedOverTo: SessionLink | undefined;
  let isDamaged = false;
  let events = 0;
  for (const line of logLines(bytes)) {
    const ends = endsOf(line.bytes);
    if (ends === undefined) {
      isDamaged ||= line.isClosed;
      continue;
    }
    const { type, at, number } = ends;
    events += 1;
    createdAt ||= at;
    if (!isHousekeeping(type)) usedAt = Math.max(usedAt, at);
    if (type === 'sessionStarted') start = parseLine(line.bytes) as Fields | undefined;
    if (type === 'replyReceived') {
      steps = number ?? steps + 1;
      if (at >= createdAt) {
        const pause = repliedAt === 0 ? undefined : pauseOf(at - repliedAt);
        requests += 1;
        if (pause === 'pause') pauses += 1;
        if (pause === 'longPause') longPauses += 1;
        repliedAt = at;
      }
    }
    if (type === 'promptSubmitted') {
      turns = number ?? turns + 1;
      anchor ||= turns;
      prompts.set(turns, [line.start, line.start + line.bytes.length]);
    }
    // The next prompt then becomes the task, unless an undo restores the first one.
    if (type === 'passApplied' && ends.undonePrompt !== undefined) {
      const { turn, through } = ends.undonePrompt;
      const wasTask = turn <= anchor && anchor <= through;
      const task = wasTask ? anchor : undefined;
      taken.set(turn, { pass: passNumber(fieldsOf(line)), through, task });
      if (wasTask) anchor = 0;
    }
    if (type === 'passUndone' && taken.size > 0) {
      const { number } = fieldsOf(line);
      const all = [...taken];
      const at = all.findIndex(([, { pass }]) => pass === number);
      const back = all[at];
      // A prompt returns only after the prompts before it: see `whyNotUndone`.
      const isHeld = back !== undefined && all.slice(at + 1).some(([turn]) => turn < back[0]);
      if (back !== undefined && !isHeld) {
        taken.delete(back[0]);
        anchor ||= back[1].task ?? 0;
      }
    }
    if (type === 'anchorMoved') {
      const moved = promptNumber(fieldsOf(line));
      if (moved !== undefined && !isTaken(taken, moved)) anchor = moved;
    }
    if (type === 'handedOver') handedOverTo = linkIn(fieldsOf(line)['to']) ?? handedOverTo;
    if (type === 'stateSet') {
      const { key, value } = fieldsOf(line);
      if (key === TITLE_KEY) given = value;
      isDamaged ||= isDamageNote(key);
    }
  }
  if (events === 0 && !isDamaged) return undefined;
  const isOtherVersion = typeof start?.['version'] === 'number' && start['version'] !== LOG_VERSION;
  const promptAt = (place: readonly [number, number] | undefined): unknown =>
    place === undefined ? undefined : fieldsIn(bytes.subarray(...place))['text'];
  const task = promptAt(prompts.get(anchor));
  const id = start?.['sessionId'];
  const handedOverFrom = linkIn(start?.['handedOverFrom']);
  return {
    sessionId: typeof id === 'string' ? id : sessionIdIn(file),
    title: titleOf(given, typeof task === 'string' ? task : undefined),
    firstPrompt: beginningOf(promptAt([...prompts.values()][0])),
    createdAt,
    usedAt,
    turns,
    steps,
    requests,
    pauses,
    longPauses,
    handedOverFrom,
    handedOverTo,
    condition:
      isOtherVersion || events === 0
        ? 'unreadable'
        : isDamaged || start === undefined
          ? 'damaged'
          : 'sound',
  };
}

function beginningOf(text: unknown): string {
  if (typeof text !== 'string') return '';
  const line = promptParts(text).typed.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  return line.slice(0, LONGEST_PROMPT).toWellFormed();
}

/** Undone turns: by which pass, up to which turn, and which of them was the task. */
interface TakenTurns {
  readonly pass: unknown;
  readonly through: number;
  readonly task: number | undefined;
}

function isTaken(taken: ReadonlyMap<number, TakenTurns>, turn: number): boolean {
  return [...taken].some(([first, { through }]) => first <= turn && turn <= through);
}

interface LineEnds {
  readonly type: string;
  readonly at: number;
  /** The number of the turn or step that begins here. */
  readonly number: number | undefined;
  /** The first and last turn that a pass undid. */
  readonly undonePrompt: { readonly turn: number; readonly through: number } | undefined;
}

function endsOf(bytes: Buffer): LineEnds | undefined {
  const head = HEAD.exec(bytes.toString('latin1', 0, END_BYTES));
  if (head === null || bytes.at(-1) !== 0x7d) return undefined;
  const end = bytes.toString('latin1', Math.max(0, bytes.length - END_BYTES));
  const tail = TAIL.exec(end);
  const taken = UNDONE_PROMPT.exec(end);
  return {
    type: head[2] ?? '',
    at: Number(head[1] ?? tail?.[1] ?? 0),
    number: tail?.[2] === undefined ? undefined : Number(tail[2]),
    undonePrompt:
      taken === null
        ? undefined
        : { turn: Number(taken[2]), through: Number(taken[1] ?? taken[2]) },
  };
}

function fieldsOf(line: LogLine): Fields {
  return fieldsIn(line.bytes);
}

function fieldsIn(bytes: Buffer): Fields {
  return (parseLine(bytes) as Fields | undefined) ?? {};
}

function passNumber({ pass }: Fields): unknown {
  return typeof pass === 'object' && pass !== null && 'number' in pass ? pass.number : undefined;
}

function linkIn(value: unknown): SessionLink | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { sessionId, title } = value as Fields;
  return typeof sessionId === 'string' && typeof title === 'string'
    ? { sessionId, title }
    : undefined;
}

function promptNumber({ blockId }: Fields): number | undefined {
  const found = typeof blockId === 'string' ? /^prompt-(\d+)$/.exec(blockId) : null;
  return found === null ? undefined : Number(found[1]);
}

/** Precision of file times; ms. */
const COARSE_MS = 2_000;

/**
 * Yields the logs of a folder, the most recently used first, without reading them all. No log was
 * used after it was written, so the first few decide.
 */
export function* logsByUse(folder: string, names: readonly string[]): Generator<string> {
  const byTime = names
    .map((name) => join(folder, name))
    .flatMap((file) => {
      const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      return writtenAt === undefined ? [] : [{ file, writtenAt }];
    })
    .toSorted((a, b) => b.writtenAt - a.writtenAt);
  let read: Used[] = [];
  let newest = 0;
  for (const { file, writtenAt } of byTime) {
    const isCertain = ({ usedAt }: { readonly usedAt: number }) => usedAt > writtenAt + COARSE_MS;
    if (isCertain({ usedAt: newest })) {
      yield* inOrder(read.filter(isCertain));
      read = read.filter((used) => !isCertain(used));
      newest = Math.max(0, ...read.map(({ usedAt }) => usedAt));
    }
    const summary = withLogFile(file, (bytes) => summarizeLog(file, bytes));
    if (summary === undefined) continue;
    read.push({ file, usedAt: summary.usedAt });
    newest = Math.max(newest, summary.usedAt);
  }
  yield* inOrder(read);
}

interface Used {
  readonly file: string;
  readonly usedAt: number;
}

function inOrder(read: readonly Used[]): readonly string[] {
  return read
    .toSorted((a, b) => b.usedAt - a.usedAt || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);
}

/** Bytes read from the end of a log before the rest: many screens of turns. */
const TURNS_BYTES = 400_000;

export interface LogEnd {
  readonly sessionId: string;
  readonly title: string;
  /** Begins with a prompt. */
  readonly events: readonly SessionEvent[];
}

/**
 * Reads the last whole turns of a log; undefined if the log has another version, or if its last
 * turn alone is too long. Skips unreadable lines: reading the whole log reports them. Throws if the
 * file cannot be read.
 */
export function readLogEnd(file: string): LogEnd | undefined {
  return withLogFile(file, (bytes) => logEndIn(file, bytes));
}

/** The same from the bytes of a log. */
export function logEndIn(file: string, bytes: LogBytes): LogEnd | undefined {
  const [first] = logLines(bytes);
  const { version } = ((first && parseLine(first.bytes)) ?? {}) as { readonly version?: unknown };
  const summary = summarizeLog(file, bytes);
  if (version !== LOG_VERSION || summary === undefined) return undefined;
  const events = lastTurns(bytes);
  if (events.length === 0) return undefined;
  return { sessionId: summary.sessionId, title: summary.title, events };
}

function lastTurns(bytes: LogBytes): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  const end = bytes.subarray(Math.max(0, bytes.length - TURNS_BYTES));
  // The start of a line; the whole of a short log.
  const start = bytes.length <= TURNS_BYTES ? 0 : end.indexOf('\n') + 1;
  for (const line of logLines(end.subarray(start))) {
    const value = parseLine(line.bytes);
    if (value === undefined) continue;
    const { line: _number, ...stored } = value as { readonly line?: unknown };
    const isPrompt = (stored as { readonly type?: unknown }).type === 'promptSubmitted';
    if (events.length === 0 && !isPrompt) continue;
    const checked = checkStoredEvent(stored);
    if (checked.ok) events.push(checked.event);
  }
  return events;
}
