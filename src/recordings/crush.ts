import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { type ImportAids, readContent } from './messages';
import { type JsonValue, shapedFile, shapedPart } from './readJson';
import {
  type Read,
  readCallArguments,
  type RecordedItem,
  type RecordedOutcome,
  type RecordedPart,
  type Recording,
  recordedUsage,
  textIn,
  withNewestUsage,
  sourceOfDataUrl,
} from './recordedItem';

const part = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) });

type Part = z.output<typeof part>;

/**
 * One row of `messages` in a database of Crush (internal/db/migrations and
 * internal/message/content.go in charmbracelet/crush, versions 0.1 to 0.90), with its parts read.
 * A summary is an assistant's message, from which the next window begins (internal/agent/agent.go).
 */
const message = z.object({
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  model: z.nullish(z.string()),
  created_at: z.optional(z.unknown()),
  is_summary_message: z.optional(z.unknown()),
  parts: z.array(part),
});

type CrushMessage = z.output<typeof message>;

const session = z.object({
  session: z.record(z.string(), z.unknown()),
  messages: z.array(z.unknown()),
});

/** Reads a session from the database of Crush: its row and those of its messages. */
export function readCrush(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(session, value, 'crush');
  if (!read.ok) return read;
  const items = read.value.messages.flatMap((one, index) => {
    const place = `message ${index + 1}`;
    const checked = shapedPart(message, one, { leftOut: aids.leftOut, place });
    return checked === undefined ? [] : readMessage(checked, aids);
  });
  return {
    ok: true,
    value: { system: '', tools: [], items: withUsage(items, read.value.session) },
  };
}

/** Crush counts the newest request of a session only; a summary sets its input to 0. */
function withUsage(
  items: readonly RecordedItem[],
  { prompt_tokens: input, completion_tokens: output }: Readonly<Record<string, unknown>>,
): readonly RecordedItem[] {
  const usage = recordedUsage({ input, output, cacheCreation: 0, cacheRead: 0 });
  if (usage === undefined || usage.inputTokens === 0) return items;
  return withNewestUsage(items, usage);
}

function readMessage(one: CrushMessage, aids: ImportAids): readonly RecordedItem[] {
  const { role, model, parts, created_at: created } = one;
  // Older versions wrote milliseconds, newer ones write seconds.
  const at = typeof created === 'number' ? { at: created < 1e11 ? created * 1_000 : created } : {};
  if (role === 'system') {
    aids.leftOut.add('systemMessage');
    return [];
  }
  if (one.is_summary_message) {
    const { text } = contentOf(
      parts.filter(({ type }) => type === 'text'),
      aids,
    );
    return text.trim() === '' ? [] : [{ type: 'compacted', ...at, summary: text }];
  }
  if (role === 'assistant') {
    const read = parts.flatMap((each) => replyPart(each, aids));
    return [{ type: 'reply', ...at, model: model ?? '', parts: read }];
  }
  const results = parts.flatMap((each) => resultOf(each, aids));
  const said = contentOf(
    parts.filter(({ type }) => type !== 'tool_result'),
    aids,
  );
  if (said.text.trim() === '' && said.attachments.length === 0) return results;
  return [...results, { type: 'prompt', ...at, ...said }];
}

function replyPart({ type, data }: Part, { leftOut }: ImportAids): readonly RecordedPart[] {
  switch (type) {
    case 'text':
      return [{ type: 'text', text: textIn(data['text']) }];
    case 'tool_call': {
      const { id, name, input } = data;
      const call = { id: textIn(id), name: textIn(name) || 'unnamed' };
      return [{ type: 'call', ...call, input: readCallArguments(input, leftOut) }];
    }
    case 'reasoning':
      leftOut.add('thinking');
      return [];
    // How the reply ended.
    case 'finish':
      return [];
  }
  leftOut.add('unknownPart');
  return [];
}

function resultOf({ type, data }: Part, aids: ImportAids): readonly RecordedOutcome[] {
  if (type !== 'tool_result') return [];
  const { tool_call_id: id, content, is_error: isError, mime_type: media, data: bytes } = data;
  const hasImage = typeof media === 'string' && media.startsWith('image/') && bytes !== '';
  const read = readContent(
    [
      { type: 'text', text: textIn(content) },
      ...(hasImage ? [{ type: 'image', source: { media_type: media, data: bytes } }] : []),
    ],
    aids,
  );
  return [{ type: 'result', callId: textIn(id), isError: isError === true, ...read }];
}

function contentOf(parts: readonly Part[], aids: ImportAids) {
  const content = parts.flatMap(({ type, data }) => {
    switch (type) {
      case 'text':
        return [{ type, text: textIn(data['text']) }];
      case 'image_url':
        return [{ type: 'image', source: sourceOfDataUrl(data['url']) }];
      case 'binary':
        return [{ type: 'image', source: { media_type: data['MIMEType'], data: data['Data'] } }];
      case 'finish':
        return [];
      // A command that the user ran.
      case 'shell_command':
        aids.leftOut.add('commandLine');
        return [];
    }
    return [{ type }];
  });
  return readContent(content, aids);
}

/** Whether a value is a session of Crush. */
export function isOfCrush(value: Readonly<Record<string, unknown>>): boolean {
  const { session: row, messages } = value;
  return isObject(row) && 'prompt_tokens' in row && Array.isArray(messages);
}
