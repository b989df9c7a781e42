import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Usage } from '../../contextWindow/account/spending';
import { isObject } from '../../contextWindow/json';
import { usageOfMessage } from '../messages';
import { parsed } from '../readJson';
import {
  addedLines,
  capturedBytes,
  type CapturedCall,
  type CapturedSession,
  endOf,
  NOTHING_CAPTURED,
  type ReadTo,
  type SessionStep,
} from './capturedCall';
import { INDEX } from './captureStore';
import { asideOf, hasTools, sessionOfRequest } from './sideRequests';

/*
 * Claude Code writes `<uuid>.request.json` and `<request id>.response.json`, and newer versions
 * `index.jsonl`, which names both of a call. Without it a request is found by what it answers.
 */

const REQUEST = '.request.json';
const RESPONSE = '.response.json';

/** The index of all sessions; bytes. */
const LARGEST_INDEX = 128 * 1024 * 1024;

/** A file may be written this much later than the event in it; ms. */
const LATE_MS = 5_000;

/** Where the name of the session is looked for first; bytes. */
const END_BYTES = 16_384;

/** The request for the first reply is at most this much older; ms. */
const EARLY_MS = 3_600_000;

/** A session has as many names as it was resumed; more are damage. */
const MOST_NAMES = 1_000;

/** A line of the index. */
interface Indexed {
  readonly session: string;
  readonly messageId: string | undefined;
  readonly model: string | undefined;
  readonly purpose: string | undefined;
}

/** What a request file says about its place in the session. */
interface FoundRequest {
  readonly file: string;
  readonly at: number;
  readonly model: string;
  readonly hasTools: boolean;
  /** What it is for if it is not a step; it may end with the same results as one. */
  readonly aside: string | undefined;
  /** The id of the request before it in its chain, where Claude Code writes it. */
  readonly previous: string | undefined;
  /** The calls whose results it ends with; if there are none, all calls in it. */
  readonly answers: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  /** The text that it ends with. */
  readonly asked: string;
}

/** What a response file says. */
interface FoundResponse {
  /** The API's name of the reply. */
  readonly id: string;
  readonly requestId: string;
  readonly at: number;
  readonly usage: Usage | undefined;
}

/** The files of a folder that belong to a session, as far as they were read. */
export interface FolderRead {
  /** The names that the session had at that time. */
  readonly sessions: string;
  readonly index: IndexRead | undefined;
  readonly files: ReadonlyMap<string, FileRead>;
}

interface IndexRead {
  readonly readTo: ReadTo;
  /** The files of this session. */
  readonly entries: ReadonlyMap<string, Indexed>;
  /** Files of other sessions, which need not be read. */
  readonly others: ReadonlySet<string>;
}

/** A file that has not changed since is not read again. */
interface FileRead {
  readonly at: number;
  readonly size: number;
  /** The index named the reply to it. */
  readonly isKnown: boolean;
  readonly found: FoundRequest | FoundResponse | undefined;
}

/**
 * Finds the captured requests of a Claude Code session, whose text names it. `read` has the folders as
 * far as they were read, and is brought up to date.
 */
export async function claudeCodeCaptures(
  folder: string,
  text: string,
  steps: readonly SessionStep[],
  read: Map<string, FolderRead>,
): Promise<CapturedSession> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0 || steps.length === 0) return NOTHING_CAPTURED;
  const sessions = sessionNames(text);
  const before = read.get(folder);
  const former = before?.sessions === sessions.join(' ') ? before : undefined;
  const replies = new Set(steps.flatMap(({ responseId }) => responseId ?? []));
  const isWanted = ({ session, messageId = '' }: Indexed) =>
    // A fork begins with copies of replies, whose requests have the name of its origin.
    sessions.includes(session) || replies.has(messageId);
  const indexRead = await readIndex(folder, names, isWanted, former?.index);
  const index: ReadonlyMap<string, Indexed> = indexRead?.entries ?? new Map();
  const began = steps.find((step) => step.at !== undefined)?.at ?? 0;
  const files = new Map<string, FileRead>();
  for (const name of names) {
    const isRequest = name.endsWith(REQUEST);
    if ((!isRequest && !name.endsWith(RESPONSE)) || indexRead?.others.has(name) === true) continue;
    const file = join(folder, name);
    const { at, size } = await changed(file);
    // Most are of earlier sessions.
    if (at < began - EARLY_MS) continue;
    const indexed = index.get(name);
    const isKnown = replies.has(indexed?.messageId ?? '');
    const known = former?.files.get(name);
    if (known?.at === at && known.size === size && known.isKnown === isKnown) {
      files.set(name, known);
      continue;
    }
    let found: FoundRequest | FoundResponse | undefined;
    if (!isRequest) found = await readResponse(file, at);
    else if (isKnown) found = await knownRequest(file, at, indexed?.model ?? '');
    else found = await readRequest(file, at, sessions);
    files.set(name, { at, size, isKnown, found });
  }
  read.set(folder, { sessions: sessions.join(' '), index: indexRead, files });
  const found = [...files.values()].flatMap((one) => one.found ?? []);
  const requests = found.filter((one) => 'file' in one);
  const responses = found.filter((one) => 'requestId' in one);
  return joined(requests, new Map(responses.map((one) => [one.id, one])), index, steps);
}

/** The names that a session has had. */
function sessionNames(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(/"sessionId":"([\w-]{1,100})"/g)) {
    if (name !== undefined) names.add(name);
    if (names.size >= MOST_NAMES) break;
  }
  return [...names];
}

/**
 * Reads the lines that were added to the index; undefined if there is none. It has the requests of all
 * sessions ever captured, so only those are kept whose files are still there.
 */
async function readIndex(
  folder: string,
  names: readonly string[],
  isWanted: (one: Indexed) => boolean,
  former: IndexRead | undefined,
): Promise<IndexRead | undefined> {
  const added = await addedLines(join(folder, INDEX), former?.readTo, { most: LARGEST_INDEX });
  if (added === undefined) return undefined;
  const known = added.isMore ? former : undefined;
  const entries = new Map(known?.entries);
  const others = new Set(known?.others);
  for (const line of added.lines) {
    const value = parsed(line);
    const request = isObject(value) ? textOf(value['request_file']) : undefined;
    if (!isObject(value) || request === undefined) continue;
    const name = basename(request);
    const entry = {
      session: textOf(value['session_id']) ?? '',
      messageId: textOf(value['message_id']),
      model: textOf(value['model']),
      purpose: textOf(value['query_source']),
    };
    if (isWanted(entry)) entries.set(name, entry);
    else others.add(name);
  }
  const there = names.filter((name) => others.has(name));
  return { readTo: added.readTo, entries, others: new Set(there) };
}

async function readResponse(file: string, at: number): Promise<FoundResponse | undefined> {
  const value = parsed((await capturedBytes(file))?.toString('utf8') ?? '');
  const id = isObject(value) ? textOf(value['id']) : undefined;
  if (!isObject(value) || id === undefined) return undefined;
  const requestId = basename(file).slice(0, -RESPONSE.length);
  return { id, requestId, at, usage: usageOfMessage(value['usage']) };
}

/** A request whose reply the index names: it is read when it is shown. */
async function knownRequest(
  file: string,
  at: number,
  model: string,
): Promise<FoundRequest | undefined> {
  const isWhole = (await endOf(file, 1))?.toString() === '}';
  if (!isWhole) return undefined;
  const nothing = new Set<string>();
  return {
    file,
    at,
    model,
    hasTools: true,
    aside: undefined,
    previous: undefined,
    answers: nothing,
    calls: nothing,
    asked: '',
  };
}

/** Reads a request; undefined if it is of another session, or half written. */
async function readRequest(
  file: string,
  at: number,
  sessions: readonly string[],
): Promise<FoundRequest | undefined> {
  const isOfSession = (part: Buffer) => sessions.some((name) => part.includes(name));
  // Most files are of other sessions, and Claude Code names the session near the end.
  const end = await endOf(file, END_BYTES);
  if (end === undefined || (end.includes('session_id') && !isOfSession(end))) return undefined;
  const bytes = await capturedBytes(file);
  if (bytes === undefined || !isOfSession(bytes)) return undefined;
  const body = parsed(bytes.toString('utf8'));
  if (!isObject(body) || !Array.isArray(body['messages'])) return undefined;
  const name = sessionOfRequest(body['metadata']);
  if (name === undefined || !sessions.includes(name)) return undefined;
  const messages = body['messages'].filter(isObject);
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const newest = messages.slice(lastReply + 1).flatMap(partsOf);
  const answers = new Set(newest.flatMap(({ tool_use_id: id }) => textOf(id) ?? []));
  return {
    file,
    at,
    model: textOf(body['model']) ?? '',
    hasTools: hasTools(body),
    aside: asideOf(body),
    previous: /\bcc_prev_req=([\w-]+)/.exec(firstText(body['system']))?.[1],
    answers,
    calls: new Set(answers.size > 0 ? [] : messages.flatMap(partsOf).flatMap(callIn)),
    asked: newest.flatMap(({ text }) => textOf(text) ?? []).join('\n'),
  };
}

function callIn({ type, id }: Readonly<Record<string, unknown>>): readonly string[] {
  return type === 'tool_use' && typeof id === 'string' ? [id] : [];
}

function partsOf({ content }: Readonly<Record<string, unknown>>) {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function firstText(system: unknown): string {
  const first: unknown = Array.isArray(system) ? system[0] : undefined;
  return isObject(first) ? (textOf(first['text']) ?? '') : '';
}

/** Gives each step the request that it answers. */
function joined(
  requests: readonly FoundRequest[],
  responses: ReadonlyMap<string, FoundResponse>,
  index: ReadonlyMap<string, Indexed>,
  steps: readonly SessionStep[],
): CapturedSession {
  const left = new Set(requests);
  const byMessage = new Map(
    requests.flatMap((request) => {
      const id = index.get(basename(request.file))?.messageId;
      return id === undefined ? [] : [[id, request] as const];
    }),
  );
  const found = new Map<number, CapturedCall>();
  let previous: string | undefined;
  for (const step of steps) {
    const response = responses.get(step.responseId ?? '');
    const request =
      byMessage.get(step.responseId ?? '') ?? answeredBy(step, response, previous, left);
    previous = response?.requestId;
    if (request === undefined) continue;
    left.delete(request);
    const usage = response?.usage ?? step.usage;
    found.set(step.number, {
      model: request.model,
      request: { file: request.file },
      before: [],
      ...(usage === undefined ? {} : { usage }),
    });
  }
  return { steps: found, others: othersOf(left, index, found.size > 0) };
}

/** The request among those left that a step most probably answers; undefined if none fits. */
function answeredBy(
  step: SessionStep,
  response: FoundResponse | undefined,
  previous: string | undefined,
  left: ReadonlySet<FoundRequest>,
): FoundRequest | undefined {
  const before = (response?.at ?? step.at ?? Number.POSITIVE_INFINITY) + LATE_MS;
  const fits = [...left].flatMap((request) => {
    // A request before its reply cannot hold the calls of that reply. One that ends with results has
    // its place by these.
    if (!request.hasTools || request.aside !== undefined) return [];
    if (step.callIds.some((id) => request.calls.has(id))) return [];
    const score = fitOf(step, request, previous);
    return score === 0 ? [] : [{ request, score, isEarly: request.at <= before }];
  });
  // Of a request that was sent again, the newest before the reply was answered. Copied files may
  // have other times.
  const [best] = fits.toSorted(
    (a, b) =>
      b.score - a.score || Number(b.isEarly) - Number(a.isEarly) || b.request.at - a.request.at,
  );
  return best?.request;
}

/** How well a request fits a step; 0 if it does not. */
function fitOf(
  { answers, asked }: SessionStep,
  request: FoundRequest,
  previous: string | undefined,
): number {
  if (previous !== undefined && request.previous === previous) return 4;
  if (answers.length > 0) return answers.some((id) => request.answers.has(id)) ? 3 : 0;
  if (request.answers.size > 0) return 0;
  const beginning = asked?.trim().slice(0, 200) ?? '';
  return beginning !== '' && request.asked.includes(beginning) ? 2 : 0;
}

function othersOf(
  left: ReadonlySet<FoundRequest>,
  index: ReadonlyMap<string, Indexed>,
  isCaptured: boolean,
): ReadonlyMap<string, number> {
  const others = new Map<string, number>();
  if (!isCaptured) return others;
  for (const { file, aside, ...request } of [...left].toSorted((a, b) => a.at - b.at)) {
    const window = request.hasTools ? 'other windows' : 'side requests';
    const purpose = index.get(basename(file))?.purpose ?? aside ?? window;
    others.set(purpose, (others.get(purpose) ?? 0) + 1);
  }
  return others;
}

/** The time and size of a file; 0 if it was deleted meanwhile. */
async function changed(file: string): Promise<Pick<FileRead, 'at' | 'size'>> {
  return stat(file).then(
    ({ mtimeMs, size }) => ({ at: mtimeMs, size }),
    () => ({ at: 0, size: 0 }),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
