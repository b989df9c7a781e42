import type { TranscriptFormat } from '../sessions/transcript';
import { isObject } from '../contextWindow/json';

type Fields = Readonly<Record<string, unknown>>;

/** The formats of other agents. */
type AgentFormat = Exclude<TranscriptFormat, 'plimsoll'>;

const CODEX_TYPES: readonly string[] = ['session_meta', 'response_item', 'turn_context'];

/** Recognises a recording by its JSON values: all lines, or the one value of the file. */
export function detectFormat(values: readonly unknown[]): AgentFormat | undefined {
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

/** Says whether the lines are several Messages API requests, where a recording is one. */
export function holdsSeveralRequests(values: readonly unknown[]): boolean {
  if (values.length < 2) return false;
  return values.every((value) => {
    const request = isObject(value) ? (value['request'] ?? value) : undefined;
    return isObject(request) && isMessages(request['messages']);
  });
}

/**
 * Says which format a recording that fits none is probably meant to be: most of it has that format,
 * and the format's own importer finds what is wrong, and where.
 */
export function likelyFormat(values: readonly unknown[]): AgentFormat | undefined {
  const [only] = values;
  if (values.length === 1 && Array.isArray(only)) {
    if (!hasMessages(only)) return undefined;
    return only.some((message) => isObject(message) && 'ts' in message) ? 'cline' : 'messages';
  }
  const lines = values.filter(isObject);
  if (lines.length === 1 && lines[0] !== undefined && 'messages' in lines[0]) {
    return likelyOfBody(lines[0]);
  }
  const has = (field: string, ...types: readonly string[]) =>
    lines.some((line) => field in line && types.includes(String(line['type'])));
  if (has('payload', ...CODEX_TYPES)) return 'codex';
  if (has('message', 'message')) return 'pi';
  return has('message', 'user', 'assistant') ? 'claude-code' : undefined;
}

function likelyOfBody(body: Fields): AgentFormat | undefined {
  const { messages } = body;
  if ('trajectory_format' in body) return undefined;
  if (Array.isArray(messages) ? !hasMessages(messages) : !('model' in body)) return undefined;
  return 'sessionId' in body || 'system_prompt' in body ? 'cline' : 'messages';
}

/** Says whether some are messages, and none has another API's form. */
function hasMessages(values: readonly unknown[]): boolean {
  return (
    values.some((value) => isMessages([value])) &&
    !values.some(
      (value, index) =>
        isObject(value) &&
        ('tool_calls' in value ||
          ['tool', 'function', 'developer'].includes(String(value['role'])) ||
          (value['role'] === 'system' && index === 0)),
    )
  );
}

function formatOfArray(messages: readonly unknown[]): AgentFormat | undefined {
  if (!isMessages(messages)) return undefined;
  // An empty list has no sign of Cline, and the importer of messages says what is wrong.
  if (messages.length === 0) return 'messages';
  return messages.every((message) => isObject(message) && 'ts' in message) ? 'cline' : 'messages';
}

function formatOfBody(body: Fields): AgentFormat | undefined {
  const { messages, response, info } = body;
  if (isOfGemini(body)) return 'gemini-cli';
  if (isObject(info) && Array.isArray(messages) && messages.some(isOfOpenCode)) return 'opencode';
  if (messages !== undefined && isObject(response) && 'choices' in response) return 'openhands';
  if (!isMessages(messages)) return undefined;
  if ('sessionId' in body || 'system_prompt' in body) return 'cline';
  // mini-swe-agent has messages of the same shape, with its calls and results as plain text.
  return 'trajectory_format' in body ? undefined : 'messages';
}

function formatOfLines(lines: readonly Fields[]): AgentFormat | undefined {
  if (lines.some(isOfCodex)) return 'codex';
  if (lines.some(isOfOpenHandsOutput)) return 'openhands-output';
  if (lines.some(isOfCopilot)) return 'copilot-cli';
  if (lines.some(isOfGemini)) return 'gemini-cli';
  if (lines[0]?.['type'] === 'session' || lines.some(isOfPi)) return 'pi';
  return lines.some(isOfClaudeCode) ? 'claude-code' : undefined;
}

function isOfCodex({ type, payload }: Fields): boolean {
  return CODEX_TYPES.includes(String(type)) && isObject(payload);
}

/** A task with the events of its conversation. */
function isOfOpenHandsOutput({ instance_id: id, history }: Fields): boolean {
  if (!Array.isArray(history) || id === undefined) return false;
  const events: readonly unknown[] = history.flat();
  return events.length === 0 || events.some(isOpenHandsEvent);
}

function isOpenHandsEvent(event: unknown): boolean {
  return isObject(event) && ('kind' in event || 'action' in event || 'observation' in event);
}

const COPILOT_TYPES: readonly string[] = ['session.start', 'user.message', 'assistant.message'];

function isOfCopilot({ type, data }: Fields): boolean {
  return COPILOT_TYPES.includes(String(type)) && isObject(data);
}

/** The whole session, the first line of one, or a reply in one. */
function isOfGemini({ sessionId, projectHash, type, id, content }: Fields): boolean {
  if (typeof sessionId === 'string' && typeof projectHash === 'string') return true;
  return type === 'gemini' && typeof id === 'string' && content !== undefined;
}

function isOfOpenCode(message: unknown): boolean {
  return isObject(message) && isObject(message['info']) && Array.isArray(message['parts']);
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
