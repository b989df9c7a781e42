import * as z from 'zod/mini';
import type { Usage } from '../contextWindow/account/spending';
import { isObject } from '../contextWindow/json';
import { refused } from '../contextWindow/result';
import { addCodexItem, readCodexItem } from './codex';
import { type ImportAids, messageContent, readContent, readFunctionTools } from './messages';
import { chatMessage, isSystemRole, readChatMessage } from './openhands';
import { type JsonLine, shaped } from './readJson';
import {
  readChatUsage,
  type Read,
  type RecordedItem,
  type Recording,
  usageOfWholeInput,
  textIn,
} from './recordedItem';

type Fields = JsonLine['value'];

/*
 * Requests to OpenAI's APIs as people log them, one value or one on each line: the body alone,
 * `{request, response}`, or a line of a batch (`{custom_id, method, url, body}`). Each request of a
 * conversation repeats the one before it, so the last one with its response is the conversation.
 */

/** A request with the response to it, if the file holds one. */
interface Exchange {
  readonly line: number;
  readonly request: Fields;
  readonly response?: Fields;
}

/** The request and the response of a line; undefined for a line without a request. */
function exchangeOf({ line, value }: JsonLine): Exchange | undefined {
  const request = value['request'] ?? value['body'] ?? value;
  if (!isObject(request) || listOf(request) === undefined) return undefined;
  const answer = value['response'];
  // A batch wraps the response in its HTTP status.
  const response = isObject(answer) ? (answer['body'] ?? answer) : undefined;
  return isObject(response) ? { line, request, response } : { line, request };
}

/** The messages of a chat completion, or the items of a response. */
function listOf({ messages, input }: Fields): readonly unknown[] | undefined {
  if (Array.isArray(messages)) return messages;
  if (Array.isArray(input)) return input;
  return typeof input === 'string' ? [{ role: 'user', content: input }] : undefined;
}

/** Says whether a value is such a request; one that the Messages API could have as well is not. */
export function isOfOpenAi(value: Fields): boolean {
  const exchange = exchangeOf({ line: 1, value });
  if (exchange === undefined) return false;
  const { request, response } = exchange;
  const { messages, input, tools } = request;
  if (typeof value['url'] === 'string' && /\/(?:chat\/completions|responses)$/.test(value['url'])) {
    return true;
  }
  if (Array.isArray(messages)) {
    if (value['request'] !== undefined && response !== undefined && 'choices' in response) {
      return true;
    }
    return messages.some(isOnlyChat) || (Array.isArray(tools) && tools.some(isChatTool));
  }
  if (response !== undefined && Array.isArray(response['output'])) return true;
  const isBody = typeof request['model'] === 'string' || 'instructions' in request;
  return isBody && Array.isArray(input) && input.some(isItem);
}

function isOnlyChat(message: unknown, index: number): boolean {
  if (!isObject(message)) return false;
  const { role } = message;
  const isChatRole = role === 'tool' || role === 'developer' || (role === 'system' && index === 0);
  return isChatRole || Array.isArray(message['tool_calls']);
}

function isChatTool(tool: unknown): boolean {
  return isObject(tool) && isObject(tool['function']);
}

function isItem(item: unknown): boolean {
  return isObject(item) && (typeof item['role'] === 'string' || typeof item['type'] === 'string');
}

/** Reads the conversation of the last request. */
export function readOpenAiRequests(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const exchanges = lines.flatMap((line) => exchangeOf(line) ?? []);
  const last = exchanges.at(-1);
  if (last === undefined) return refused('it holds no request. Give one with messages or input.');
  const list = listOf(last.request) ?? [];
  const earlier = exchanges
    .slice(0, -1)
    .filter(({ request }) => isBeginning(listOf(request), list));
  aids.leftOut.add('otherRequest', exchanges.length - 1 - earlier.length);
  const previous = last.request['previous_response_id'];
  if (typeof previous === 'string') aids.leftOut.add('previousResponse');
  const answers = new Map(
    earlier.map(({ request, response }) => [listOf(request)?.length ?? 0, response]),
  );
  const isChat = Array.isArray(last.request['messages']);
  return isChat ? readChat(last, list, answers, aids) : readItems(last, list, answers, aids);
}

/** Says whether one list of messages begins with another one. */
function isBeginning(shorter: readonly unknown[] | undefined, list: readonly unknown[]): boolean {
  return (
    shorter?.every((message, index) => JSON.stringify(message) === JSON.stringify(list[index])) ??
    false
  );
}

/** The responses to earlier requests, by the place in the last request where they begin. */
type Answers = ReadonlyMap<number, Fields | undefined>;

function modelOf(request: Fields, response: Fields | undefined): string {
  const model = response?.['model'] ?? request['model'];
  return typeof model === 'string' ? model : '';
}

function readChat(
  { line, request, response }: Exchange,
  list: readonly unknown[],
  answers: Answers,
  aids: ImportAids,
): Read<Recording> {
  const [choice]: readonly unknown[] = Array.isArray(response?.['choices'])
    ? response['choices']
    : [];
  const answer = isObject(choice) && choice['message'] !== undefined ? [choice['message']] : [];
  const read = shaped(z.array(chatMessage), [...list, ...answer], `line ${line}`);
  if (!read.ok) return read;
  const messages = read.value;
  const start = messages.findIndex(({ role }) => !isSystemRole(role));
  const opening = messages.slice(0, start === -1 ? messages.length : start);
  const items = messages.slice(opening.length).flatMap((one, index): readonly RecordedItem[] => {
    const at = opening.length + index;
    const said = at === list.length ? response : answers.get(at);
    const counted = said?.['usage'];
    const usage = isObject(counted) ? readChatUsage(counted) : undefined;
    return readChatMessage(one, modelOf(request, said), aids).map((item) =>
      item.type === 'reply' && usage !== undefined ? { ...item, usage } : item,
    );
  });
  const system = opening.map((one) => readContent(one.content ?? '', aids).text).join('\n\n');
  return { ok: true, value: { system, tools: readFunctionTools(request['tools'], aids), items } };
}

function readItems(
  { line, request, response }: Exchange,
  list: readonly unknown[],
  answers: Answers,
  aids: ImportAids,
): Read<Recording> {
  const output: readonly unknown[] = Array.isArray(response?.['output']) ? response['output'] : [];
  const { instructions } = request;
  const system = typeof instructions === 'string' && instructions !== '' ? [instructions] : [];
  const items: RecordedItem[] = [];
  // The response that the next items belong to.
  let said = answers.get(0);
  for (const [index, one] of [...list, ...output].entries()) {
    if (index === list.length) said = response;
    else if (answers.has(index)) said = answers.get(index);
    const item = isObject(one) ? asItem(one) : undefined;
    if (item === undefined) {
      aids.leftOut.addUnreadable(`line ${line}`, `item ${index + 1} is not a JSON object.`);
      continue;
    }
    if (items.length === 0 && isInstruction(item)) {
      const content = messageContent.safeParse(item['content']);
      if (content.success) system.push(instructionText(content.data));
      continue;
    }
    for (const found of readCodexItem(item, line, modelOf(request, said), aids)) {
      addCodexItem(items, found);
    }
    const next = index + 1;
    const isLast = next === list.length + output.length || next === list.length;
    if (said !== undefined && (isLast || answers.has(next) || !isOfReply(item))) {
      count(items, usageOf(said));
      // What follows is not of this response, even if its own is not in the file.
      said = undefined;
    }
  }
  return {
    ok: true,
    value: { system: system.join('\n\n'), tools: readFunctionTools(request['tools'], aids), items },
  };
}

/** An item whose kind is not written is a message. */
function asItem(item: Fields): Fields {
  return item['type'] === undefined ? { ...item, type: 'message' } : item;
}

function isInstruction({ type, role }: Fields): boolean {
  return type === 'message' && (role === 'system' || role === 'developer');
}

function instructionText(content: z.output<typeof messageContent>): string {
  if (typeof content === 'string') return content;
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n\n');
}

function isOfReply({ type, role }: Fields): boolean {
  return type === 'message' ? role === 'assistant' : !textIn(type).endsWith('_output');
}

/** The last reply has the usage of its response. */
function count(items: RecordedItem[], usage: Usage | undefined): void {
  const at = items.findLastIndex(({ type }) => type === 'reply');
  const reply = items[at];
  if (usage === undefined || reply?.type !== 'reply' || reply.usage !== undefined) return;
  items[at] = { ...reply, usage };
}

function usageOf({ usage }: Fields): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const details = isObject(usage['input_tokens_details']) ? usage['input_tokens_details'] : {};
  return usageOfWholeInput({
    input: usage['input_tokens'],
    cacheCreation: details['cache_write_tokens'],
    cacheRead: details['cached_tokens'],
    output: usage['output_tokens'],
  });
}
