import { errorBody, apiError } from './apiError';
import type { FaultEffect } from './fault';
import { contextManagement, ending, finalUsage, messageShell, type Answer } from './messageAnswer';
import type { ReplyBlock } from './reply';

/** One server-sent event. */
interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** The bytes for the client, and the way the connection ends after them. */
export interface StreamPlan {
  readonly events: Iterable<StreamEvent>;
  readonly end: 'end' | 'reset' | 'hang';
}

const deltaCharacters = 48;

const event = (type: string, fields: object = {}): StreamEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

/** Cuts a text into deltas without splitting a surrogate pair. */
function pieces(text: string): readonly string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + deltaCharacters;
    const splitsPair = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
    all.push(text.slice(at, splitsPair ? end + 1 : end));
    at = splitsPair ? end + 1 : end;
  }
  return all;
}

function deltasOf(block: ReplyBlock): readonly object[] {
  switch (block.type) {
    case 'text':
      return pieces(block.text).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...pieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'compaction':
      return [{ type: 'compaction_delta', content: block.content, encrypted_content: null }];
    case 'tool_use':
      return ['', ...pieces(block.json)].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
  }
}

function emptyBlock(block: ReplyBlock): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '', citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'compaction':
      return { type: 'compaction', content: null, encrypted_content: null };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: {},
        caller: { type: 'direct' },
      };
  }
}

/** Lists the events of a streamed answer in the order and form of the API, a ping after the first block's start. */
export function streamEvents(answer: Answer): readonly StreamEvent[] {
  const blocks = answer.reply.blocks.flatMap((block, index) => [
    event('content_block_start', { index, content_block: emptyBlock(block) }),
    ...(index === 0 ? [event('ping')] : []),
    ...deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]);
  return [
    event('message_start', { message: messageShell(answer) }),
    ...blocks,
    event('message_delta', {
      delta: ending(answer),
      usage: finalUsage(answer),
      ...contextManagement(answer),
    }),
    event('message_stop'),
  ];
}

const isDelta = ({ event: name }: StreamEvent) => name === 'content_block_delta';

const isToolInput = ({ data }: StreamEvent) => data.includes('"type":"input_json_delta"');

/** Continues while a reader is connected. */
function* flood(begun: readonly StreamEvent[], of: 'pings' | 'blocks'): Generator<StreamEvent> {
  yield* begun;
  const ping = event('ping', { padding: 'x'.repeat(65_536) });
  for (let index = 1; ; index++) {
    const content_block = { type: 'text', text: '', citations: null };
    yield of === 'pings' ? ping : event('content_block_start', { index, content_block });
  }
}

/** Applies a fault to a stream: drops events, inserts data, or changes the end. */
export function planStream(
  events: readonly StreamEvent[],
  effect: FaultEffect | undefined,
  requestId: string,
): StreamPlan {
  const throughFirstDelta = events.slice(0, events.findIndex(isDelta) + 1);
  switch (effect?.kind) {
    case 'cut': {
      const inputs = events.flatMap((each, at) => (isToolInput(each) ? [at] : []));
      // The first input delta is empty; after one more, the input has begun but not ended.
      const end = effect.at === 'toolUse' ? (inputs[1] ?? inputs[0] ?? 0) + 1 : events.length - 1;
      return { events: events.slice(0, end), end: effect.how ?? 'end' };
    }
    case 'malformed': {
      const broken = { event: 'content_block_delta', data: '{"type":"content_block_delta","ind' };
      const rest = events.slice(throughFirstDelta.length);
      return { events: [...throughFirstDelta, broken, ...rest], end: 'end' };
    }
    case 'errorEvent': {
      const body = errorBody(apiError(effect.type, effect.message), requestId);
      const error = { event: 'error', data: JSON.stringify(body) };
      return { events: [...throughFirstDelta, error], end: 'end' };
    }
    case 'hang':
      return { events: throughFirstDelta, end: 'hang' };
    case 'flood':
      return { events: flood(throughFirstDelta, effect.of), end: 'end' };
    case 'status':
    case 'redirect':
    case 'drop':
    case 'slow':
    case 'count':
    case undefined:
      return { events, end: 'end' };
  }
}
