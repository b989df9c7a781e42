import type { TranscriptFormat } from '../transcript';
import { isObject } from './readJson';

type Fields = Readonly<Record<string, unknown>>;

/** Recognises a recording by its JSON values: all lines, or the one value of the file. */
export function detectFormat(values: readonly unknown[]): TranscriptFormat | undefined {
  const [only] = values;
  if (values.length === 1 && Array.isArray(only)) return formatOfArray(only);
  const objects = values.filter(isObject);
  const [first] = objects;
  if (first === undefined) return undefined;
  if (objects.length === 1) {
    const format = formatOfBody(first);
    if (format !== undefined) return format;
  }
  return formatOfLines(objects);
}

/** Says whether the lines are Messages API requests: several, where a recording is one. */
export function holdsSeveralRequests(values: readonly unknown[]): boolean {
  if (values.length < 2) return false;
  return values.every((value) => {
    const request = isObject(value) ? (value['request'] ?? value) : undefined;
    return isObject(request) && isMessages(request['messages']);
  });
}

function formatOfArray(messages: readonly unknown[]): TranscriptFormat | undefined {
  if (!isMessages(messages)) return undefined;
  // An empty one has no mark of Cline, and the importer of messages says what is the matter.
  if (messages.length === 0) return 'messages';
  return messages.every((message) => isObject(message) && 'ts' in message) ? 'cline' : 'messages';
}

function formatOfBody(body: Fields): TranscriptFormat | undefined {
  const { messages } = body;
  if (!Array.isArray(messages)) return undefined;
  if (isObject(body['response']) && Array.isArray(body['response']['choices'])) return 'openhands';
  if (!isMessages(messages)) return undefined;
  if ('sessionId' in body || 'system_prompt' in body) return 'cline';
  // mini-swe-agent has messages of the same shape, with its calls and results as plain text.
  return 'trajectory_format' in body ? undefined : 'messages';
}

function formatOfLines(lines: readonly Fields[]): TranscriptFormat | undefined {
  if (lines.some(isOfCodex)) return 'codex';
  if (lines[0]?.['type'] === 'session' || lines.some(isOfPi)) return 'pi';
  return lines.some(isOfClaudeCode) ? 'claude-code' : undefined;
}

function isOfCodex({ type, payload }: Fields): boolean {
  return (
    ['session_meta', 'response_item', 'turn_context'].includes(String(type)) && isObject(payload)
  );
}

function isOfPi({ type, message }: Fields): boolean {
  return type === 'message' && isObject(message) && typeof message['role'] === 'string';
}

function isOfClaudeCode({ type, message }: Fields): boolean {
  return (type === 'user' || type === 'assistant') && isObject(message) && 'content' in message;
}

/** Says whether a value is a list of messages in the form of the Messages API. */
function isMessages(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every(
    (message, index) =>
      isObject(message) &&
      'content' in message &&
      !('tool_calls' in message) &&
      (message['role'] === 'user' ||
        message['role'] === 'assistant' ||
        (message['role'] === 'system' && index > 0)),
  );
}
