import { z } from 'zod';
import { sourceOfDataUrl } from './attachments';
import { readCallArguments } from './callArguments';
import {
  callName,
  messageContent,
  readTold,
  type ImportAids,
  type MessageContent,
} from './messageContent';
import { isObject, parsed, type JsonLine } from './readJson';
import type { Read, RecordedItem, RecordedPart } from './recordedItem';
import { shaped } from './shape';

const callId = z.string().default('');

const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), role: z.string(), content: messageContent }),
  z.object({
    type: z.literal('function_call'),
    call_id: callId,
    name: callName,
    arguments: z.unknown(),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    call_id: callId,
    name: callName,
    input: z.unknown(),
  }),
  z.object({
    type: z.literal('local_shell_call'),
    call_id: z.string().nullish(),
    id: z.string().nullish(),
    action: z.record(z.string(), z.unknown()).default({}),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: callId, output: z.unknown() }),
  z.object({ type: z.literal('custom_tool_call_output'), call_id: callId, output: z.unknown() }),
]);

/** The start of a user message that Codex wrote, not the user. */
const INJECTED =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_shell_command|skill|subagent_notification)\b)/;

/** Reads one item of a rollout; reasoning and what is not of the conversation give nothing. */
export function readCodexItem(
  payload: JsonLine['value'],
  line: number,
  model: string,
  aids: ImportAids,
): Read<readonly RecordedItem[]> {
  if (payload['type'] === 'reasoning') {
    aids.leftOut.add('thinking');
    return { ok: true, value: [] };
  }
  if (!isKnown(payload['type'])) {
    aids.leftOut.add('unknownPart');
    return { ok: true, value: [] };
  }
  const read = shaped(item, payload, `line ${line}: payload`);
  return read.ok ? { ok: true, value: itemsOf(read.value, line, model, aids) } : read;
}

function isKnown(type: unknown): boolean {
  return item.options.some((option) => option.shape.type.value === type);
}

function itemsOf(
  one: z.output<typeof item>,
  line: number,
  model: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  const reply = (part: RecordedPart): readonly RecordedItem[] => [
    { type: 'reply', line, model, parts: [part] },
  ];
  switch (one.type) {
    case 'message':
      if (one.role === 'user') return readPrompt(one.content, line, aids);
      if (one.role === 'assistant') {
        return reply({ type: 'text', text: readTold(asMessagesContent(one.content), aids).text });
      }
      aids.leftOut.add('injectedText');
      return [];
    case 'function_call': {
      const input = readCallArguments(one.arguments, aids.leftOut);
      return reply({ type: 'call', id: one.call_id, name: one.name, input });
    }
    case 'custom_tool_call': {
      const input = isObject(one.input) ? one.input : { input: one.input };
      return reply({ type: 'call', id: one.call_id, name: one.name, input });
    }
    case 'local_shell_call': {
      const id = one.call_id ?? one.id ?? '';
      return reply({ type: 'call', id, name: 'local_shell', input: one.action });
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ type: 'result', callId: one.call_id, ...readOutput(one.output, aids) }];
  }
}

function readPrompt(
  content: MessageContent,
  line: number,
  aids: ImportAids,
): readonly RecordedItem[] {
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  const typed = parts.filter((part) => !INJECTED.test(String(part['text'] ?? '')));
  aids.leftOut.add('injectedText', parts.length - typed.length);
  if (typed.length === 0) return [];
  return [{ type: 'prompt', line, ...readTold(asMessagesContent(typed), aids) }];
}

/** An output is a text, parts, or an object with one of these and whether it went well. */
function readOutput(output: unknown, aids: ImportAids) {
  const body = isObject(output) ? (output['content'] ?? output['body'] ?? '') : output;
  const content = messageContent.safeParse(body);
  const told = readTold(asMessagesContent(content.success ? content.data : ''), aids);
  const failed = isObject(output) && output['success'] === false;
  return { ...told, isError: failed || exitCode(told.text) !== 0 };
}

/** Older outputs are JSON with the exit code in them, newer ones say it in the first line. */
function exitCode(text: string): number {
  const said = /^Exit code: (-?\d+)/.exec(text)?.[1];
  if (said !== undefined) return Number(said);
  const value = text.startsWith('{') ? parsed(text) : undefined;
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const code = isObject(metadata) ? metadata['exit_code'] : undefined;
  return typeof code === 'number' ? code : 0;
}

/** Writes the parts as the Messages API has them. */
function asMessagesContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    if (part.type === 'input_text' || part.type === 'output_text') return { ...part, type: 'text' };
    if (part.type !== 'input_image') return part;
    return { type: 'image', source: sourceOfDataUrl(part['image_url']) };
  });
}
