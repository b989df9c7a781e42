import * as z from 'zod/mini';
import {
  messageContent,
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
  /** The thinking level now, and that of the last reply. */
  let level: unknown;
  let before: unknown;
  for (const { line, value } of branch) {
    switch (value['type']) {
      case 'session':
      case 'thinking_level_change':
        level = value['thinkingLevel'] ?? level;
        break;
      case 'message': {
        const read = shapedPart(messageLine, value, placeOf(line, aids));
        if (read === undefined) break;
        if (read.message.role === 'assistant') {
          const isChanged = before !== undefined && before !== level;
          if (isChanged) items.push({ type: 'changed', line, what: 'thinking' });
          before = level;
        }
        items.push(...readMessage(read.message, line, aids));
        break;
      }
      case 'compaction': {
        const read = shapedPart(compactionLine, value, placeOf(line, aids));
        if (read === undefined) break;
        const first = firstKeptLine(read, branch, lines);
        const kept = messagesIn(items).filter((item) => (item.line ?? 0) >= first);
        items.push({ type: 'compacted', line, summary: read.summary, kept });
        break;
      }
      case 'custom_message':
      case 'branch_summary':
        aids.leftOut.add('injectedText');
        break;
    }
  }
  return { ok: true, value: { system: '', tools: [], items } };
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
      const usage = recordedUsage({
        input: message.usage?.['input'],
        cacheCreation: message.usage?.['cacheWrite'],
        cacheRead: message.usage?.['cacheRead'],
        output: message.usage?.['output'],
      });
      const cost = message.usage?.['cost'];
      const usd = recordedPrice(isObject(cost) ? cost['total'] : undefined);
      const parts = readReplyParts(content, aids);
      const spent = usage === undefined ? {} : { usage, ...usd };
      return [{ type: 'reply', line, model, parts, ...spent }];
    }
    case 'bashExecution':
      aids.leftOut.add('commandLine');
      return [];
  }
  aids.leftOut.add('injectedText');
  return [];
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
