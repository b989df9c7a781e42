import { parse, type ParseError } from 'jsonc-parser';
import { HISTORY_FORMAT } from '../sessions/exportSession';
import { isTooDeep, parsed } from './readJson';
import { isObject } from '../contextWindow/json';

type Fields = Readonly<Record<string, unknown>>;

/** What a file is that is no recording, and what to open in its place. */
interface Other {
  /** For example `a picture (PNG)`. */
  readonly what: string;
  /** For example `open api_conversation_history.json beside it`. */
  readonly open: string;
}

const ANY =
  'open a session of Claude Code, Codex, pi, Cline, Roo, OpenHands, Gemini CLI, OpenCode or ' +
  'Copilot CLI, a transcript of the Messages API, or a session log of Plimsoll';

/**
 * Says in one sentence what a file that is no recording looks like, and what to open in its place.
 * `values` are its JSON values, one a line or one in all; undefined where it is not JSON, and then
 * the answer is undefined for what looks like a damaged recording.
 */
export function looksLike(
  text: string,
  values: readonly unknown[] | undefined,
): string | undefined {
  const other = values === undefined ? otherText(text) : otherJson(values);
  return other === undefined ? undefined : `it looks like ${other.what}; ${other.open}.`;
}

/** The beginnings of files that are not text, as they look once they were read as text. */
const BINARIES: readonly (readonly [beginning: RegExp | string, what: string, open?: string])[] = [
  [/^\uFFFDPNG\r\n/, 'an image (PNG)'],
  [/^\uFFFD{3,4}.{0,6}(?:JFIF|Exif|ICC)/s, 'an image (JPEG)'],
  [/^GIF8[79]a/, 'an image (GIF)'],
  [/^RIFF.{4,12}WEBP/s, 'an image (WebP)'],
  [/^%PDF-/, 'a PDF document'],
  [
    'SQLite format 3\0',
    'a SQLite database',
    'export the session as JSON first, for example with `opencode export`, and open that',
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

/** JSON with comments or commas too many, as editors have it; undefined for broken JSON. */
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

/** A list of objects in one file: what the first that is known says of all. */
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
      open: 'open the output.jsonl of the run that they are from',
    };
  }
  if (list.some(({ role }) => isText(role))) return CHAT;
  return { what: 'JSON without messages', open: ANY };
}

/** Messages with roles, in another form than that of the Messages API. */
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

/** What one line of a file tells of it. */
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
  const { messages, info, id, sessionID, requests, trajectory } = value;
  if (value['format'] === HISTORY_FORMAT) {
    return { what: 'a JSON export of Plimsoll', open: 'export the session as JSONL and open that' };
  }
  if ('trajectory_format' in value) {
    return { what: 'a trajectory of mini-swe-agent, which Plimsoll does not read', open: ANY };
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
  if (Array.isArray(requests) && 'responderUsername' in value) {
    return {
      what: 'a chat of Copilot in VS Code, which Plimsoll does not read',
      open: 'open the events.jsonl of a Copilot CLI session',
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
