import * as z from 'zod/mini';
import type { ToolDefinition } from '../contextWindow/event';
import {
  messageContent,
  readReplyParts,
  readTold,
  readUserContent,
  type ImportAids,
} from './messageContent';
import type { JsonValue } from './readJson';
import type { Read, RecordedItem, Recording } from './recordedItem';
import { objectSchema } from './recordedParts';
import { shapedFile } from './shape';
import { refused } from '../contextWindow/result';

const message = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: messageContent,
});

/** One message as the Messages API has it. */
export type PlainMessage = z.output<typeof message>;

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
      system: readTold(system, aids).text,
      tools: tools.flatMap((tool) => readTool(tool, aids)),
      items: messages.flatMap((one) => readPlainMessage(one, model, aids)),
    },
  };
}

/** Reads one message; an assistant's as a reply of `model`. */
export function readPlainMessage(
  { role, content }: PlainMessage,
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
      return [...summaries, { type: 'reply', model, parts: readReplyParts(rest, aids) }];
    }
  }
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
function readTool(tool: unknown, { leftOut }: ImportAids): readonly ToolDefinition[] {
  const read = clientTool.safeParse(tool);
  if (!read.success) {
    leftOut.add('serverTool');
    return [];
  }
  const { name, description, input_schema: schema } = read.data;
  return [{ name, description, inputSchema: objectSchema(schema, leftOut) }];
}
