import { z } from 'zod';
import { ClaudeCodeCompactions } from './claudeCodeCompactions';
import { expansionsOf, readUserLine, userLine } from './claudeCodeUser';
import { messageContent, readReplyParts, type ImportAids } from './messageContent';
import { isObject, type JsonLine } from './readJson';
import { recordedUsage } from './recordedUsage';
import type { Read, RecordedItem, RecordedReply, Recording } from './recordedItem';
import { shaped } from './shape';

const assistantLine = z.object({
  isApiErrorMessage: z.boolean().nullish(),
  message: z.object({
    id: z.string().min(1).optional(),
    model: z.string().default(''),
    content: messageContent,
    usage: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** Reads a Claude Code session, one line for each content block; the file's order is the order. */
export function readClaudeCode(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const own = ownLines(lines, aids);
  const expansions = expansionsOf(own);
  const items: RecordedItem[] = [];
  const compactions = new ClaudeCodeCompactions(items, own);
  for (const { line, value } of own) {
    switch (value['type']) {
      case 'assistant': {
        const read = shaped(assistantLine, value, `line ${line}`);
        if (!read.ok) return read;
        const reply = readReply(read.value, line, aids);
        if (reply !== undefined) items.push(reply);
        break;
      }
      case 'user': {
        const read = shaped(userLine, value, `line ${line}`);
        if (!read.ok) return read;
        for (const item of readUserLine(read.value, line, expansions, aids)) {
          if (item.type === 'compacted') compactions.takeSummary(item, read.value.parentUuid);
          else items.push(item);
        }
        break;
      }
      case 'system':
        compactions.takeBoundary(value, line);
        break;
      case 'attachment':
        items.push(...readQueuedPrompt(value['attachment'], line));
        break;
    }
  }
  return { ok: true, value: { system: '', tools: [], items } };
}

/** Leaves out lines that came twice, and those of subagents unless the file is a subagent's own. */
function ownLines(lines: readonly JsonLine[], { leftOut }: ImportAids): readonly JsonLine[] {
  const seen = new Set<unknown>();
  const once = lines.filter(({ value }) => {
    const uuid = value['uuid'];
    if (typeof uuid !== 'string') return true;
    if (seen.has(uuid)) leftOut.add('repeatedLine');
    return !seen.has(uuid) && seen.add(uuid);
  });
  const talk = once.filter(
    ({ value }) => value['type'] === 'user' || value['type'] === 'assistant',
  );
  if (talk.length > 0 && talk.every(isSidechain)) {
    leftOut.add('subagentOnly');
    return once;
  }
  leftOut.add('subagentLine', talk.filter(isSidechain).length);
  return once.filter((line) => !isSidechain(line));
}

function isSidechain({ value }: JsonLine): boolean {
  return value['isSidechain'] === true;
}

function readReply(
  { isApiErrorMessage, message }: z.output<typeof assistantLine>,
  line: number,
  aids: ImportAids,
): RecordedReply | undefined {
  if (isApiErrorMessage === true || message.model === '<synthetic>') {
    aids.leftOut.add('syntheticReply');
    return undefined;
  }
  const { usage: fields } = message;
  const usage = recordedUsage({
    input: fields?.['input_tokens'],
    cacheCreation: fields?.['cache_creation_input_tokens'],
    cacheRead: fields?.['cache_read_input_tokens'],
    output: fields?.['output_tokens'],
  });
  return {
    type: 'reply',
    line,
    ...(message.id === undefined ? {} : { responseId: message.id }),
    model: message.model,
    parts: readReplyParts(message.content, aids),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A prompt typed while the agent was at work, told to the model between two steps. */
function readQueuedPrompt(attachment: unknown, line: number): readonly RecordedItem[] {
  if (!isObject(attachment) || attachment['type'] !== 'queued_command') return [];
  const { prompt: text, commandMode } = attachment;
  if (typeof text !== 'string' || commandMode === 'task-notification') return [];
  return [{ type: 'prompt', line, text, attachments: [] }];
}
