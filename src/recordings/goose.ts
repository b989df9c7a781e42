import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { type ImportAids, readContent } from './messages';
import { type JsonValue, shapedFile, shapedPart } from './readJson';
import type { Charge, Usage } from '../contextWindow/account/spending';
import {
  type Read,
  type RecordedItem,
  type RecordedPart,
  type Recording,
  recordedPrice,
  textIn,
  usageOfWholeInput,
  withNewestUsage,
} from './recordedItem';

const part = z.looseObject({ type: z.string() });

type Part = z.output<typeof part>;

/**
 * One message of Goose (crates/goose/src/conversation/message.rs in block/goose, versions 1.10 to
 * 1.53). Calls and results are parts with `{status, value | error}`. After a compaction
 * (context_mgmt/mod.rs) the messages before it are not `agentVisible`; a user's message with the
 * summary and an assistant's that asks to go on follow, which are not `userVisible`.
 */
const message = z.object({
  role: z.enum(['user', 'assistant']),
  created: z._default(z.unknown(), undefined),
  content: z.array(part),
  metadata: z.nullish(z.looseObject({ userVisible: z.optional(z.unknown()) })),
});

type GooseMessage = z.output<typeof message>;

const session = z.looseObject({ conversation: z.array(z.unknown()) });

/** Reads what `goose session export --format json` writes, or the same from the database. */
export function readGoose(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(session, value, 'goose');
  if (!read.ok) return read;
  const { conversation, model_config: config } = read.value;
  const model = isObject(config) ? textIn(config['model_name']) : '';
  const messages = conversation.flatMap((one, index) => {
    const place = `message ${index + 1}`;
    const checked = shapedPart(message, one, { leftOut: aids.leftOut, place });
    return checked === undefined ? [] : [checked];
  });
  const items = messages.flatMap((one, index) =>
    readMessage(one, messages[index + 1], model, aids),
  );
  return { ok: true, value: { system: '', tools: [], items: withUsage(items, read.value) } };
}

/** A request in the ledger of Goose 1.51 and later; its time is in seconds. */
interface Counted extends Charge {
  readonly at: number;
  readonly isCompaction: boolean;
}

function countedIn(row: unknown): readonly Counted[] {
  if (!isObject(row)) return [];
  const { created_timestamp: at, model, cost, is_compaction: compaction } = row;
  const usage = usageIn(row);
  if (usage === undefined || typeof at !== 'number') return [];
  const isCompaction = compaction === 1 || compaction === true;
  return [{ at: at * 1_000, model: textIn(model), usage, ...recordedPrice(cost), isCompaction }];
}

/** Goose counts what was read from the cache as input, too. */
function usageIn(row: Readonly<Record<string, unknown>>): Usage | undefined {
  return usageOfWholeInput({
    input: row['input_tokens'],
    output: row['output_tokens'],
    cacheRead: row['cache_read_tokens'],
    cacheCreation: row['cache_write_tokens'],
  });
}

/** Older versions count the newest request of a session only. */
function withUsage(
  items: readonly RecordedItem[],
  counted: Readonly<Record<string, unknown>>,
): readonly RecordedItem[] {
  const { usage_ledger: ledger } = counted;
  const rows = Array.isArray(ledger) ? ledger.flatMap(countedIn) : [];
  if (rows.length > 0) return withLedger(items, rows);
  const usage = usageIn(counted);
  const last = items.findLastIndex(({ type }) => type === 'reply');
  if (usage === undefined || items.slice(last).some(({ type }) => type === 'compacted')) {
    return items;
  }
  return withNewestUsage(items, usage);
}

/**
 * Gives each counted request the reply before it: Goose counts a request when its reply is there. From
 * the end, since the next reply may begin in the same second.
 */
function withLedger(
  items: readonly RecordedItem[],
  rows: readonly Counted[],
): readonly RecordedItem[] {
  const found = [...items];
  let place = items.length - 1;
  for (const { at, isCompaction, ...charge } of rows.toReversed()) {
    const isAfter = (item: RecordedItem | undefined) =>
      item !== undefined && !('at' in item && (item.at ?? 0) <= at);
    while (isAfter(found[place])) place -= 1;
    let own = isCompaction ? -1 : place;
    while (own >= 0 && found[own]?.type !== 'reply') own -= 1;
    const reply = found[own];
    if (reply?.type !== 'reply') found.splice(place + 1, 0, { type: 'charged', charge });
    else {
      const { model, usage, usd } = charge;
      const price = usd === undefined ? {} : { usd };
      found[own] = { ...reply, model: model === '' ? reply.model : model, usage, ...price };
      place = own - 1;
    }
  }
  return found;
}

function isHidden(one: GooseMessage | undefined): boolean {
  return one?.metadata?.userVisible === false;
}

function readMessage(
  one: GooseMessage,
  next: GooseMessage | undefined,
  model: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  const { role, content, created } = one;
  const at = typeof created === 'number' ? { at: created * 1_000 } : {};
  if (isHidden(one)) {
    if (role === 'user' && isHidden(next) && next?.role === 'assistant') {
      return [{ type: 'compacted', ...at, summary: contentOf(content, aids).text }];
    }
    // Either Goose's request to go on, or a prompt that is repeated after the summary.
    aids.leftOut.add('injectedText');
    return [];
  }
  const sent = content.filter(isSent);
  if (role === 'assistant') {
    return [{ type: 'reply', ...at, model, parts: sent.flatMap((one) => replyPart(one, aids)) }];
  }
  const results = sent.flatMap((one) => resultOf(one, aids));
  const said = contentOf(
    sent.filter(({ type }) => type !== 'toolResponse'),
    aids,
  );
  if (said.text.trim() === '' && said.attachments.length === 0) {
    if (results.length === 0) aids.leftOut.add('emptyPrompt');
    return results;
  }
  return [...results, { type: 'prompt', ...at, ...said }];
}

/** What Goose shows or asks the user is not sent to the model. */
function isSent({ type }: Part): boolean {
  return !['systemNotification', 'toolConfirmationRequest', 'actionRequired'].includes(type);
}

function replyPart(one: Part, { leftOut }: ImportAids): readonly RecordedPart[] {
  switch (one.type) {
    case 'text':
      return [{ type: 'text', text: textIn(one['text']) }];
    case 'toolRequest':
    case 'frontendToolRequest': {
      const { id, toolCall } = one;
      const call = isObject(toolCall) ? toolCall['value'] : undefined;
      if (!isObject(call) || textIn(call['name']) === '') {
        leftOut.add('unknownPart');
        return [];
      }
      const { name, arguments: input } = call;
      return [
        { type: 'call', id: textIn(id), name: textIn(name), input: isObject(input) ? input : {} },
      ];
    }
    case 'thinking':
    case 'redactedThinking':
    case 'reasoning':
      leftOut.add('thinking');
      return [];
  }
  leftOut.add('unknownPart');
  return [];
}

function resultOf(one: Part, aids: ImportAids): readonly RecordedItem[] {
  if (one.type !== 'toolResponse') return [];
  const { id, toolResult } = one;
  const { status, value, error } = isObject(toolResult) ? toolResult : {};
  const callId = textIn(id);
  if (status === 'error') {
    return [{ type: 'result', callId, isError: true, text: textIn(error), attachments: [] }];
  }
  // Older versions have the parts alone.
  const parts = isObject(value) ? value['content'] : value;
  const isError = isObject(value) && value['isError'] === true;
  const read = z.array(part).safeParse(parts);
  const content = contentOf(read.success ? read.data.filter(isForModel) : [], aids);
  return [{ type: 'result', callId, isError, ...content }];
}

/** A server can mark a part of a result as for the user alone. */
function isForModel({ annotations }: Part & { readonly annotations?: unknown }): boolean {
  const audience = isObject(annotations) ? annotations['audience'] : undefined;
  return !Array.isArray(audience) || audience.includes('assistant');
}

/** Reads text, images and the text of resources. */
function contentOf(parts: readonly Part[], aids: ImportAids) {
  const content = parts.map((one) => {
    if (one.type === 'image') {
      return { type: 'image', source: { media_type: one['mimeType'], data: one['data'] } };
    }
    const { resource } = one;
    if (one.type !== 'resource' || !isObject(resource)) return one;
    return { type: 'text', text: textIn(resource['text']) };
  });
  return readContent(content, aids);
}
