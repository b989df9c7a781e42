import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Usage } from '../../contextWindow/account/spending';
import { isObject } from '../../contextWindow/json';
import { usageOfMessage } from '../messages';
import { parsed } from '../readJson';
import {
  capturedBytes,
  type CapturedCall,
  type CapturedSession,
  endOf,
  NOTHING_CAPTURED,
  type SessionStep,
} from './capturedCall';
import { INDEX } from './captureStore';
import { sessionOfRequest } from './sideRequests';

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
  readonly messageId: string | undefined;
  readonly model: string | undefined;
  readonly purpose: string | undefined;
  readonly isOfSession: boolean;
}

/** What a request file says about its place in the session. */
interface FoundRequest {
  readonly file: string;
  readonly at: number;
  readonly model: string;
  readonly hasTools: boolean;
  /** The id of the request before it in its chain, where Claude Code writes it. */
  readonly previous: string | undefined;
  /** The calls whose results it ends with, and all calls in it. */
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

/** Finds the captured requests of a Claude Code session, whose text names it. */
export async function claudeCodeCaptures(
  folder: string,
  text: string,
  steps: readonly SessionStep[],
): Promise<CapturedSession> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0 || steps.length === 0) return NOTHING_CAPTURED;
  const sessions = sessionNames(text);
  const index = await readIndex(join(folder, INDEX), sessions);
  const began = steps.find((step) => step.at !== undefined)?.at ?? 0;
  const replies = new Set(steps.map(({ responseId }) => responseId));
  const responses = new Map<string, FoundResponse>();
  const requests: FoundRequest[] = [];
  for (const name of names) {
    const isRequest = name.endsWith(REQUEST);
    if ((!isRequest && !name.endsWith(RESPONSE)) || index.get(name)?.isOfSession === false)
      continue;
    const file = join(folder, name);
    const at = await changedAt(file);
    // Most are of earlier sessions.
    if (at < began - EARLY_MS) continue;
    if (isRequest) {
      const indexed = index.get(name);
      const isKnown = replies.has(indexed?.messageId ?? '');
      const found = isKnown
        ? await knownRequest(file, at, indexed?.model ?? '')
        : await readRequest(file, at, sessions);
      if (found !== undefined) requests.push(found);
    } else {
      const found = await readResponse(file, at);
      if (found !== undefined) responses.set(found.id, found);
    }
  }
  return joined(requests, responses, index, steps);
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

async function readIndex(
  file: string,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, Indexed>> {
  const index = new Map<string, Indexed>();
  const bytes = await capturedBytes(file, LARGEST_INDEX);
  for (const line of bytes?.toString('utf8').split('\n') ?? []) {
    // The last line may be half written.
    const value = parsed(line);
    const request = isObject(value) ? textOf(value['request_file']) : undefined;
    if (!isObject(value) || request === undefined) continue;
    index.set(basename(request), {
      messageId: textOf(value['message_id']),
      model: textOf(value['model']),
      purpose: textOf(value['query_source']),
      isOfSession: sessions.includes(String(value['session_id'])),
    });
  }
  return index;
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
  return {
    file,
    at,
    model: textOf(body['model']) ?? '',
    hasTools: Array.isArray(body['tools']) && body['tools'].length > 0,
    previous: /\bcc_prev_req=([\w-]+)/.exec(firstText(body['system']))?.[1],
    answers: new Set(newest.flatMap(({ tool_use_id: id }) => textOf(id) ?? [])),
    calls: new Set(
      messages.flatMap(partsOf).flatMap(({ type, id }) => (type === 'tool_use' ? String(id) : [])),
    ),
    asked: newest.flatMap(({ text }) => textOf(text) ?? []).join('\n'),
  };
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
    // A request before its reply cannot hold the calls of that reply.
    if (!request.hasTools) return [];
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
  for (const { file, hasTools } of left) {
    const purpose =
      index.get(basename(file))?.purpose ?? (hasTools ? 'other windows' : 'side requests');
    others.set(purpose, (others.get(purpose) ?? 0) + 1);
  }
  return others;
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
