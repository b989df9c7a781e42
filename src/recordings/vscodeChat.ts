import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { refused } from '../contextWindow/result';
import { type ImportAids, readContent } from './messages';
import { type JsonLine, placeOf, shapedPart } from './readJson';
import {
  type Read,
  readCallArguments,
  type RecordedItem,
  type RecordedOutcome,
  type RecordedReply,
  type Recording,
  recordedUsage,
  textIn,
} from './recordedItem';

type Fields = JsonLine['value'];

/*
 * A chat of VS Code (`chatSessions/<id>.json`, since 2026 `.jsonl`): one object, or a line with the
 * object and a line for each change of it (src/vs/workbench/contrib/chat/common/model in
 * microsoft/vscode: chatModel.ts, objectMutationLog.ts). What the model saw and said is in the
 * result of each request, as Copilot Chat writes it (conversation.ts, toolCallRound.ts); `response`
 * is what the user was shown.
 */

const call = z.object({
  id: z._default(z.string(), ''),
  name: z.string(),
  arguments: z.optional(z.unknown()),
});

const round = z.object({
  id: z.nullish(z.string()),
  response: z._default(z.nullable(z.string()), null),
  toolCalls: z._default(z.array(call), []),
  modelId: z.nullish(z.string()),
  timestamp: z.optional(z.unknown()),
  thinking: z.optional(z.unknown()),
});

type Round = z.output<typeof round>;

const metadata = z.object({
  renderedUserMessage: z.optional(z.unknown()),
  toolCallRounds: z._default(z.array(round), []),
  toolCallResults: z._default(z.record(z.string(), z.unknown()), {}),
  /** Of the newest request of the turn; tokens. */
  promptTokens: z.optional(z.unknown()),
  outputTokens: z.optional(z.unknown()),
  resolvedModel: z.nullish(z.string()),
  summary: z.optional(z.unknown()),
  summaries: z.optional(z.unknown()),
});

const request = z.object({
  message: z.union([z.string(), z.looseObject({ text: z.string() })]),
  timestamp: z.optional(z.unknown()),
  modelId: z.nullish(z.string()),
  promptTokens: z.optional(z.unknown()),
  completionTokens: z.optional(z.unknown()),
  shouldBeRemovedOnSend: z.optional(z.unknown()),
  response: z.optional(z.unknown()),
  result: z.nullish(z.looseObject({ metadata: z.nullish(metadata) })),
});

type ChatRequest = z.output<typeof request>;

/** Says whether a value is a chat, or the line of a file that holds one. */
export function isOfVsCodeChat(value: Fields): boolean {
  const { kind, v, requests } = value;
  if (kind === 0 && isObject(v)) return Array.isArray(v['requests']);
  return Array.isArray(requests) && ('responderUsername' in value || 'sessionId' in value);
}

/** Reads a chat of VS Code. */
export function readVsCodeChat(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const chat = chatOf(lines, aids);
  const requests = chat?.['requests'];
  if (!Array.isArray(requests)) {
    return refused('it holds no chat. Give the file that VS Code wrote, from its first line on.');
  }
  const items: RecordedItem[] = [];
  const rounds = new Map<string, RecordedItem>();
  for (const [index, one] of requests.entries()) {
    const place = { leftOut: aids.leftOut, place: `request ${index + 1}` };
    const read = shapedPart(request, one, place);
    if (read === undefined) continue;
    // It was undone, and goes with the next prompt.
    if (read.shouldBeRemovedOnSend) aids.leftOut.add('otherBranch');
    else addTurn(items, rounds, read, aids);
  }
  return { ok: true, value: { system: '', tools: [], items } };
}

/** The chat after all changes of it. */
function chatOf(lines: readonly JsonLine[], aids: ImportAids): Fields | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  if (first.value['kind'] === undefined) return first.value;
  let chat: unknown;
  for (const { line, value } of lines) {
    if (value['kind'] === 0) chat = value['v'];
    else if (!isApplied(chat, value)) {
      const { leftOut, place } = placeOf(line, aids);
      leftOut.addUnreadable(place, 'it changes a part of the chat that does not exist.');
    }
  }
  return isObject(chat) ? chat : undefined;
}

/** Makes a change of the chat: sets or deletes a field, or cuts a list and adds to it. */
function isApplied(chat: unknown, { kind, k: path, v: value, i: start }: Fields): boolean {
  if (!Array.isArray(path)) return false;
  let parent = chat;
  for (const key of path.slice(0, -1)) parent = fieldOf(parent, key);
  const key: unknown = path.at(-1);
  if (kind === 2) {
    const list = path.length === 0 ? chat : fieldOf(parent, key);
    if (!Array.isArray(list)) return false;
    if (isIndex(start)) list.length = Math.min(list.length, start);
    if (Array.isArray(value)) for (const one of value) list.push(one);
    return true;
  }
  if (kind !== 1 && kind !== 3) return false;
  const isOfList = Array.isArray(parent) && isIndex(key) && key < parent.length;
  if (!isOfList && !(isObject(parent) && !Array.isArray(parent) && typeof key === 'string')) {
    return false;
  }
  // Also `__proto__` becomes a field of its own.
  Object.defineProperty(parent, String(key), {
    value: kind === 1 ? value : undefined,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return true;
}

function fieldOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) return isIndex(key) ? value[key] : undefined;
  return isObject(value) && typeof key === 'string' && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
}

function isIndex(key: unknown): key is number {
  return typeof key === 'number' && Number.isInteger(key) && key >= 0;
}

/** `rounds` holds the last item of every earlier round, by its id. */
function addTurn(
  items: RecordedItem[],
  rounds: Map<string, RecordedItem>,
  one: ChatRequest,
  aids: ImportAids,
): void {
  const about = one.result?.metadata ?? undefined;
  items.push(...readPrompt(one, about?.renderedUserMessage, aids));
  const model = about?.resolvedModel ?? one.modelId ?? '';
  const said = (about?.toolCallRounds ?? []).map((each) => readRound(each, model, aids));
  if (said.length === 0) said.push(shownReply(one, model, aids));
  const usage = recordedUsage({
    input: about?.promptTokens ?? one.promptTokens,
    output: about?.outputTokens ?? one.completionTokens,
    cacheCreation: 0,
    cacheRead: 0,
  });
  for (const [index, reply] of said.entries()) {
    const isLast = index === said.length - 1;
    items.push(isLast && usage !== undefined ? { ...reply, usage } : reply);
    for (const part of reply.parts) {
      const results = about?.toolCallResults ?? {};
      const isHeld = part.type === 'call' && Object.hasOwn(results, part.id);
      const result = isHeld ? results[part.id] : undefined;
      if (part.type === 'call' && result !== undefined) {
        items.push(readResult(part.id, result, aids));
      }
    }
    const id = about?.toolCallRounds[index]?.id;
    const last = items.at(-1);
    if (typeof id === 'string' && last !== undefined) rounds.set(id, last);
  }
  summarise(items, rounds, about);
}

/** The text as the model got it, with what VS Code put around it; as typed, if the file lacks it. */
function readPrompt(
  { message, timestamp }: ChatRequest,
  rendered: unknown,
  aids: ImportAids,
): readonly RecordedItem[] {
  const typed = typeof message === 'string' ? message : message.text;
  const sent = Array.isArray(rendered) ? contentOf(rendered, aids) : undefined;
  const isSent = sent !== undefined && sent.text.trim() !== '';
  const { text, attachments } = isSent ? sent : { text: typed, attachments: [] };
  if (text.trim() === '') {
    aids.leftOut.add('emptyPrompt');
    return [];
  }
  return [{ type: 'prompt', ...timeAt(timestamp), text, attachments }];
}

function readRound(each: Round, modelOfTurn: string, { leftOut }: ImportAids): RecordedReply {
  if (each.thinking !== undefined && each.thinking !== null) leftOut.add('thinking');
  const calls = each.toolCalls.map(({ id, name, arguments: written }) => ({
    type: 'call' as const,
    id,
    name,
    input: readCallArguments(written, leftOut),
  }));
  return {
    type: 'reply',
    ...timeAt(each.timestamp),
    model: each.modelId ?? modelOfTurn,
    parts: [{ type: 'text', text: each.response ?? '' }, ...calls],
  };
}

/** The text that the user was shown, of a turn that has not ended or that holds no rounds. */
function shownReply(
  { response, timestamp }: ChatRequest,
  model: string,
  { leftOut }: ImportAids,
): RecordedReply {
  const parts: readonly unknown[] = Array.isArray(response) ? response : [];
  const texts = parts.map((part) => {
    if (!isObject(part)) return textIn(part);
    if (part['kind'] === 'thinking') leftOut.add('thinking');
    return part['kind'] === undefined ? textIn(part['value']) : '';
  });
  const text = { type: 'text' as const, text: texts.join('') };
  return { type: 'reply', ...timeAt(timestamp), model, parts: [text] };
}

function readResult(callId: string, result: unknown, aids: ImportAids): RecordedOutcome {
  const { content, isError } = isObject(result) ? result : {};
  const read = contentOf(Array.isArray(content) ? content : [], aids);
  return { type: 'result', callId, isError: isError === true, ...read };
}

/** Parts of a prompt (`{type, text}`) or of a result (`{value}`, also a tree of an element). */
function contentOf(parts: readonly unknown[], aids: ImportAids) {
  const content = parts.flatMap((part) => {
    if (typeof part === 'string') return [{ type: 'text', text: part }];
    if (!isObject(part)) return [{ type: 'unknown' }];
    const { text, value, imageUrl } = part;
    const shown = text ?? value;
    if (typeof shown === 'string') return [{ type: 'text', text: shown }];
    if (isObject(value) && value['node'] !== undefined) {
      return [{ type: 'text', text: textOfTree(value['node']) }];
    }
    if (imageUrl !== undefined || 'mimeType' in part) return [{ type: 'image' }];
    // A mark of the cache, or data that only its own server reads.
    return 'cacheType' in part || part['type'] === 2 ? [] : [{ type: 'unknown' }];
  });
  return readContent(content, aids);
}

/** Deepest element of a result that is read; real ones have a few levels. */
const DEEPEST = 200;

/** The text of an element of `@vscode/prompt-tsx`, whose JSON has `text` in its leaves. */
function textOfTree(node: unknown, level = 0): string {
  if (!isObject(node) || level > DEEPEST) return '';
  const { text, children, lineBreakBefore } = node;
  const begin = lineBreakBefore === true || lineBreakBefore === 1 ? '\n' : '';
  if (typeof text === 'string') return begin + text;
  const inner: readonly unknown[] = Array.isArray(children) ? children : [];
  return begin + inner.map((child) => textOfTree(child, level + 1)).join('');
}

/** A summary stands for everything up to its round; it is kept with the turn that made it. */
function summarise(
  items: RecordedItem[],
  rounds: ReadonlyMap<string, RecordedItem>,
  about: z.output<typeof metadata> | undefined,
): void {
  const list: readonly unknown[] = Array.isArray(about?.summaries)
    ? about.summaries
    : [about?.summary];
  for (const one of list) {
    const { toolCallRoundId: id, text } = isObject(one) ? one : {};
    const last = typeof id === 'string' ? rounds.get(id) : undefined;
    if (last === undefined || typeof text !== 'string' || text.trim() === '') continue;
    items.splice(items.indexOf(last) + 1, 0, { type: 'compacted', summary: text });
  }
}

function timeAt(time: unknown): { readonly at?: number } {
  return typeof time === 'number' && Number.isFinite(time) ? { at: time } : {};
}
