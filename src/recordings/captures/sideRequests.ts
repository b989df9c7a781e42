import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import type { FoundSession, Glance, SessionReader } from '../lens/foundSession';
import { linesOf, sumOf, textOf, titleOfPrompt } from '../lens/sessionLines';
import { STEPS } from '../claudeCode';
import { parsed } from '../readJson';
import { capturedBytes } from './capturedCall';
import { INDEX, isMissing } from './captureStore';

/*
 * Titles, summaries and other requests that Claude Code makes besides the steps of a session. No
 * session file has them: each is read from the files of its request and its response.
 */

type Fields = Readonly<Record<string, unknown>>;

const REQUEST = '.request.json';
const RESPONSE = '.response.json';

/**
 * What Claude Code asks in requests that have the tools of a step, and what its index calls them;
 * without an index only this tells them from a step.
 */
const ASIDES = [
  ['Your task is to create a detailed summary of', 'compact'],
  ['This is a side question from the user', 'side_question'],
] as const;

/** How its system prompt asks for a title of the session. */
const ASKS_FOR_TITLE = 'sentence-case title';

/** What the index calls that. */
const TITLE = 'generate_session_title';

/** Claude Code's own notes next to what a message asks. */
const REMINDER = '<system-reminder>';

/** Without an index, a response belongs to a request at most this long before it; ms. */
const LONGEST_ANSWER_MS = 10 * 60_000;

/** Text for a request whose response was not recorded, or may be that of another request. */
export const NO_REPLY = '[The reply to this request was not recorded.]';

/** Whether a file is a request that Claude Code recorded. */
export function isRequestFile(file: string): boolean {
  return file.endsWith(REQUEST);
}

/** A request that is no step, and the id of the session that it belongs to. */
export interface SideRequest {
  readonly session: string;
  readonly request: FoundSession;
}

/** The side requests of Claude Code in a folder. */
export async function sideRequestsIn(
  folder: string,
  reader: SessionReader,
): Promise<readonly SideRequest[]> {
  const names = (await reader.names(folder)).filter(isRequestFile);
  if (names.length === 0) return [];
  const index = indexed(Buffer.from((await reader.text(join(folder, INDEX))) ?? ''));
  const found = names.map(async (name) => {
    const entry = index.get(name);
    const named = textOf(entry?.['query_source']);
    if (named !== undefined && STEPS.test(named)) return [];
    const file = join(folder, name);
    const request = await reader.glance(file, glance, 'whole');
    const purpose = named ?? request?.title;
    if (request === undefined || purpose === undefined) return [];
    const session = textOf(entry?.['session_id']) ?? request.parent;
    if (session === undefined) return [];
    const model = textOf(entry?.['model']) ?? request.model;
    const response = textOf(entry?.['response_file']);
    const answer =
      response === undefined
        ? undefined
        : await reader.glance(join(folder, basename(response)), responseGlance, 'whole');
    return [
      {
        session,
        request: {
          agent: 'claude-code' as const,
          id: name.slice(0, -REQUEST.length),
          file,
          folder: undefined,
          title: `Side request: ${purpose}`,
          usedAt: request.usedAt,
          model,
          tokens: answer?.tokens,
          windowTokens: undefined,
          compactions: 0,
          isRunning: false,
          inner: [],
        },
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

/** The lines of the index by the names of their request files. */
function indexed(lines: Buffer): ReadonlyMap<string, Fields> {
  const index = new Map<string, Fields>();
  // The last line may be half written.
  for (const line of linesOf(lines.subarray(0, lines.lastIndexOf('\n') + 1))) {
    const request = textOf(line['request_file']);
    if (request !== undefined) index.set(basename(request), line);
  }
  return index;
}

/** A request's session as its parent, and its purpose as its title where the content shows it. */
function glance(bytes: Buffer, former: Glance): Glance {
  // Most are steps, of a hundred kilobytes each.
  const mayBeAside = ASIDES.some(([text]) => bytes.includes(text));
  if (bytes.includes('"tools":[{') && !mayBeAside) return former;
  const value = parsed(bytes.toString('utf8'));
  if (!isObject(value)) return former;
  const title = purposeOf(value);
  return {
    ...former,
    parent: sessionOfRequest(value['metadata']),
    model: textOf(value['model']),
    ...(title !== undefined && { title }),
  };
}

/** The purpose of a request that is not a step: what it asks, or the words that it ends with. */
function purposeOf(body: Fields): string | undefined {
  const aside = asideOf(body);
  if (aside !== undefined || hasTools(body)) return aside;
  const prompt = newestTexts(body).findLast((text) => !text.trimStart().startsWith(REMINDER));
  return prompt === undefined ? 'no prompt' : titleOfPrompt(prompt);
}

/** What a request is for: a summary, a side question or a title; undefined for any other one. */
export function asideOf(body: Fields): string | undefined {
  const texts = newestTexts(body);
  const asked = ASIDES.find(([asks]) => texts.some((text) => text.includes(asks)))?.[1];
  if (asked !== undefined || hasTools(body)) return asked;
  return JSON.stringify(body['system'] ?? '').includes(ASKS_FOR_TITLE) ? TITLE : undefined;
}

export function hasTools({ tools }: Fields): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

/** The texts of the user's newest message; results of tools may quote anything. */
function newestTexts({ messages }: Fields): readonly string[] {
  // Claude Code's own notes may follow it, as a message of the system.
  const newest: unknown = Array.isArray(messages)
    ? messages.findLast((one) => isObject(one) && one['role'] !== 'system')
    : undefined;
  const content = isObject(newest) ? newest['content'] : undefined;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const text = isObject(part) && part['type'] === 'text' ? textOf(part['text']) : undefined;
    return text === undefined ? [] : [text];
  });
}

function responseGlance(bytes: Buffer, former: Glance): Glance {
  const value = parsed(bytes.toString('utf8'));
  const usage = isObject(value) ? value['usage'] : undefined;
  if (!isObject(usage)) return former;
  const tokens = sumOf(
    usage['input_tokens'],
    usage['cache_creation_input_tokens'],
    usage['cache_read_input_tokens'],
    usage['output_tokens'],
  );
  return tokens === undefined ? former : { ...former, tokens };
}

/** The session that a request names: in JSON, which is a text of its metadata. */
export function sessionOfRequest(metadata: unknown): string | undefined {
  const user = isObject(metadata) ? textOf(metadata['user_id']) : undefined;
  const named = user === undefined ? undefined : parsed(user);
  if (isObject(named)) return textOf(named['session_id']);
  return user?.split('_session_')[1];
}

/** A recorded request with the reply to it as its last message: a recording of its own. */
export async function requestWithReply(file: string, request: Buffer): Promise<Buffer> {
  const body = parsed(request.toString('utf8'));
  if (!isObject(body) || !Array.isArray(body['messages'])) return request;
  const reply = await replyTo(file, body);
  const { content, id, usage } = reply ?? {};
  const last = Array.isArray(content)
    ? { role: 'assistant', id, usage, content }
    : { role: 'assistant', content: NO_REPLY };
  return Buffer.from(JSON.stringify({ ...body, messages: [...body['messages'], last] }));
}

async function replyTo(file: string, request: Fields): Promise<Fields | undefined> {
  const folder = dirname(file);
  const index = indexed((await capturedBytes(join(folder, INDEX))) ?? Buffer.alloc(0));
  const named = textOf(index.get(basename(file))?.['response_file']);
  if (named !== undefined) return valueIn(join(folder, basename(named)));
  return replyByTime(file, request);
}

/**
 * The first response after a request, unless it may answer another one to the same model: one that
 * was sent meanwhile, or one that was sent before and had no response yet.
 */
async function replyByTime(file: string, { model }: Fields): Promise<Fields | undefined> {
  const folder = dirname(file);
  const sentAt = (await statOf(file))?.mtimeMs;
  if (sentAt === undefined) return undefined;
  const [earliest, latest] = [sentAt - LONGEST_ANSWER_MS, sentAt + LONGEST_ANSWER_MS];
  const files = await exchangedIn(folder, earliest, latest);
  for (const { name } of files.filter(({ at }) => at >= sentAt)) {
    if (name === basename(file)) continue;
    const value = await valueIn(join(folder, name));
    if (value?.['model'] !== model) continue;
    if (isRequestFile(name)) return undefined;
    const before = files.filter(({ at }) => at < sentAt).map((one) => join(folder, one.name));
    return (await unanswered(before, model)) > 0 ? undefined : value;
  }
  return undefined;
}

/** How many of the requests to a model, in the order of their times, have no response among the files. */
async function unanswered(files: readonly string[], model: unknown): Promise<number> {
  let open = 0;
  for (const file of files) {
    if ((await valueIn(file))?.['model'] !== model) continue;
    // A response without a request here answers one from before.
    open = isRequestFile(file) ? open + 1 : Math.max(0, open - 1);
  }
  return open;
}

/** Requests and responses in a folder that were written in a span of time, the oldest first. */
async function exchangedIn(folder: string, earliest: number, latest: number) {
  const names = (await readdir(folder)).filter(
    (name) => isRequestFile(name) || name.endsWith(RESPONSE),
  );
  const found = names.map(async (name) => {
    const stats = await statOf(join(folder, name));
    if (stats === undefined || stats.mtimeMs < earliest || stats.mtimeMs > latest) return [];
    return [{ name, at: stats.mtimeMs, size: stats.size }];
  });
  return (await Promise.all(found)).flat().toSorted((a, b) => a.at - b.at);
}

/** Identifies the files that a request's reply is found by: the index, and responses that may be its own. */
export async function replyMark(file: string): Promise<string> {
  const folder = dirname(file);
  const [request, index] = await Promise.all([statOf(file), statOf(join(folder, INDEX))]);
  const [sentAt, latest] = [request?.mtimeMs ?? 0, (request?.mtimeMs ?? 0) + LONGEST_ANSWER_MS];
  // Later none is added, and a folder of thousands need not be read again.
  const files = Date.now() > latest ? [] : await exchangedIn(folder, sentAt, latest);
  const responses = files.map(({ name, at, size }) => `${name} ${size} ${at}`);
  return [`${index?.size} ${index?.mtimeMs}`, ...responses].join(', ');
}

/** The size and time of a file; undefined if the limit of the recordings deleted it meanwhile. */
async function statOf(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function valueIn(file: string): Promise<Fields | undefined> {
  const value = parsed((await capturedBytes(file))?.toString('utf8') ?? '');
  return isObject(value) ? value : undefined;
}
