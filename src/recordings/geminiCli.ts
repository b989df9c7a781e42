import * as z from 'zod/mini';
import {
  callName,
  readContent,
  type ImportAids,
  type MessageContent,
  type ReadContent,
} from './messages';
import { type JsonLine, shapedPart } from './readJson';
import {
  type Read,
  type RecordedItem,
  type Recording,
  timeOf,
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

interface Place {
  readonly name: string;
  readonly line?: number;
}

/** Reads a session of Gemini CLI: one JSON value, or since 2026 a record on each line. */
export function readGeminiCli(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const items = messagesOf(lines, aids).flatMap(({ place, value }) => {
    const one = shapedPart(message, value, { leftOut: aids.leftOut, place: place.name });
    return one === undefined ? [] : readMessage(one, place, aids);
  });
  return { ok: true, value: { system: '', tools: [], items } };
}

interface Placed {
  readonly place: Place;
  readonly value: unknown;
}

/**
 * The messages that count at the end. A record with the id of an earlier one replaces it, and
 * `$rewindTo` undoes everything from a message on.
 */
function messagesOf(lines: readonly JsonLine[], { leftOut }: ImportAids): readonly Placed[] {
  let found = new Map<unknown, Placed>();
  const takeList = (list: readonly unknown[], line: number) => {
    found = new Map(
      list.map((value, index) => {
        const place = { name: lines.length === 1 ? `message ${index + 1}` : `line ${line}` };
        return [isObject(value) ? (value['id'] ?? index) : index, { place, value }];
      }),
    );
  };
  for (const { line, value } of lines) {
    const { id, $rewindTo: rewindTo, $set: set } = value;
    const list = value['messages'] ?? (isObject(set) ? set['messages'] : undefined);
    if (typeof rewindTo === 'string') {
      const kept = [...found].slice(0, Math.max(0, [...found.keys()].indexOf(rewindTo)));
      leftOut.add('otherBranch', found.size - kept.length);
      found = new Map(kept);
    } else if (Array.isArray(list)) takeList(list, line);
    else if (typeof id === 'string') {
      found.set(id, { place: { name: `line ${line}`, line }, value });
    }
  }
  return [...found.values()];
}

function readMessage(
  one: GeminiMessage,
  { line }: Place,
  aids: ImportAids,
): readonly RecordedItem[] {
  const place = { ...(line === undefined ? {} : { line }), ...timeOf(one['timestamp']) };
  switch (one.type) {
    case 'user': {
      // Since version 0.61 results are also recorded as messages, after the calls that have them.
      const sent = listOf(one.content ?? []);
      if (sent.length > 0 && sent.every((part) => isObject(part) && 'functionResponse' in part)) {
        return [];
      }
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
      const calls = one.toolCalls ?? [];
      const { text } = readContent(contentOf(one.content), aids);
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

/** Whether a message is Gemini CLI's own about the folder and the machine, and no prompt. */
export function isSessionContext(text: string): boolean {
  return text.startsWith('<session_context>') && text.trimEnd().endsWith('</session_context>');
}

function usageOf(tokens: Readonly<Record<string, unknown>>) {
  const sum = (...names: readonly string[]) =>
    names.reduce((total, name) => {
      const amount = tokens[name];
      return total + (typeof amount === 'number' ? amount : 0);
    }, 0);
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
