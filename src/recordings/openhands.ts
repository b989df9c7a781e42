import * as z from 'zod/mini';
import type { ToolDefinition } from '../contextWindow/event';
import { isObject } from '../contextWindow/json';
import { refused } from '../contextWindow/result';
import {
  callName,
  type ImportAids,
  messageContent,
  type MessageContent,
  readReplyParts,
  readContent,
  readUserContent,
} from './messages';
import { readAction } from './openhandsActions';
import { type JsonLine, type JsonValue, shaped, shapedFile, shapedPart } from './readJson';
import {
  messagesIn,
  objectSchema,
  type Read,
  readCallArguments,
  readChatUsage,
  type RecordedItem,
  type RecordedMessage,
  recordedPrice,
  type RecordedPart,
  type RecordedReply,
  type Recording,
  sourceOfDataUrl,
  timeOf,
  windowSize,
} from './recordedItem';

/** A message in the form of OpenAI's chat completions, which other agents record, too. */
export const chatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.nullish(messageContent),
  tool_calls: z.nullish(
    z.array(
      z.object({
        id: z._default(z.string(), ''),
        function: z.object({ name: callName, arguments: z.unknown() }),
      }),
    ),
  ),
  tool_call_id: z.nullish(z.string()),
});

type ChatMessage = z.output<typeof chatMessage>;

/** A tool as the chat form describes it. */
const chatTool = z.object({
  function: z.object({
    name: z.string(),
    description: z.nullish(z.string()),
    parameters: z.nullish(z.record(z.string(), z.unknown())),
  }),
});

type ChatTool = z.output<typeof chatTool>;

const log = z.object({
  messages: z.array(chatMessage),
  tools: z.nullish(z.array(chatTool)),
  /** Of the model, in tokens. */
  context_window: z.optional(z.unknown()),
  /** Of this call, in US dollars. */
  cost: z.optional(z.unknown()),
  response: z.object({
    model: z.nullish(z.string()),
    choices: z.array(z.looseObject({ message: chatMessage })),
    usage: z.nullish(z.record(z.string(), z.unknown())),
  }),
});

/** Reads what OpenHands logs of one model call: the whole request, and the response to it. */
export function readOpenHands(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(log, value, 'openhands');
  if (!read.ok) return read;
  const { messages, response, tools } = read.value;
  const model = response.model ?? '';
  const start = messages.findIndex(({ role }) => !isSystemRole(role));
  const opening = messages.slice(0, start === -1 ? messages.length : start);
  const items = messages.slice(opening.length).flatMap((one) => readChatMessage(one, model, aids));
  const answer = response.choices[0]?.message;
  const usage = readChatUsage(response.usage ?? {});
  for (const item of answer === undefined ? [] : readChatMessage(answer, model, aids)) {
    const spent = usage === undefined ? {} : { usage, ...recordedPrice(read.value.cost) };
    items.push(item.type === 'reply' ? { ...item, ...spent } : item);
  }
  const system = opening.map((one) => readContent(one.content ?? '', aids).text).join('\n\n');
  const size = windowSize(read.value.context_window);
  return {
    ok: true,
    value: { system, tools: (tools ?? []).map((one) => readChatTool(one, aids)), ...size, items },
  };
}

/** Whether a message instructs the model. */
export function isSystemRole(role: ChatMessage['role']): boolean {
  return role === 'system' || role === 'developer';
}

export function readChatMessage(
  one: ChatMessage,
  model: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  const content = asMessagesContent(one.content ?? '');
  switch (one.role) {
    case 'system':
    case 'developer':
      aids.leftOut.add('systemMessage');
      return [];
    case 'user':
      return readUserContent(content, aids);
    case 'tool': {
      const callId = one.tool_call_id ?? '';
      return [{ type: 'result', callId, isError: false, ...readContent(content, aids) }];
    }
    case 'assistant':
      return [{ type: 'reply', model, parts: readParts(one, content, aids) }];
  }
}

function readParts(
  one: ChatMessage,
  content: MessageContent,
  aids: ImportAids,
): readonly RecordedPart[] {
  const thinking = one['thinking_blocks'] ?? one['reasoning_content'];
  if (Array.isArray(thinking)) aids.leftOut.add('thinking', thinking.length);
  else if (typeof thinking === 'string' && thinking !== '') aids.leftOut.add('thinking');
  const calls = (one.tool_calls ?? []).map(({ id, function: call }) => ({
    type: 'call' as const,
    id,
    name: call.name,
    input: readCallArguments(call.arguments, aids.leftOut),
  }));
  return [...readReplyParts(content, aids), ...calls];
}

/** Writes images as the Messages API has them; the chat form has them as data URLs. */
function asMessagesContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    if (part.type !== 'image_url') return part;
    const image = part['image_url'];
    return { type: 'image', source: sourceOfDataUrl(isObject(image) ? image['url'] : image) };
  });
}

/** Reads a tool that the chat form describes. */
function readChatTool({ function: tool }: ChatTool, { leftOut }: ImportAids): ToolDefinition {
  return {
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: objectSchema(tool.parameters ?? { type: 'object', properties: {} }, leftOut),
  };
}

/**
 * One line of the `output.jsonl` of an evaluation: a task with everything that happened in it. Seen
 * in one of October 2025 (OpenHands/benchmarks): `history` holds the events of the conversation, and
 * not its first prompt, which is `instruction`; `metrics` is null or has the usage of every response.
 */
const task = z.looseObject({
  instruction: z.nullish(z.string()),
  history: z.array(z.unknown()),
  metadata: z.nullish(z.looseObject({})),
  metrics: z.nullish(z.looseObject({})),
});

/** Reads the first task of an `output.jsonl` that has a history. */
export function readOpenHandsOutput(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const tasks = lines.filter(({ value }) => Array.isArray(value['history']));
  const first = tasks.find(
    ({ value: { history } }) => Array.isArray(history) && history.length > 0,
  );
  if (first === undefined) {
    return refused('none of its tasks has a history. Give the output.jsonl of a run that has one.');
  }
  const read = shaped(task, first.value, `line ${first.line}`);
  if (!read.ok) return read;
  aids.leftOut.add('otherTask', tasks.length - 1);
  return { ok: true, value: readTask(read.value, aids) };
}

function readTask(
  { instruction, history, metadata, metrics }: z.output<typeof task>,
  aids: ImportAids,
): Recording {
  const spent = spentIn(metrics ?? {});
  const llm = metadata?.['llm'] ?? metadata?.['llm_config'];
  const model = isObject(llm) && typeof llm['model'] === 'string' ? llm['model'] : '';
  const items: RecordedItem[] = [];
  const eventOf = new Map<RecordedMessage, unknown>();
  let system = '';
  let tools: unknown;
  // Older runs have pairs of an action and its observation.
  for (const [index, event] of history.flat().entries()) {
    const place = `event ${index + 1}`;
    if (!isObject(event)) {
      aids.leftOut.addUnreadable(place, 'it is not a JSON object.');
      continue;
    }
    const at = timeOf(event['timestamp']);
    const parts: EventParts = {
      aids,
      place,
      at,
      model,
      spentOn: (id: string) => spent.get(id) ?? {},
    };
    const read =
      typeof event['kind'] === 'string' ? readEvent(event, parts) : readAction(event, parts);
    system = read.system ?? system;
    tools = read.tools ?? tools;
    for (const message of messagesIn(read.items ?? [])) eventOf.set(message, event['id']);
    items.push(...(read.items ?? []));
    if (read.condensed === undefined) continue;
    const { forgotten, ...condensed } = read.condensed;
    const kept = messagesIn(items).filter((one) => !forgotten.has(eventOf.get(one)));
    items.push({ type: 'compacted', ...at, ...condensed, kept });
  }
  const begins = items.find(({ type }) => type === 'prompt' || type === 'reply');
  const hasPrompt = begins?.type === 'prompt' || (instruction ?? '').trim() === '';
  const opening: readonly RecordedItem[] = hasPrompt
    ? []
    : [{ type: 'prompt', text: instruction ?? '', attachments: [] }];
  const described = z.array(chatTool).safeParse(tools);
  return {
    system,
    tools: described.success ? described.data.map((one) => readChatTool(one, aids)) : [],
    items: [...opening, ...items],
  };
}

/** What a response cost. */
type Spent = Pick<RecordedReply, 'usage' | 'usd'>;

/** The usage and the price of each response; a list of prices has the order of the usages. */
function spentIn({ token_usages: usages, costs }: JsonLine['value']): ReadonlyMap<unknown, Spent> {
  const list: readonly unknown[] = Array.isArray(usages) ? usages : [];
  const prices: readonly unknown[] =
    Array.isArray(costs) && costs.length === list.length ? costs : [];
  const spent = new Map<unknown, Spent>();
  for (const [index, one] of list.entries()) {
    const usage = isObject(one) ? readChatUsage(one) : undefined;
    if (!isObject(one) || usage === undefined) continue;
    const price = prices[index];
    const usd = recordedPrice(isObject(price) ? price['cost'] : undefined);
    spent.set(one['response_id'], { usage, ...usd });
  }
  return spent;
}

/** What the events of a conversation are read with. */
export interface EventParts {
  readonly aids: ImportAids;
  /** Names the event, for example `event 12`. */
  readonly place: string;
  /** When it was, ms since the epoch. */
  readonly at: { readonly at?: number };
  /** The model of the run; '' where it does not say. */
  readonly model: string;
  spentOn(responseId: string): Spent;
}

/** What one event comes to. */
export interface EventRead {
  readonly items?: readonly RecordedItem[];
  readonly system?: string;
  /** The tools in the chat form. */
  readonly tools?: unknown;
  /** The agent made room; `forgotten` are the ids of the events that left. */
  readonly condensed?: {
    readonly summary?: string;
    readonly forgotten: ReadonlySet<unknown>;
  };
}

/*
 * The events of OpenHands since version 1, told apart by their `kind`. Seen in an output.jsonl:
 * `ActionEvent`, a call with its arguments as a JSON text in `tool_call`, and `ObservationEvent`, its
 * result; calls of one response share `llm_response_id`. What a terminal said is `output`, with the
 * exit code in `metadata`; newer observations have their text as parts in `content`.
 */

const messageEvent = z.looseObject({
  llm_message: z.looseObject({ content: z._default(messageContent, '') }),
});

const actionEvent = z.looseObject({
  tool_name: callName,
  tool_call_id: z._default(z.string(), ''),
  thought: z.nullish(messageContent),
  reasoning_content: z.nullish(z.string()),
  llm_response_id: z.nullish(z.string()),
  tool_call: z.nullish(z.looseObject({})),
});

const observationEvent = z.looseObject({
  tool_call_id: z._default(z.string(), ''),
  observation: z.looseObject({ metadata: z.nullish(z.looseObject({})) }),
});

const NOTHING: EventRead = {};

/** Reads one event of version 1. */
function readEvent(event: JsonLine['value'], parts: EventParts): EventRead {
  const { aids, place, at } = parts;
  const where = { leftOut: aids.leftOut, place };
  switch (event['kind']) {
    case 'SystemPromptEvent': {
      const { system_prompt: prompt, tools } = event;
      const text = isObject(prompt) ? prompt['text'] : prompt;
      return { ...(typeof text === 'string' ? { system: text } : {}), tools };
    }
    case 'MessageEvent': {
      const read = shapedPart(messageEvent, event, where);
      if (read === undefined) return NOTHING;
      const said = readContent(withImageBlocks(read.llm_message.content), aids);
      if (event['source'] === 'agent') {
        return { items: [replyOf(event, [{ type: 'text', text: said.text }], parts)] };
      }
      if (said.text.trim() === '' && said.attachments.length === 0)
        return leftOut('emptyPrompt', aids);
      return { items: [{ type: 'prompt', ...at, ...said }] };
    }
    case 'ActionEvent': {
      const read = shapedPart(actionEvent, event, where);
      if (read === undefined) return NOTHING;
      return { items: [replyOf(event, readCall(read, event['action'], aids), parts)] };
    }
    case 'ObservationEvent': {
      const read = shapedPart(observationEvent, event, where);
      if (read === undefined) return NOTHING;
      const result = readObservation(read.observation, aids);
      return { items: [{ type: 'result', callId: read.tool_call_id, ...result }] };
    }
    case 'AgentErrorEvent':
    case 'UserRejectObservation': {
      const { tool_call_id: callId, error, rejection_reason: reason } = event;
      const text = textOf(error ?? reason);
      const result = { text, isError: true, attachments: [] };
      return { items: [{ type: 'result', callId: textOf(callId), ...result }] };
    }
    case 'Condensation': {
      const { summary, forgotten_event_ids: ids } = event;
      const summarised = typeof summary === 'string' && summary !== '' ? { summary } : {};
      return { condensed: { ...summarised, forgotten: new Set(Array.isArray(ids) ? ids : []) } };
    }
  }
  // Not part of the conversation: changes of state, pauses, requests to condense.
  return NOTHING;
}

function leftOut(kind: Parameters<ImportAids['leftOut']['add']>[0], aids: ImportAids): EventRead {
  aids.leftOut.add(kind);
  return NOTHING;
}

function replyOf(
  event: JsonLine['value'],
  read: readonly RecordedPart[],
  { at, model, spentOn }: EventParts,
): RecordedReply {
  const { llm_response_id: id } = event;
  if (typeof id !== 'string' || id === '') return { type: 'reply', ...at, model, parts: read };
  return { type: 'reply', ...at, responseId: id, model, parts: read, ...spentOn(id) };
}

function readCall(
  {
    tool_name: name,
    tool_call_id: id,
    thought,
    reasoning_content,
    tool_call: call,
  }: z.output<typeof actionEvent>,
  action: unknown,
  aids: ImportAids,
): readonly RecordedPart[] {
  if ((reasoning_content ?? '') !== '') aids.leftOut.add('thinking');
  const { text } = readContent(thought ?? '', aids);
  const { function: nested, arguments: written } = call ?? {};
  const { kind: _kind, ...fields } = isObject(action) ? action : {};
  const given = written ?? (isObject(nested) ? nested['arguments'] : undefined) ?? fields;
  const input = readCallArguments(given, aids.leftOut);
  return [
    { type: 'text', text },
    { type: 'call', id, name, input },
  ];
}

function readObservation(
  observation: z.output<typeof observationEvent>['observation'],
  aids: ImportAids,
) {
  const { content, output, error, message, metadata, exit_code: code } = observation;
  const { prefix, suffix, exit_code: exitCode = code } = metadata ?? {};
  const parts = messageContent.safeParse(content ?? output);
  const said = parts.success
    ? readContent(withImageBlocks(parts.data), aids)
    : { text: textOf(error ?? message ?? observation), attachments: [] };
  const failed = observation['is_error'] === true || error === true;
  const hasCode = typeof exitCode === 'number' && exitCode > 0;
  const isError = failed || hasCode || (typeof error === 'string' && error !== '');
  return { ...said, text: `${textOf(prefix)}${said.text}${textOf(suffix)}`, isError };
}

/** Writes images as the Messages API has them. */
function withImageBlocks(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => {
    const { type, image_urls: urls } = part;
    if (type !== 'image' || !Array.isArray(urls)) return [part];
    return urls.map((url) => ({ type: 'image', source: sourceOfDataUrl(url) }));
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
