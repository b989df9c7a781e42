import type { ImportAids } from './messages';
import type { EventParts, EventRead } from './openhands';
import type { JsonLine } from './readJson';
import {
  readCallArguments,
  readChatUsage,
  type RecordedItem,
  type RecordedPart,
} from './recordedItem';
import { isObject } from '../contextWindow/json';

/*
 * The events of OpenHands before version 1, as its `event_to_dict` writes them: an action has
 * `action` and `args`, an observation `observation`, `content` and the id of its action in `cause`.
 * Both have `tool_call_metadata` where the model called a tool, an action with the whole response.
 */

type Fields = JsonLine['value'];

const NOTHING: EventRead = {};

/** Actions and observations between OpenHands and its own parts; the model sees none of them. */
const INTERNAL: readonly string[] = [
  'change_agent_state',
  'agent_state_changed',
  'null',
  'pause',
  'resume',
  'start',
  'condensation_request',
];

/** Reads one event from before version 1. */
export function readAction(event: Fields, parts: EventParts): EventRead {
  const { aids, place, at } = parts;
  const { action, observation, source } = event;
  const name = action ?? observation;
  if (typeof name !== 'string' || name === '') {
    aids.leftOut.addUnreadable(place, 'it is neither an action nor an observation.');
    return NOTHING;
  }
  if (INTERNAL.includes(name)) return NOTHING;
  if (name === 'recall') return leftOut('injectedText', aids);
  if (typeof observation === 'string') return { items: readObservation(event) };
  const args = isObject(event['args']) ? event['args'] : {};
  switch (name) {
    case 'system': {
      const { content, tools } = args;
      return { ...(typeof content === 'string' ? { system: content } : {}), tools };
    }
    case 'condensation':
      return { condensed: { ...summaryIn(args), forgotten: forgottenIn(args) } };
    case 'message': {
      const text = textOf(args['content']);
      if (source !== 'user') return { items: readReply(event, [{ type: 'text', text }], parts) };
      if (text.trim() === '') return leftOut('emptyPrompt', aids);
      return { items: [{ type: 'prompt', ...at, text, attachments: [] }] };
    }
    case 'finish': {
      // It ends the run, and has no observation that could be its result.
      const said = [args['thought'], args['final_thought']].map(textOf);
      const text = said.filter((one) => one !== '').join('\n\n');
      return { items: readReply(event, [{ type: 'text', text }], parts) };
    }
  }
  if (source === 'user') return leftOut('commandLine', aids);
  return { items: readReply(event, callOf(event, name, args, aids), parts) };
}

function leftOut(kind: Parameters<ImportAids['leftOut']['add']>[0], aids: ImportAids): EventRead {
  aids.leftOut.add(kind);
  return NOTHING;
}

function readReply(
  event: Fields,
  read: readonly RecordedPart[],
  { at, model, spentOn }: EventParts,
): readonly RecordedItem[] {
  const response = responseOf(event);
  const id = response['id'];
  const own = isObject(response['usage']) ? readChatUsage(response['usage']) : undefined;
  const spent = typeof id === 'string' ? spentOn(id) : {};
  const named = typeof response['model'] === 'string' ? response['model'] : model;
  return [
    {
      type: 'reply',
      ...at,
      ...(typeof id === 'string' && id !== '' ? { responseId: id } : {}),
      model: named,
      parts: read,
      ...spent,
      ...(own === undefined ? {} : { usage: own }),
    },
  ];
}

/** The call an action came from: as the model wrote it, or where it wrote none the action itself. */
function callOf(
  event: Fields,
  name: string,
  { thought, ...args }: Fields,
  { leftOut }: ImportAids,
): readonly RecordedPart[] {
  const { tool_call_id: id, function_name: called } = metadataOf(event);
  const { content, tool_calls: calls } = messageIn(responseOf(event));
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const own = list.filter(isObject).find((call) => call['id'] === id);
  const written = isObject(own?.['function']) ? own['function']['arguments'] : undefined;
  // The text of a response stands once, in front of its first call.
  const isFirst = own === undefined || own === list[0];
  return [
    ...(isFirst ? [{ type: 'text' as const, text: textOf(thought ?? content) }] : []),
    {
      type: 'call',
      id: typeof id === 'string' ? id : `event-${idIn(event['id'])}`,
      name: typeof called === 'string' && called.trim() !== '' ? called : name,
      input: readCallArguments(written ?? args, leftOut),
    },
  ];
}

/** A number or a text; hostile files hold other values. */
function idIn(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? `${id}` : '';
}

function readObservation(event: Fields): readonly RecordedItem[] {
  const { tool_call_id: id } = metadataOf(event);
  const { cause, content, observation, extras } = event;
  if (typeof id !== 'string' && cause === undefined) return [];
  const callId = typeof id === 'string' ? id : `event-${idIn(cause)}`;
  const metadata = isObject(extras) && isObject(extras['metadata']) ? extras['metadata'] : {};
  const { prefix, suffix, exit_code: code } = metadata;
  const text = `${textOf(prefix)}${textOf(content)}${textOf(suffix)}`;
  const failed = typeof code === 'number' && code > 0;
  const isError = failed || observation === 'error' || observation === 'user_rejected';
  return [{ type: 'result', callId, isError, text, attachments: [] }];
}

function summaryIn({ summary }: Fields): { readonly summary?: string } {
  return typeof summary === 'string' && summary !== '' ? { summary } : {};
}

/** Events that left are listed, or are all from one to another. */
function forgottenIn(args: Fields): ReadonlySet<unknown> {
  const { forgotten_event_ids: ids, forgotten_events_start_id: from } = args;
  const to = args['forgotten_events_end_id'];
  if (Array.isArray(ids)) return new Set(ids);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return new Set();
  const [start, end] = [Number(from), Math.min(Number(to), Number(from) + MOST_EVENTS)];
  return new Set(Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => start + index));
}

/** No session has more events than this. */
const MOST_EVENTS = 100_000;

function metadataOf({ tool_call_metadata: metadata }: Fields): Fields {
  return isObject(metadata) ? metadata : {};
}

function responseOf(event: Fields): Fields {
  const response = metadataOf(event)['model_response'];
  return isObject(response) ? response : {};
}

function messageIn({ choices }: Fields): Fields {
  const [first] = Array.isArray(choices) ? choices : [];
  return isObject(first) && isObject(first['message']) ? first['message'] : {};
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
