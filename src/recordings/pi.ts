import * as z from 'zod/mini';
import type { ToolDefinition } from '../contextWindow/event';
import {
  messageContent,
  readFunctionTools,
  readReplyParts,
  readContent,
  readUserContent,
  type ImportAids,
  type MessageContent,
} from './messages';
import { type JsonLine, placeOf, shapedPart } from './readJson';
import {
  messagesIn,
  type Read,
  type RecordedItem,
  recordedPrice,
  type RecordedReply,
  recordedUsage,
  type Recording,
} from './recordedItem';
import { isObject } from '../contextWindow/json';

const messageLine = z.object({
  message: z.looseObject({
    role: z.string(),
    content: z._default(messageContent, ''),
    model: z._default(z.string(), ''),
    usage: z.nullish(z.record(z.string(), z.unknown())),
    toolCallId: z._default(z.string(), ''),
    isError: z._default(z.boolean(), false),
  }),
});

type PiMessage = z.output<typeof messageLine>['message'];

const compactionLine = z.object({
  summary: z.string(),
  /** The first entry that stayed. */
  firstKeptEntryId: z.nullish(z.string()),
  /** The same in sessions without a tree: its index in the file, from 0. */
  firstKeptEntryIndex: z.nullish(z.number()),
});

/** Reads a pi session; if it is a tree, the branch that ends with the last line. */
export function readPi(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const items: RecordedItem[] = [];
  const branch = lastBranch(lines, aids);
  const preamble = new PiPreamble(aids);
  const itemsAt = new Map<unknown, readonly RecordedItem[]>();
  /** The thinking level now, and that of the last reply. */
  let level: unknown;
  let before: unknown;
  let model = '';
  for (const { line, value } of branch) {
    switch (value['type']) {
      case 'session':
      case 'thinking_level_change':
        level = value['thinkingLevel'] ?? level;
        break;
      case 'message': {
        const read = shapedPart(messageLine, value, placeOf(line, aids));
        if (read === undefined) break;
        const { message } = read;
        if (message.role === 'system') {
          // It was in the first request, or changes the next one.
          if (preamble.take(message) && items.some(({ type }) => type === 'reply')) {
            items.push({ type: 'changed', line, what: 'preamble' });
          }
          break;
        }
        if (message.role === 'assistant') {
          const isChanged = before !== undefined && before !== level;
          if (isChanged) items.push({ type: 'changed', line, what: 'thinking' });
          before = level;
          model = message.model;
        }
        const own = readMessage(message, line, aids);
        itemsAt.set(value['id'], own);
        items.push(...own);
        break;
      }
      case 'compaction': {
        items.push(...chargeOf(value, model));
        const read = shapedPart(compactionLine, value, placeOf(line, aids));
        if (read === undefined) break;
        const first = firstKeptLine(read, branch, lines);
        const kept = messagesIn(items).filter((item) => (item.line ?? 0) >= first);
        items.push({ type: 'compacted', line, summary: read.summary, kept });
        break;
      }
      case 'context_edit':
        items.push(...readEdit(value, line, itemsAt.get(value['targetId']) ?? [], items));
        break;
      case 'custom_message':
      case 'branch_summary':
        items.push(...chargeOf(value, model));
        aids.leftOut.add('injectedText');
        break;
      case 'usage':
        items.push(...chargeOf(value, model));
        break;
    }
  }
  return { ok: true, value: { ...preamble.now, items } };
}

/**
 * The system prompt and the tools of a session, which newer versions record (seen in 1.6): the first system
 * message has all of them, and each later one has the changes.
 */
class PiPreamble {
  #content = '';
  readonly #sections = new Map<string, string>();
  #tools: readonly ToolDefinition[] = [];

  constructor(private readonly aids: ImportAids) {}

  /** Takes a system message; false if it changes nothing. */
  take({ content, ...message }: PiMessage): boolean {
    const before = JSON.stringify(this.now);
    const { text } = readContent(content, this.aids);
    if (text !== '') this.#content = text;
    const { sections, toolsAdded, toolsRemoved } = message;
    for (const [name, section] of Object.entries(isObject(sections) ? sections : {})) {
      if (typeof section === 'string') this.#sections.set(name, section);
      else this.#sections.delete(name);
    }
    const added = readFunctionTools(toolsAdded, this.aids);
    const removed = (Array.isArray(toolsRemoved) ? toolsRemoved : []).filter(isObject);
    const gone = new Set<unknown>([...added, ...removed].map((tool) => tool['name']));
    this.#tools = [...this.#tools.filter(({ name }) => !gone.has(name)), ...added];
    return before !== JSON.stringify(this.now);
  }

  get now() {
    const texts = [this.#content, ...this.#sections.values()].filter((text) => text !== '');
    return { system: texts.join('\n\n'), tools: this.#tools };
  }
}

/** What pi was charged for requests other than replies: for a summary, or to keep a cache warm. */
function chargeOf(value: JsonLine['value'], newest: string): readonly RecordedItem[] {
  const { usage, model } = value;
  const spent = isObject(usage) ? spentOn(usage) : {};
  if (spent.usage === undefined) return [];
  const named = typeof model === 'string' ? model : newest;
  return [{ type: 'charged', charge: { model: named, ...spent, usage: spent.usage } }];
}

/** Content that an extension removed or replaced: of a result, or a whole message. */
function readEdit(
  { replacement }: JsonLine['value'],
  line: number,
  target: readonly RecordedItem[],
  items: readonly RecordedItem[],
): readonly RecordedItem[] {
  const clearedCallIds = target.flatMap((item) => (item.type === 'result' ? [item.callId] : []));
  if (clearedCallIds.length > 0) return [{ type: 'compacted', line, clearedCallIds }];
  if (replacement !== null || target.length === 0) return [];
  const kept = messagesIn(items).filter((item) => !target.includes(item));
  return [{ type: 'compacted', line, kept }];
}

/** The first line that stayed; after the last line if none did, as in pi. */
function firstKeptLine(
  { firstKeptEntryId: id, firstKeptEntryIndex: index }: z.output<typeof compactionLine>,
  branch: readonly JsonLine[],
  lines: readonly JsonLine[],
): number {
  const first =
    typeof id === 'string'
      ? branch.find(({ value }) => value['type'] !== 'session' && value['id'] === id)
      : lines[index ?? lines.length];
  return first?.line ?? Number.POSITIVE_INFINITY;
}

/**
 * Follows the parents from the last line up. Older sessions have no parents, so all their lines
 * count. If a parent line was unreadable, the branch continues with the line before.
 */
function lastBranch(lines: readonly JsonLine[], { leftOut }: ImportAids): readonly JsonLine[] {
  const parentOf = new Map<unknown, unknown>();
  const entries = lines.filter(({ value }) => value['type'] !== 'session' && 'parentId' in value);
  const ids = new Set(entries.map(({ value }) => value['id']));
  for (const [index, { value }] of entries.entries()) {
    const { parentId } = value;
    const isLost = typeof parentId === 'string' && !ids.has(parentId);
    parentOf.set(value['id'], isLost ? entries[index - 1]?.value['id'] : parentId);
  }
  if (parentOf.size === 0) return lines;
  const branch = new Set<unknown>();
  let id = lines.findLast(({ value }) => parentOf.has(value['id']))?.value['id'];
  while (parentOf.has(id) && !branch.has(id)) {
    branch.add(id);
    id = parentOf.get(id);
  }
  const kept = lines.filter(({ value }) => !parentOf.has(value['id']) || branch.has(value['id']));
  leftOut.add('otherBranch', lines.length - kept.length);
  return kept;
}

function readMessage(message: PiMessage, line: number, aids: ImportAids): readonly RecordedItem[] {
  const content = asMessagesContent(message.content);
  switch (message.role) {
    case 'user':
      return readUserContent(content, aids, line);
    case 'toolResult': {
      const { toolCallId: callId, isError } = message;
      return [{ type: 'result', callId, isError, ...readContent(content, aids) }];
    }
    case 'assistant': {
      const { model } = message;
      const parts = readReplyParts(content, aids);
      return [{ type: 'reply', line, model, parts, ...spentOn(message.usage ?? {}) }];
    }
    case 'bashExecution':
      aids.leftOut.add('commandLine');
      return [];
  }
  aids.leftOut.add('injectedText');
  return [];
}

/** The usage and the price of a request; nothing if it was not counted. */
function spentOn(fields: Readonly<Record<string, unknown>>): Pick<RecordedReply, 'usage' | 'usd'> {
  const { input, cacheWrite: cacheCreation, cacheRead, output, cost } = fields;
  const usage = recordedUsage({ input, cacheCreation, cacheRead, output });
  if (usage === undefined) return {};
  return { usage, ...recordedPrice(isObject(cost) ? cost['total'] : undefined) };
}

/** Writes pi's own parts in the form of the Messages API. */
function asMessagesContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    if (part.type === 'toolCall') {
      const input = isObject(part['arguments']) ? part['arguments'] : {};
      return { type: 'tool_use', id: part['id'], name: part['name'], input };
    }
    if (part.type !== 'image' || 'source' in part) return part;
    return { type: 'image', source: { media_type: part['mimeType'], data: part['data'] } };
  });
}
