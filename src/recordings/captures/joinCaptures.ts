import type { ToolDefinition } from '../../contextWindow/event';
import { isObject } from '../../contextWindow/json';
import type { Transcript, TranscriptFormat } from '../../sessions/transcript';
import { type CapturedBody, capturedBody } from './capturedBody';
import { type CapturedSession, NOTHING_CAPTURED, stepsOf } from './capturedCall';
import { CAPTURED_AGENTS, type CapturedAgent } from './captureStore';
import { claudeCodeCaptures, type FolderRead } from './claudeCodeCaptures';
import { type BundleRead, codexTraces } from './codexTraces';
import { debugLogRequests } from './debugLogRequests';
import { isRequestFile } from './sideRequests';

/** The folders where each agent's requests may have been recorded. */
export type CaptureFolders = Readonly<Partial<Record<CapturedAgent, readonly string[]>>>;

/**
 * The captures of a session as far as they were read: once the session has grown, only new files and
 * added lines are read. It can be sent to another thread.
 */
export interface CapturesRead {
  /** Of Claude Code, by folder. */
  readonly folders: Map<string, FolderRead>;
  /** Of Codex, by bundle. */
  readonly bundles: Map<string, BundleRead>;
}

/** A recording, with the requests that were captured while it was made. */
interface Joined {
  readonly transcript: Transcript;
  readonly captured: CapturedSession;
  readonly capturesRead: CapturesRead;
}

/**
 * Joins a recording with the requests captured for it: these also have the system prompt and the
 * tools that its file lacks. `text` is that of the file. A debug log of VS Code's agent holds its own
 * requests; a file that is a recorded request itself has that one request, for its last step. `capturesRead` is the result for the session so far.
 */
export async function joinCaptures(
  text: string,
  transcript: Transcript,
  folders: CaptureFolders,
  file: string,
  capturesRead: CapturesRead = { folders: new Map(), bundles: new Map() },
): Promise<Joined> {
  if (isRequestFile(file)) {
    return { transcript, captured: onlyRequest(file, transcript), capturesRead };
  }
  const { format } = transcript;
  let captured =
    format === 'vscode-debug-log' ? debugLogRequests(file, text, transcript) : NOTHING_CAPTURED;
  if (isCapturedAgent(format)) {
    const steps = stepsOf(transcript);
    for (const folder of folders[format] ?? []) {
      const more =
        format === 'codex'
          ? await codexTraces(folder, text, steps, capturesRead.bundles)
          : await claudeCodeCaptures(folder, text, steps, capturesRead.folders);
      captured = {
        steps: new Map([...more.steps, ...captured.steps]),
        others: new Map([...more.others, ...captured.others]),
      };
    }
  }
  const newest = captured.steps.get(Math.max(...captured.steps.keys()));
  const read = newest === undefined ? undefined : await capturedBody(newest);
  return {
    transcript: read?.ok === true ? withParts(transcript, read.body) : transcript,
    captured,
    capturesRead,
  };
}

function onlyRequest(file: string, transcript: Transcript): CapturedSession {
  const last = stepsOf(transcript).at(-1);
  const reply = transcript.entries.findLast(({ type }) => type === 'reply');
  if (last === undefined || reply?.type !== 'reply') return NOTHING_CAPTURED;
  const call = { model: reply.model, request: { file }, before: [] };
  const counted = last.usage === undefined ? call : { ...call, usage: last.usage };
  return { steps: new Map([[last.number, counted]]), others: new Map() };
}

function isCapturedAgent(format: TranscriptFormat): format is CapturedAgent {
  return (CAPTURED_AGENTS as readonly TranscriptFormat[]).includes(format);
}

/** The recording with the system prompt and the tools of a request, where it has none. */
function withParts(transcript: Transcript, { raw, sections }: CapturedBody): Transcript {
  const { system, tools } = transcript;
  const prompt = sections
    .filter(({ id }) => id.startsWith('system-'))
    .flatMap(({ parts }) => parts.map(({ text }) => text));
  const listed: readonly unknown[] = Array.isArray(raw['tools']) ? raw['tools'] : [];
  return {
    ...transcript,
    system: system === '' ? prompt.join('\n\n') : system,
    tools: tools.length === 0 ? listed.flatMap(toolOf) : tools,
  };
}

/** The API accepts no other names for tools, and each once. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

function toolOf(tool: unknown): readonly ToolDefinition[] {
  if (!isObject(tool)) return [];
  const { name, description, input_schema: schema, parameters } = tool;
  const shape = schema ?? parameters;
  if (typeof name !== 'string' || !TOOL_NAME.test(name) || !isObject(shape)) return [];
  const said = typeof description === 'string' ? description : '';
  return [{ name, description: said, inputSchema: { ...shape, type: 'object' } }];
}
