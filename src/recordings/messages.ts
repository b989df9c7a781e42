import * as z from 'zod/mini';
import type { Usage } from '../contextWindow/account/spending';
import type { Attachment } from '../contextWindow/block';
import type { ToolDefinition } from '../contextWindow/event';
import { isObject } from '../contextWindow/json';
import { refused } from '../contextWindow/result';
import { type JsonValue, shapedFile } from './readJson';
import {
  type AttachmentTokens,
  type LeftOut,
  objectSchema,
  type Read,
  readAttachment,
  type RecordedItem,
  type RecordedOutcome,
  type RecordedPart,
  recordedUsage,
  type Recording,
} from './recordedItem';

const NO_NAME = 'a call needs the name of its tool';

/** The name of the tool in a call; the API refuses a call without one. */
export const callName = z
  .string({ error: NO_NAME })
  .check(z.refine((name) => name.trim() !== '', { error: NO_NAME }));

/** The parts that are calls, as the Messages API and as pi have them. */
const CALL_TYPES = ['tool_use', 'toolCall'];

const messagePart = z.looseObject({ type: z.string() }).check(
  z.superRefine((part, context) => {
    if (!CALL_TYPES.includes(part.type) || callName.safeParse(part['name']).success) return;
    context.addIssue({ code: 'custom', path: ['name'], message: NO_NAME });
  }),
);

/** The content of one message: a text, or parts of any kind. */
export const messageContent = z.union([z.string(), z.array(messagePart)], {
  error: 'expected a text or a list of parts',
});

const message = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: messageContent,
  /** Only in a reply that was recorded with the API's count. */
  usage: z.optional(z.unknown()),
});

/** One message as the Messages API has it. */
type PlainMessage = z.output<typeof message>;

const body = z.object({
  model: z._default(z.string(), ''),
  system: z._default(messageContent, ''),
  tools: z._default(z.array(z.looseObject({ name: z.string() })), []),
  messages: z.array(message),
});

const NO_MESSAGES =
  'its list of messages is empty: nothing was recorded. Give one that holds a prompt and a reply.';

/** Reads the body of one Messages API request, or its messages alone. */
export function readMessages(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(body, value, 'messages');
  if (!read.ok) return read;
  const { model, system, tools, messages } = read.value;
  if (messages.length === 0) return refused(NO_MESSAGES);
  return {
    ok: true,
    value: {
      system: readContent(system, aids).text,
      tools: tools.flatMap((tool) => readTool(tool, aids)),
      items: messages.flatMap((one) => readPlainMessage(one, model, aids)),
    },
  };
}

/** Reads one message; an assistant's as a reply of `model`. */
export function readPlainMessage(
  { role, content, usage }: PlainMessage,
  model: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  switch (role) {
    case 'user':
      return readUserContent(content, aids);
    case 'system':
      aids.leftOut.add('systemMessage');
      return [];
    case 'assistant': {
      const summaries = typeof content === 'string' ? [] : content.flatMap(summaryOf);
      const rest =
        typeof content === 'string' ? content : content.filter(({ type }) => type !== 'compaction');
      const counted = usageOfMessage(usage);
      const reply = { type: 'reply' as const, model, parts: readReplyParts(rest, aids) };
      return [...summaries, counted === undefined ? reply : { ...reply, usage: counted }];
    }
  }
}

/** The usage of a reply as the Messages API has it; undefined if it is not one. */
export function usageOfMessage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const written = usage['cache_creation'];
  return recordedUsage({
    input: usage['input_tokens'],
    cacheCreation: usage['cache_creation_input_tokens'],
    cacheCreation1h: isObject(written) ? written['ephemeral_1h_input_tokens'] : undefined,
    cacheRead: usage['cache_read_input_tokens'],
    output: usage['output_tokens'],
  });
}

/** The API's own summary of everything before it; a failed one has no content. */
function summaryOf(
  part: Exclude<PlainMessage['content'], string>[number],
): readonly RecordedItem[] {
  const summary = part['content'];
  if (part.type !== 'compaction' || typeof summary !== 'string') return [];
  return [{ type: 'compacted', summary }];
}

const clientTool = z.object({
  name: z.string(),
  description: z._default(z.string(), ''),
  input_schema: z.record(z.string(), z.unknown()),
});

/** Tools that run on the server have no schema in the request, and no results in a recording. */
export function readTool(tool: unknown, { leftOut }: ImportAids): readonly ToolDefinition[] {
  const read = clientTool.safeParse(tool);
  if (!read.success) {
    leftOut.add('serverTool');
    return [];
  }
  const { name, description, input_schema: schema } = read.data;
  return [{ name, description, inputSchema: objectSchema(schema, leftOut) }];
}

const functionTool = z.object({
  name: z.string(),
  description: z.nullish(z.string()),
  parameters: z.nullish(z.record(z.string(), z.unknown())),
});

/** Tools as OpenAI's APIs have them: a chat completion in `function`, a response beside the type. */
export function readFunctionTools(
  tools: unknown,
  { leftOut }: Pick<ImportAids, 'leftOut'>,
): readonly ToolDefinition[] {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return list.flatMap((one) => {
    const read = functionTool.safeParse(isObject(one) ? (one['function'] ?? one) : one);
    if (!read.success) {
      leftOut.add('serverTool');
      return [];
    }
    const { name, description, parameters } = read.data;
    const inputSchema = objectSchema(parameters ?? { type: 'object', properties: {} }, leftOut);
    return [{ name, description: description ?? '', inputSchema }];
  });
}

export type MessageContent = z.output<typeof messageContent>;
type Part = Exclude<MessageContent, string>[number];

/** What importers share: the notes on what they leave out, and the size of attachments. */
export interface ImportAids {
  readonly leftOut: LeftOut;
  readonly attachmentTokens: AttachmentTokens;
}

/** Text and attachments of some content. */
export interface ReadContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Reads the parts of a reply in order; leaves out thinking. */
export function readReplyParts(
  content: MessageContent,
  { leftOut }: ImportAids,
): readonly RecordedPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): readonly RecordedPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: textOf(part['text']) }];
    if (part.type === 'tool_use') {
      const input = isObject(part['input']) ? part['input'] : {};
      return [{ type: 'call', id: textOf(part['id']), name: textOf(part['name']), input }];
    }
    const isThinking = part.type === 'thinking' || part.type === 'redacted_thinking';
    leftOut.add(isThinking ? 'thinking' : 'unknownPart');
    return [];
  });
}

/** Reads a user message: its results, then the rest as a prompt. */
export function readUserContent(
  content: MessageContent,
  aids: ImportAids,
  line?: number,
): readonly RecordedItem[] {
  const results = readResults(content, aids);
  const beside = typeof content === 'string' ? content : content.filter(isNoResult);
  const said = readContent(beside, aids);
  if (said.text.trim() === '' && said.attachments.length === 0) {
    if (results.length === 0) aids.leftOut.add('emptyPrompt');
    return results;
  }
  return [...results, { type: 'prompt', ...(line === undefined ? {} : { line }), ...said }];
}

/** Reads the tool results of a user message. */
export function readResults(content: MessageContent, aids: ImportAids): readonly RecordedOutcome[] {
  if (typeof content === 'string') return [];
  return content
    .filter((part) => !isNoResult(part))
    .map((part) => {
      const inner = messageContent.safeParse(part['content'] ?? '');
      // The cline SDK has results as objects without a type: the model got them as JSON.
      const content = inner.success ? inner.data : JSON.stringify(part['content']);
      return {
        type: 'result',
        callId: textOf(part['tool_use_id']),
        isError: part['is_error'] === true,
        ...readContent(content, aids),
      };
    });
}

/** Reads text, images and documents; parts of other kinds are left out. */
export function readContent(content: MessageContent, aids: ImportAids): ReadContent {
  if (typeof content === 'string') return { text: content, attachments: [] };
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of content) {
    const said = contentOfPart(part, aids);
    if (said.text !== '') texts.push(said.text);
    attachments.push(...said.attachments);
  }
  return { text: texts.join('\n'), attachments };
}

function contentOfPart(part: Part, aids: ImportAids): ReadContent {
  const text = (words: string): ReadContent => ({ text: words, attachments: [] });
  switch (part.type) {
    case 'text':
      return text(textOf(part['text']));
    case 'tool_reference':
      return text(`[tool_reference: ${textOf(part['tool_name'])}]`);
    // The cline SDK: a file the user mentioned, with its text.
    case 'file':
      return text(`[file ${textOf(part['path'])}]\n${textOf(part['content'])}`);
    case 'image':
    case 'document': {
      const source = isObject(part['source']) ? part['source'] : {};
      if (source['type'] === 'text') return text(textOf(source['data']));
      const read = readAttachment(
        part.type,
        source['media_type'],
        source['data'],
        aids.attachmentTokens,
      );
      if (read === undefined) aids.leftOut.add('remoteAttachment');
      return { text: '', attachments: read === undefined ? [] : [read] };
    }
  }
  aids.leftOut.add('unknownPart');
  return text('');
}

function isNoResult(part: Part): boolean {
  return part.type !== 'tool_result';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
