import { parse, type ParseError } from 'jsonc-parser';
import { isObject } from '../contextWindow/json';
import { HISTORY_FORMAT } from '../sessions/exportSession';
import type { TranscriptFormat } from '../sessions/transcript';
import { isOfCrush } from './crush';
import { isOfOpenAi } from './openaiRequests';
import { isTooDeep, parsed } from './readJson';
import { textIn } from './recordedItem';
import { isOfVsCodeChat } from './vscodeChat';
import { isOfVsCodeDebugLog } from './vscodeDebugLog';
import { isOfZed } from './zed';

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

/** Says whether the lines are several Messages API requests; a recording is one. */
export function holdsSeveralRequests(values: readonly unknown[]): boolean {
  if (values.length < 2) return false;
  return values.every((value) => {
    const request = isObject(value) ? (value['request'] ?? value) : undefined;
    return isObject(request) && isMessages(request['messages']);
  });
}

/**
 * Says which format a recording that fits none is probably meant to be, by most of its content;
 * that format's importer then finds the error and its place.
 */
export function likelyFormat(values: readonly unknown[]): AgentFormat | undefined {
  const [only] = values;
  if (values.length === 1 && Array.isArray(only)) {
    if (!hasMessages(only)) return undefined;
    return only.some(hasTime) ? clineOrRoo(only) : 'messages';
  }
  const lines = values.filter(isObject);
  if (lines.length === 1 && lines[0] !== undefined && 'messages' in lines[0]) {
    return likelyOfBody(lines[0]);
  }
  const has = (field: string, ...types: readonly string[]) =>
    lines.some((line) => field in line && types.includes(textIn(line['type'])));
  if (has('payload', ...CODEX_TYPES)) return 'codex';
  if (has('message', 'message')) return 'pi';
  return has('message', 'user', 'assistant') ? 'claude-code' : undefined;
}

function likelyOfBody(body: Fields): AgentFormat | undefined {
  const { messages } = body;
  if (Array.isArray(messages) ? !hasMessages(messages) : !('model' in body)) return undefined;
  return 'sessionId' in body || 'system_prompt' in body ? 'cline' : 'messages';
}

/** Says whether some values are messages, and none has another API's form. */
function hasMessages(values: readonly unknown[]): boolean {
  return (
    values.some((value) => isMessages([value])) &&
    !values.some(
      (value, index) =>
        isObject(value) &&
        ('tool_calls' in value ||
          ['tool', 'function', 'developer'].includes(textIn(value['role'])) ||
          (value['role'] === 'system' && index === 0)),
    )
  );
}

function formatOfArray(messages: readonly unknown[]): AgentFormat | undefined {
  const task = formatOfTask(messages);
  if (task !== undefined) return task;
  // An empty list has no sign of Cline, and the importer of messages says what is wrong.
  return isMessages(messages) ? 'messages' : undefined;
}

/** The messages of a task of Cline or Roo: each has its time. */
function formatOfTask(messages: unknown): AgentFormat | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  // Thinking is an item of its own in Roo's files, and so are results since their version 2.
  const said = messages.filter((one) => !isObject(one) || one['type'] !== 'reasoning');
  const plain = said.map((one) =>
    isObject(one) && one['role'] === 'tool' ? { ...one, role: 'user' } : one,
  );
  return said.length > 0 && isMessages(plain) && plain.every(hasTime)
    ? clineOrRoo(plain)
    : undefined;
}

function hasTime(message: unknown): boolean {
  return isObject(message) && 'ts' in message;
}

/** Cline writes the model or the usage next to each reply in the same file; Roo does not. */
function clineOrRoo(messages: readonly unknown[]): AgentFormat {
  const isCline = messages.some(
    (message) => isObject(message) && ('modelInfo' in message || 'metrics' in message),
  );
  return isCline ? 'cline' : 'roo';
}

function formatOfBody(body: Fields): AgentFormat | undefined {
  const { messages, response, info } = body;
  if (isOfGemini(body)) return 'gemini-cli';
  if (isObject(info) && Array.isArray(messages) && messages.some(isOfOpenCode)) return 'opencode';
  if (Array.isArray(body['conversation']) && isText(body['working_dir'])) return 'goose';
  if ('trajectory_format' in body && Array.isArray(messages)) return 'mini-swe-agent';
  if (isOfCrush(body)) return 'crush';
  if (isOfZed(body)) return 'zed';
  if (isOfVsCodeChat(body)) return 'vscode-chat';
  if (messages !== undefined && isObject(response) && 'choices' in response) return 'openhands';
  const isTask = 'shown' in body || body['version'] === 2;
  const task = isTask ? formatOfTask(messages) : undefined;
  if (task !== undefined) return task;
  if (isOfOpenAi(body)) return 'openai-requests';
  if (!isMessages(messages)) return undefined;
  if ('sessionId' in body || 'system_prompt' in body) return 'cline';
  return 'messages';
}

function formatOfLines(lines: readonly Fields[]): AgentFormat | undefined {
  if (lines.some(isOfCodex)) return 'codex';
  if (lines.some(isOfOpenHandsOutput)) return 'openhands-output';
  if (lines.some(isOfCopilot)) return 'copilot-cli';
  if (lines.some(isOfVsCodeDebugLog)) return 'vscode-debug-log';
  if (lines.some(isOfVsCodeChat)) return 'vscode-chat';
  if (lines.some(isOfGemini)) return 'gemini-cli';
  if (lines[0]?.['type'] === 'session' || lines.some(isOfPi)) return 'pi';
  if (lines.some(isOfClaudeCode)) return 'claude-code';
  return lines.some(isOfOpenAi) ? 'openai-requests' : undefined;
}

function isOfCodex({ type, payload }: Fields): boolean {
  return CODEX_TYPES.includes(textIn(type)) && isObject(payload);
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
  return COPILOT_TYPES.includes(textIn(type)) && isObject(data);
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

/** What a file that is not a recording is, and what to open instead. */
interface Other {
  /** For example `a picture (PNG)`. */
  readonly what: string;
  /** For example `open api_conversation_history.json beside it`. */
  readonly open: string;
}

const ANY =
  'open a session of Claude Code, Codex, pi, Cline, Roo, OpenHands, Gemini CLI, ' +
  'OpenCode, Goose, Copilot CLI, VS Code or mini-swe-agent, a transcript of the Messages API, ' +
  "logged requests to OpenAI's APIs, or a session log of Plimsoll";

/**
 * Says in one sentence what a file that is not a recording looks like, and what to open instead.
 * `values` are its JSON values, one for each line or one in all; undefined if it is not JSON. The
 * answer is undefined for what looks like a damaged recording.
 */
export function looksLike(
  text: string,
  values: readonly unknown[] | undefined,
): string | undefined {
  const other = values === undefined ? otherText(text) : otherJson(values);
  return other === undefined ? undefined : `it looks like ${other.what}; ${other.open}.`;
}

/** The first characters of binary files after they were read as text. */
const BINARIES: readonly (readonly [beginning: RegExp | string, what: string, open?: string])[] = [
  [/^\uFFFDPNG\r\n/, 'an image (PNG)'],
  [/^\uFFFD{3,4}.{0,6}(?:JFIF|Exif|ICC)/s, 'an image (JPEG)'],
  [/^GIF8[79]a/, 'an image (GIF)'],
  [/^RIFF.{4,12}WEBP/s, 'an image (WebP)'],
  [/^%PDF-/, 'a PDF document'],
  [
    'SQLite format 3\0',
    'a SQLite database',
    'choose the session in Other Agents, or export it as JSON and open that',
  ],
  ['PK\u0003\u0004', 'a zip archive', 'unpack it and open the session in it'],
  ['\u001F\uFFFD\u0008', 'a gzip archive', 'unpack it and open the session in it'],
  [/^\uFFFD\uFFFD?(?:.\0|\0.)/s, 'a text in UTF-16', 'save it as UTF-8 and open it again'],
];

function otherText(text: string): Other | undefined {
  const plain = text.replace(/^\uFEFF/, '').trimStart();
  for (const [beginning, what, open = ANY] of BINARIES) {
    const begins =
      typeof beginning === 'string' ? text.startsWith(beginning) : beginning.test(text);
    if (begins) return { what, open };
  }
  if (text.slice(0, 4_000).includes('\0')) return { what: 'a binary file', open: ANY };
  if (/^<(?:!doctype html|html)\b/i.test(plain)) return otherPage(plain);
  if (/^<[?!a-z]/i.test(plain)) return { what: 'an XML file', open: ANY };
  if (/^[{[]/.test(plain)) return otherJsonc(plain);
  if (/^# Plimsoll session$/m.test(plain.slice(0, 200))) {
    const open = 'export the session as JSONL and open that';
    return { what: 'a Markdown export of a Plimsoll session, made to be read', open };
  }
  // A line of JSON somewhere: a recording that begins with damaged lines.
  if (plain.split('\n', 200).some((line) => isObject(parsed(line)))) return undefined;
  if (/^#{1,6} |^---\n/.test(plain)) return { what: 'a Markdown text', open: ANY };
  return { what: 'plain text', open: ANY };
}

function otherPage(text: string): Other {
  const isOwn = /<title>Context window: /.test(text.slice(0, 4_000));
  if (!isOwn) return { what: 'a web page', open: ANY };
  return {
    what: 'an export of the Context panel as HTML, made to be read',
    open: 'export the session as JSONL and open that',
  };
}

/** JSON with comments or trailing commas, as editors write it; undefined for broken JSON. */
function otherJsonc(text: string): Other | undefined {
  if (text.length > LONGEST_SETTINGS || isTooDeep(text)) return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && isObject(value) ? otherObject(value) : undefined;
}

/** No settings file is longer; characters. */
const LONGEST_SETTINGS = 200_000;

function otherJson(values: readonly unknown[]): Other {
  const [only] = values;
  if (values.length !== 1) return otherLines(values.filter(isObject));
  if (Array.isArray(only)) return otherList(only.filter(isObject));
  if (isObject(only)) return otherLine(only) ?? otherObject(only);
  return { what: 'JSON without messages', open: ANY };
}

/** A list of objects in one file: the first known one decides. */
function otherList(list: readonly Fields[]): Other {
  if (list.some(({ ts, type, say, ask }) => ts !== undefined && isSaid(type, say, ask))) {
    return {
      what: 'the ui_messages.json of Cline or Roo',
      open: 'open api_conversation_history.json beside it',
    };
  }
  if (list.some(({ sessionId, messageId }) => isText(sessionId) && messageId !== undefined)) {
    return {
      what: 'the logs.json of Gemini CLI',
      open: 'open a session in the folder chats beside it',
    };
  }
  if (list.some(({ lc }) => lc !== undefined)) {
    return { what: 'a list of LangChain messages, which Plimsoll does not read', open: ANY };
  }
  if (list.some(({ chat_messages: messages }) => Array.isArray(messages))) {
    return { what: 'an export of claude.ai, which Plimsoll does not read', open: ANY };
  }
  if (list.some(({ action, observation, kind }) => isText(action ?? observation ?? kind))) {
    return {
      what: 'a list of OpenHands events alone',
      open: 'open the output.jsonl of their run',
    };
  }
  if (list.some(({ role }) => isText(role))) return CHAT;
  return { what: 'JSON without messages', open: ANY };
}

/** Messages with roles, but not in the form of the Messages API. */
const CHAT: Other = {
  what: 'messages of another API than the Messages API, without the response to them',
  open: ANY,
};

function isSaid(type: unknown, say: unknown, ask: unknown): boolean {
  return (type === 'say' && isText(say)) || (type === 'ask' && isText(ask));
}

function otherLines(lines: readonly Fields[]): Other {
  for (const line of lines) {
    const other = otherLine(line);
    if (other !== undefined) return other;
  }
  return { what: 'lines of JSON without messages', open: ANY };
}

/** What one line reveals about its file. */
function otherLine(line: Fields): Other | undefined {
  const { display, project, session_id: session, ts, text } = line;
  if (isText(display) && isText(project)) {
    return {
      what: "Claude Code's list of prompts",
      open: 'open a session in the folder projects beside it',
    };
  }
  if (isText(session) && ts !== undefined && isText(text)) {
    return {
      what: "Codex's list of prompts",
      open: 'open a rollout in the folder sessions beside it',
    };
  }
  return undefined;
}

function otherObject(value: Fields): Other {
  const { messages, info, id, sessionID, trajectory } = value;
  if (value['format'] === HISTORY_FORMAT) {
    return { what: 'a JSON export of Plimsoll', open: 'export the session as JSONL and open that' };
  }
  if (Array.isArray(trajectory)) {
    return { what: 'a trajectory of SWE-agent, which Plimsoll does not read', open: ANY };
  }
  if ('files_in_context' in value || 'model_usage' in value) {
    return {
      what: 'the task_metadata.json of Cline',
      open: 'open api_conversation_history.json beside it',
    };
  }
  if (isText(sessionID) || (isText(id) && /^(?:ses|msg|prt)_/.test(id))) {
    return {
      what: 'a piece of a session of OpenCode',
      open: 'write the whole session with `opencode export` and open that',
    };
  }
  if (Array.isArray(messages) && info === undefined) return CHAT;
  if (isText(value['name']) && isText(value['version'])) {
    return { what: 'a package.json', open: ANY };
  }
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => /^(?:[\w-]+\.[\w.-]+|\[.+\])$/.test(key))) {
    return { what: 'a VS Code settings file', open: ANY };
  }
  return { what: 'JSON without messages', open: ANY };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
