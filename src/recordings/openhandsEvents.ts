import * as z from 'zod/mini';
import {
  callName,
  messageContent,
  readTold,
  type ImportAids,
  type MessageContent,
} from './messageContent';
import type { JsonLine } from './readJson';
import type { Usage } from '../contextWindow/account/spending';
import type { RecordedItem, RecordedPart, RecordedReply } from './recordedItem';
import { readCallArguments, sourceOfDataUrl } from './recordedParts';
import { shapedPart } from './shape';
import { isObject } from '../contextWindow/json';

/** What the events of a conversation are read with. */
export interface EventParts {
  readonly aids: ImportAids;
  /** Names the event, for example `event 12`. */
  readonly place: string;
  /** When it was, ms since the epoch. */
  readonly at: { readonly at?: number };
  /** The model of the run; '' where it does not say. */
  readonly model: string;
  usageOf(responseId: string): Usage | undefined;
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
export function readEvent(event: JsonLine['value'], parts: EventParts): EventRead {
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
      const told = readTold(asMessagesContent(read.llm_message.content), aids);
      if (event['source'] === 'agent') {
        return { items: [replyOf(event, [{ type: 'text', text: told.text }], parts)] };
      }
      if (told.text.trim() === '' && told.attachments.length === 0)
        return leftOut('emptyPrompt', aids);
      return { items: [{ type: 'prompt', ...at, ...told }] };
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
      const told = typeof summary === 'string' && summary !== '' ? { summary } : {};
      return { condensed: { ...told, forgotten: new Set(Array.isArray(ids) ? ids : []) } };
    }
  }
  // What is no part of the conversation: changes of state, pauses, requests to condense.
  return NOTHING;
}

function leftOut(kind: Parameters<ImportAids['leftOut']['add']>[0], aids: ImportAids): EventRead {
  aids.leftOut.add(kind);
  return NOTHING;
}

function replyOf(
  event: JsonLine['value'],
  read: readonly RecordedPart[],
  { at, model, usageOf }: EventParts,
): RecordedReply {
  const { llm_response_id: id } = event;
  if (typeof id !== 'string' || id === '') return { type: 'reply', ...at, model, parts: read };
  const usage = usageOf(id);
  const spent = usage === undefined ? {} : { usage };
  return { type: 'reply', ...at, responseId: id, model, parts: read, ...spent };
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
  const { text } = readTold(thought ?? '', aids);
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
  const told = parts.success
    ? readTold(asMessagesContent(parts.data), aids)
    : { text: textOf(error ?? message ?? observation), attachments: [] };
  const failed = observation['is_error'] === true || error === true;
  const hasCode = typeof exitCode === 'number' && exitCode > 0;
  const isError = failed || hasCode || (typeof error === 'string' && error !== '');
  return { ...told, text: `${textOf(prefix)}${told.text}${textOf(suffix)}`, isError };
}

/** Writes images as the Messages API has them. */
function asMessagesContent(content: MessageContent): MessageContent {
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
