import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../../contextWindow/json';
import { refused, type Result } from '../../contextWindow/result';
import type { Transcript } from '../../sessions/transcript';
import { parsed } from '../readJson';
import { textIn } from '../recordedItem';
import { isNextToLog, nameOfFileLine } from '../vscodeDebugLog';
import { type CapturedCall, type CapturedSession, capturedValues } from './capturedCall';

/*
 * The debug log of VS Code's agent is the recording, and each line of a request holds its messages.
 * The system prompt and the tools are in files beside it, which the line names.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Where the line of a request names them. */
const NAMED = ['systemPromptFile', 'toolsFile'] as const;

/** Finds the requests in a log; `text` is that of the log and of the files beside it. */
export function debugLogRequests(
  file: string,
  text: string,
  { entries }: Pick<Transcript, 'entries'>,
): CapturedSession {
  const lines = text.split('\n');
  const beside = new Set(lines.flatMap((line) => nameOfFileLine(line) ?? []));
  const steps = new Map<number, CapturedCall>();
  let number = 0;
  let [counted, start] = [0, 0];
  for (const entry of entries) {
    if (entry.type !== 'reply') continue;
    number += 1;
    const at = (entry.line ?? 0) - 1;
    const line = lines[at];
    // Without its system prompt and its tools a request is not whole.
    if (line === undefined || NAMED.some((name) => !beside.has(valueOf(line, name)))) continue;
    if (at < counted) [counted, start] = [0, 0];
    for (; counted < at; counted += 1) start += Buffer.byteLength(lines[counted] ?? '') + 1;
    const { model, usage } = entry;
    const request = { file, bytes: { start, length: Buffer.byteLength(line) } };
    const call = { model, request, before: [] };
    steps.set(number, usage === undefined ? call : { ...call, usage });
  }
  return { steps, others: new Map() };
}

/** The value of a name in a line: in the texts of messages its quotes would be escaped. */
function valueOf(line: string, name: string): string {
  const mark = `"${name}":"`;
  const start = line.lastIndexOf(mark);
  if (start === -1) return '';
  return line.slice(start + mark.length, line.indexOf('"', start + mark.length));
}

/** Puts a request together from its line and the files that it names. */
export async function requestOfLine(file: string, line: Fields): Promise<Result<{ raw: Fields }>> {
  const attrs = isObject(line['attrs']) ? line['attrs'] : {};
  const names = NAMED.map((name) => attrs[name]).filter(isNextToLog);
  // A log may name any path, but no other file of the user is shown.
  if (names.length < NAMED.length)
    return refused(
      'its log does not name files with the system prompt and the tools in its own folder.',
    );
  const files = names.map((name) => ({ file: join(dirname(file), name) }));
  for (const { file: one } of files) {
    if ((await lstat(one).catch(() => undefined))?.isSymbolicLink() === true) {
      return refused('a file with its system prompt or its tools is a link to another file.');
    }
  }
  const read = await capturedValues(files);
  if (!read.ok) return read;
  const messages = parsed(textIn(attrs['inputMessages']));
  if (!Array.isArray(messages)) return refused('its log has changed.');
  const [system, tools] = read.values.map((value) => {
    const content = isObject(value) ? value['content'] : value;
    return typeof content === 'string' ? (parsed(content) ?? content) : content;
  });
  const { model, maxTokens } = attrs;
  const limit = maxTokens === undefined ? {} : { max_tokens: maxTokens };
  return { ok: true, raw: { model, ...limit, system, tools, messages } };
}
