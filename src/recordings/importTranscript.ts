import {
  type TranscriptFormat,
  type TranscriptResult,
  type TranscriptEntry,
} from '../sessions/transcript';
import { assembleEntries } from './assembleTranscript';
import {
  type AttachmentTokens,
  LeftOut,
  type Read,
  type RecordedItem,
  type Recording,
  timeOf,
} from './recordedItem';
import { readClaudeCode } from './claudeCode';
import { readCline } from './cline';
import { readCodex } from './codex';
import { readCopilotCli } from './copilotCli';
import { detectFormat, holdsSeveralRequests, likelyFormat, looksLike } from './detectFormat';
import { readCrush } from './crush';
import { readGeminiCli } from './geminiCli';
import { readGoose } from './goose';
import { type ImportAids, readMessages } from './messages';
import { readMiniSweAgent } from './miniSweAgent';
import { readOpenAiRequests } from './openaiRequests';
import { readOpenCode } from './opencode';
import { readOpenHands, readOpenHandsOutput } from './openhands';
import { readPi } from './pi';
import { readVsCodeChat } from './vscodeChat';
import { readVsCodeDebugLog } from './vscodeDebugLog';
import { readZed } from './zed';
import { type OwnSession, readOwnSession, transcriptOfSession } from './plimsoll';
import {
  hasObjectLines,
  type JsonLine,
  type JsonValue,
  parsed,
  readJson,
  readJsonLines,
  recordingOf,
  withoutTornLine,
} from './readJson';
import { refused } from '../contextWindow/result';
import { isObject } from '../contextWindow/json';

/** The formats of other agents. */
type AgentFormat = Exclude<TranscriptFormat, 'plimsoll'>;

/** How each format is read: line by line, or as one JSON value. */
const IMPORTERS = {
  'claude-code': { form: 'lines', read: readClaudeCode },
  messages: { form: 'value', read: readMessages },
  pi: { form: 'lines', read: readPi },
  cline: { form: 'value', read: readCline },
  roo: { form: 'value', read: readCline },
  openhands: { form: 'value', read: readOpenHands },
  'openhands-output': { form: 'lines', read: readOpenHandsOutput },
  'mini-swe-agent': { form: 'value', read: readMiniSweAgent },
  'openai-requests': { form: 'lines', read: readOpenAiRequests },
  codex: { form: 'lines', read: readCodex },
  'gemini-cli': { form: 'lines', read: readGeminiCli },
  opencode: { form: 'value', read: readOpenCode },
  goose: { form: 'value', read: readGoose },
  crush: { form: 'value', read: readCrush },
  zed: { form: 'value', read: readZed },
  'copilot-cli': { form: 'lines', read: readCopilotCli },
  'vscode-chat': { form: 'lines', read: readVsCodeChat },
  'vscode-debug-log': { form: 'lines', read: readVsCodeDebugLog },
} as const satisfies Readonly<
  Record<
    AgentFormat,
    | { form: 'lines'; read: (lines: readonly JsonLine[], aids: ImportAids) => Read<Recording> }
    | { form: 'value'; read: (value: JsonValue, aids: ImportAids) => Read<Recording> }
  >
>;

/** The JSON of a file: one value, or an object on each line. */
type Content =
  | ({ readonly form: 'value' } & JsonValue)
  | { readonly form: 'lines'; readonly lines: readonly JsonLine[] };

/**
 * Reads a recorded session of any agent, or the conversation of one of Plimsoll's own; `name` begins
 * the message when it cannot be read. A line that cannot be read is left out and noted. If the
 * recording is still growing, an incomplete last line is left out silently.
 */
export function importTranscript(
  text: string,
  format: TranscriptFormat | 'auto',
  name: string,
  attachmentTokens: AttachmentTokens,
  { growing = false }: { readonly growing?: boolean } = {},
): TranscriptResult {
  const own =
    format === 'auto' || format === 'plimsoll'
      ? readOwnSession(text, name, { growing })
      : undefined;
  if (own !== undefined) return own.ok ? ownTranscript(own.own, name) : own;
  if (format === 'plimsoll') {
    return refused(
      `${name} cannot be read: it is neither a session log of Plimsoll nor an export.`,
    );
  }
  const aids = { leftOut: new LeftOut(), attachmentTokens };
  const plain = text.replace(/^\uFEFF/, '');
  const read = readRecording(growing ? withoutTornLine(plain) : plain, format, aids);
  if (!read.ok) return refused(`${name} cannot be read: ${read.message}`);
  const { recording, found, times, replyLine } = read.value;
  const { items, promptsByAgent, ...rest } = recording;
  const isByAgent = (entry: TranscriptEntry, index: number) =>
    entry.type === 'prompt' && (index === 0 ? promptsByAgent : promptsByAgent === 'all');
  const entries = assembleEntries(items, aids.leftOut).map((entry, index) => {
    const at = entry.at ?? times.get(entry.line ?? 0);
    const by = isByAgent(entry, index) ? { byAgent: true as const } : {};
    const { at: _at, ...rest } = entry;
    return { ...rest, ...by, ...(at === undefined || !isMoment(at) ? {} : { at }) };
  });
  const lack = whyIncomplete(items, entries, found, replyLine);
  if (lack !== undefined) {
    // The unreadable part may be the missing one.
    const bad = aids.leftOut.firstUnreadable;
    return refused(
      `${name} cannot be read: ${bad === undefined ? lack : `${bad} Without it: ${lack}`}`,
    );
  }
  return {
    ok: true,
    transcript: { format: found, ...rest, entries, notes: aids.leftOut.notes() },
  };
}

/** Whether a number of ms is a date; a damaged one is none. */
function isMoment(at: number): boolean {
  return !Number.isNaN(new Date(at).getTime());
}

/** The conversation of a Plimsoll session, if it has one. */
function ownTranscript(own: OwnSession, name: string): TranscriptResult {
  const transcript = transcriptOfSession(own);
  const lack = whyIncomplete([], transcript.entries, 'plimsoll', () => undefined);
  if (lack === undefined) return { ok: true, transcript };
  return refused(`${name} cannot be read: ${lack}`);
}

function readRecording(
  text: string,
  format: AgentFormat | 'auto',
  aids: ImportAids,
): Read<{
  readonly recording: Recording;
  readonly found: AgentFormat;
  readonly times: ReadonlyMap<number, number>;
  readonly replyLine: () => number | undefined;
}> {
  if (text.trim() === '') return refused('it is empty. Give a recorded session.');
  const isValue = format !== 'auto' && IMPORTERS[format].form === 'value';
  const content = readContent(text, isValue ? 'value' : formOf(text), aids);
  if (!content.ok) {
    const other = format === 'auto' ? looksLike(text, undefined) : undefined;
    return other === undefined ? content : refused(other);
  }
  const found =
    format === 'auto' ? recognised(content.value, text) : { ok: true as const, value: format };
  if (!found.ok) return found;
  const importer = IMPORTERS[found.value];
  const lines = importer.form === 'lines' ? linesOf(content.value) : [];
  const value = valueOf(content.value);
  const read = importer.form === 'lines' ? importer.read(lines, aids) : importer.read(value, aids);
  if (!read.ok) return read;
  const { value: recording } = read;
  const replyLine = () =>
    importer.form === 'lines'
      ? recording.items.find((item) => item.type === 'reply')?.line
      : lineOfReply(value);
  return { ok: true, value: { recording, found: found.value, times: timesOf(lines), replyLine } };
}

function readContent(text: string, form: Content['form'], { leftOut }: ImportAids): Read<Content> {
  if (form === 'lines') {
    return { ok: true, value: { form, lines: readJsonLines(text, leftOut) } };
  }
  const read = readJson(text);
  return read.ok ? { ok: true, value: { form, ...read.value } } : read;
}

/** A text that is not JSON but begins with lines that are is a file of lines, even if one is torn. */
function formOf(text: string): Content['form'] {
  return parsed(text) === undefined && hasObjectLines(text) ? 'lines' : 'value';
}

function recognised(content: Content, text: string): Read<AgentFormat> {
  const values =
    content.form === 'lines' ? content.lines.map(({ value }) => value) : [content.value];
  const format = detectFormat(values);
  if (format !== undefined) return { ok: true, value: format };
  if (holdsSeveralRequests(values)) {
    return refused(
      'it holds several requests, one on each line; a recording is one. Put the line you want into a file of its own.',
    );
  }
  const likely = likelyFormat(values);
  if (likely !== undefined) return { ok: true, value: likely };
  return refused(looksLike(text, values) ?? '');
}

function linesOf(content: Content): readonly JsonLine[] {
  if (content.form === 'lines') return content.lines;
  return isObject(content.value) ? [{ line: 1, value: content.value }] : [];
}

function valueOf(content: Content): JsonValue {
  if (content.form === 'value') return content;
  const [first] = content.lines;
  return { value: first?.value, lineOf: () => first?.line ?? 1 };
}

/** Where the first reply begins in a file that is one value. */
function lineOfReply({ value, lineOf }: JsonValue): number | undefined {
  const messages = isObject(value) ? value['messages'] : value;
  if (!Array.isArray(messages)) return undefined;
  const at = messages.findIndex((message) => isObject(message) && message['role'] === 'assistant');
  if (at === -1) return undefined;
  return lineOf(isObject(value) ? ['messages', at] : [at]);
}

/** The time of each line that has one, ms since the epoch, by its number. */
function timesOf(lines: readonly JsonLine[]): ReadonlyMap<number, number> {
  return new Map(
    lines.flatMap(({ line, value }) => {
      const { at } = timeOf(value['timestamp']);
      return at === undefined ? [] : [[line, at] as const];
    }),
  );
}

/**
 * Says what a recording lacks for a replay, and what to do; undefined when it lacks nothing.
 * `replyLine` finds the line of its first reply, where that is known.
 */
function whyIncomplete(
  items: readonly RecordedItem[],
  entries: readonly TranscriptEntry[],
  format: TranscriptFormat,
  replyLine: () => number | undefined,
): string | undefined {
  const holds = (type: TranscriptEntry['type']) => entries.some((entry) => entry.type === type);
  if (holds('prompt') && holds('reply')) return undefined;
  const missing = holds('prompt') ? 'reply' : 'prompt';
  const lack = `as ${recordingOf(format)} it holds no ${missing}`;
  const firstPrompt = items.findIndex(({ type }) => type === 'prompt');
  const replies = items.flatMap(({ type }, index) => (type === 'reply' ? [index] : []));
  if (replies.length === 0) {
    const soon = missing === 'reply' ? 'Open it after the first reply, or check' : 'Check';
    return `${lack}. ${soon} that it is whole and in that format.`;
  }
  const line = replyLine();
  const where = line === undefined ? '' : `line ${line}: `;
  if (firstPrompt === -1 || replies.every((index) => index < firstPrompt)) {
    const behind = missing === 'prompt' ? '' : ' behind its first prompt';
    return (
      `${where}${lack}${behind}: it begins with a reply of the assistant, and no request can. ` +
      'Put the prompt that reply answers in front of it.'
    );
  }
  return `${where}${lack} with a text or a call. Check that it is whole.`;
}
