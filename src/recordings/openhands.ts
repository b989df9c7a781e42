import * as z from 'zod/mini';
import type { ToolDefinition } from '../contextWindow/event';
import type { Usage } from '../contextWindow/account/spending';
import {
  windowSize,
  type Read,
  type RecordedItem,
  type RecordedPart,
  type Recording,
} from './recordedItem';
import {
  sourceOfDataUrl,
  readCallArguments,
  usageOfWholeInput,
  objectSchema,
} from './recordedParts';
import {
  callName,
  messageContent,
  readReplyParts,
  readTold,
  readUserContent,
  type ImportAids,
  type MessageContent,
} from './messageContent';
import type { JsonValue } from './readJson';
import { shapedFile } from './shape';
import { isObject } from '../contextWindow/json';

const message = z.looseObject({
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

type ChatMessage = z.output<typeof message>;

/** A tool as the chat form describes it. */
export const chatTool = z.object({
  function: z.object({
    name: z.string(),
    description: z.nullish(z.string()),
    parameters: z.nullish(z.record(z.string(), z.unknown())),
  }),
});

type ChatTool = z.output<typeof chatTool>;

const log = z.object({
  messages: z.array(message),
  tools: z.nullish(z.array(chatTool)),
  /** Of the model, in tokens. */
  context_window: z.optional(z.unknown()),
  response: z.object({
    model: z.nullish(z.string()),
    choices: z.array(z.looseObject({ message })),
    usage: z.nullish(z.record(z.string(), z.unknown())),
  }),
});

/** Reads what OpenHands logs of one model call: the whole request, and the response to it. */
export function readOpenHands(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(log, value, 'openhands');
  if (!read.ok) return read;
  const { messages, response, tools } = read.value;
  const model = response.model ?? '';
  const start = messages.findIndex(({ role }) => !isSystem(role));
  const opening = messages.slice(0, start === -1 ? messages.length : start);
  const items = messages.slice(opening.length).flatMap((one) => readMessage(one, model, aids));
  const answer = response.choices[0]?.message;
  const usage = readChatUsage(response.usage ?? {});
  for (const item of answer === undefined ? [] : readMessage(answer, model, aids)) {
    items.push(item.type === 'reply' && usage !== undefined ? { ...item, usage } : item);
  }
  const system = opening.map((one) => readTold(one.content ?? '', aids).text).join('\n\n');
  const size = windowSize(read.value.context_window);
  return {
    ok: true,
    value: { system, tools: (tools ?? []).map((one) => readChatTool(one, aids)), ...size, items },
  };
}

function isSystem(role: ChatMessage['role']): boolean {
  return role === 'system' || role === 'developer';
}

function readMessage(one: ChatMessage, model: string, aids: ImportAids): readonly RecordedItem[] {
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
      return [{ type: 'result', callId, isError: false, ...readTold(content, aids) }];
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

/** The prompt tokens of the chat form include cache reads and writes. */
export function readChatUsage(fields: Readonly<Record<string, unknown>>): Usage | undefined {
  const details = fields['prompt_tokens_details'];
  const cached = isObject(details) ? details['cached_tokens'] : undefined;
  return usageOfWholeInput({
    input: fields['prompt_tokens'],
    // OpenHands' own lists of usage have the shorter names.
    cacheCreation: fields['cache_creation_input_tokens'] ?? fields['cache_write_tokens'],
    cacheRead: fields['cache_read_input_tokens'] ?? fields['cache_read_tokens'] ?? cached,
    output: fields['completion_tokens'],
  });
}

/** Reads a tool that the chat form describes. */
export function readChatTool(
  { function: tool }: ChatTool,
  { leftOut }: ImportAids,
): ToolDefinition {
  return {
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: objectSchema(tool.parameters ?? { type: 'object', properties: {} }, leftOut),
  };
}
