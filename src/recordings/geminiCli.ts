import * as z from 'zod/mini';
import {
  callName,
  readContent,
  type ImportAids,
  type MessageContent,
  type ReadContent,
} from './messages';
import {
  callsAmongText,
  GeminiHistory,
  isSessionContext,
  type PlacedMessage,
} from './geminiHistory';
import { type JsonLine, shapedPart } from './readJson';
import {
  messagesIn,
  type Read,
  type RecordedItem,
  type Recording,
  timeOf,
  tokensIn,
  usageOfWholeInput,
} from './recordedItem';
import { isObject } from '../contextWindow/json';

/**
 * One message of a session as Gemini CLI records it. Seen in a session of April 2026: `info` for
 * what only the user is shown, `user` with `content` as parts, and `gemini` with the text of the
 * reply, its `thoughts`, its `toolCalls` with their results beside the arguments, and `tokens`, whose
 * `input` includes `cached` and whose `total` adds `thoughts` to `output`.
 */
const message = z.looseObject({
  type: z.string(),
  content: z.optional(z.unknown()),
  model: z._default(z.nullable(z.string()), null),
  thoughts: z.nullish(z.array(z.unknown())),
  tokens: z.nullish(z.record(z.string(), z.unknown())),
  toolCalls: z.nullish(
    z.array(
      z.looseObject({
        id: z._default(z.string(), ''),
        name: callName,
        args: z.nullish(z.record(z.string(), z.unknown())),
        status: z.nullish(z.string()),
        result: z.optional(z.unknown()),
      }),
    ),
  ),
});

type GeminiMessage = z.output<typeof message>;
type GeminiCall = NonNullable<GeminiMessage['toolCalls']>[number];

/** Reads a session of Gemini CLI: one JSON value, or since 2026 a record on each line. */
export function readGeminiCli(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const history = new GeminiHistory(lines);
  const items: RecordedItem[] = [];
  const itemsOf = new Map<PlacedMessage, readonly RecordedItem[]>();
  for (const event of history.events) {
    switch (event.type) {
      case 'message': {
        const read = shaped(event.message, aids);
        const own = read === undefined ? [] : readMessage(read, event.message, history, aids);
        itemsOf.set(event.message, own);
        items.push(...own);
        break;
      }
      case 'compacted': {
        const { line, summary, kept } = event;
        const stayed = messagesIn(kept.toReversed().flatMap((one) => itemsOf.get(one) ?? []));
        const { text } = readContent(contentOf(summary['content']), aids);
        const at = timeOf(summary['timestamp']);
        items.push({ type: 'compacted', line, ...at, summary: text, kept: stayed });
        break;
      }
      case 'cleared':
        items.push({ type: 'compacted', line: event.line, clearedCallIds: event.callIds });
    }
  }
  aids.leftOut.add('otherBranch', history.undone.length);
  items.push(...history.undone.flatMap(chargeOf));
  return { ok: true, value: { system: '', tools: [], items } };
}

function shaped({ name: place, value }: PlacedMessage, { leftOut }: ImportAids) {
  return shapedPart(message, value, { leftOut, place });
}

/** What an undone reply was charged. */
function chargeOf({ value }: PlacedMessage): readonly RecordedItem[] {
  const { success, data } = message.safeParse(value);
  const usage = success ? usageOf(data.tokens ?? {}) : undefined;
  if (usage === undefined) return [];
  return [{ type: 'charged', charge: { model: data?.model ?? '', usage } }];
}

function readMessage(
  one: GeminiMessage,
  { line }: PlacedMessage,
  history: GeminiHistory,
  aids: ImportAids,
): readonly RecordedItem[] {
  const place = { ...(line === undefined ? {} : { line }), ...timeOf(one['timestamp']) };
  switch (one.type) {
    case 'user': {
      const said = readContent(contentOf(one.content), aids);
      if (said.text.trim() === '' && said.attachments.length === 0) {
        aids.leftOut.add('emptyPrompt');
        return [];
      }
      if (isSessionContext(said.text)) {
        aids.leftOut.add('injectedText');
        return [];
      }
      return [{ type: 'prompt', ...place, ...said }];
    }
    case 'gemini': {
      aids.leftOut.add('thinking', one.thoughts?.length ?? 0);
      const calls = one.toolCalls ?? callsIn(one.content, history);
      const { text } = readContent(contentOf(withoutCalls(one.content)), aids);
      const parts = calls.map(({ id, name, args }) => ({
        type: 'call' as const,
        id,
        name,
        input: args ?? {},
      }));
      const usage = usageOf(one.tokens ?? {});
      return [
        {
          type: 'reply',
          ...place,
          model: one.model ?? '',
          parts: [{ type: 'text', text }, ...parts],
          ...(usage === undefined ? {} : { usage }),
        },
        ...calls.flatMap((call) => readResult(call, aids)),
      ];
    }
  }
  // What Gemini CLI shows only to the user: infos, warnings, errors.
  return [];
}

/** The calls of a reply that is recorded as the next request has it. */
function callsIn(content: unknown, history: GeminiHistory): readonly GeminiCall[] {
  return callsAmongText(content).flatMap(({ id, name, args }) => {
    if (typeof name !== 'string' || name === '') return [];
    const response = history.responseTo(id);
    const result = response === undefined ? null : [{ functionResponse: response }];
    return [
      { id: typeof id === 'string' ? id : '', name, args: isObject(args) ? args : {}, result },
    ];
  });
}

function withoutCalls(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter((part) => !isObject(part) || !('functionCall' in part));
}

function usageOf(tokens: Readonly<Record<string, unknown>>) {
  const sum = (...names: readonly string[]) =>
    names.reduce((total, name) => total + tokensIn(tokens[name]), 0);
  return usageOfWholeInput({
    input: sum('input', 'tool'),
    cacheCreation: 0,
    cacheRead: tokens['cached'],
    output: sum('output', 'thoughts'),
  });
}

/** A call without a result was never answered: it was cancelled, or the session ended. */
function readResult({ id, status, result }: GeminiCall, aids: ImportAids): readonly RecordedItem[] {
  if (result === undefined || result === null) return [];
  const said: ReadContent[] = listOf(result).map((part) => {
    const response = isObject(part) ? part['functionResponse'] : undefined;
    if (!isObject(response)) return readContent(contentOf(part), aids);
    return { text: responseText(response['response']), attachments: [] };
  });
  return [
    {
      type: 'result',
      callId: id,
      isError: status === 'error' || status === 'cancelled',
      text: said.map(({ text }) => text).join('\n'),
      attachments: said.flatMap(({ attachments }) => attachments),
    },
  ];
}

function responseText(response: unknown): string {
  const { output, error } = isObject(response) ? response : {};
  const text = output ?? error ?? response ?? '';
  return typeof text === 'string' ? text : JSON.stringify(text);
}

/** Writes parts of the Gemini API as the Messages API has them. */
function contentOf(content: unknown): MessageContent {
  if (typeof content === 'string') return content;
  return listOf(content ?? []).map((part) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    if (!isObject(part)) return { type: 'unknown' };
    const { text, inlineData: data } = part;
    if (typeof text === 'string') return { type: 'text', text };
    if (!isObject(data)) return { type: 'unknown' };
    const mediaType = data['mimeType'];
    const type = mediaType === 'application/pdf' ? 'document' : 'image';
    return { type, source: { media_type: mediaType, data: data['data'] } };
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
