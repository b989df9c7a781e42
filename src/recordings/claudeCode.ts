import * as z from 'zod/mini';
import {
  messageContent,
  readReplyParts,
  readTool,
  type ImportAids,
  readResults,
  readContent,
  readUserContent,
  type MessageContent,
} from './messages';
import { type JsonLine, placeOf, shapedPart } from './readJson';
import {
  messagesIn,
  type Read,
  type RecordedCompaction,
  type RecordedItem,
  type RecordedMessage,
  type RecordedReply,
  recordedUsage,
  type Recording,
  textIn,
} from './recordedItem';
import { isObject } from '../contextWindow/json';

const assistantLine = z.object({
  isApiErrorMessage: z.nullish(z.boolean()),
  message: z.object({
    id: z.optional(z.string().check(z.minLength(1))),
    model: z._default(z.string(), ''),
    content: messageContent,
    usage: z.nullish(z.record(z.string(), z.unknown())),
  }),
});

/** Reads a Claude Code session: one line for each content block, in the order of the file. */
export function readClaudeCode(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const { own, isSubagent } = ownLines(lines, aids);
  const expansions = expansionsOf(own);
  const items: RecordedItem[] = [];
  const compactions = new ClaudeCodeCompactions(items, own);
  const shapes = new Map<unknown, unknown>();
  let shape: unknown;
  for (const { line, value } of own) {
    switch (value['type']) {
      case 'assistant': {
        const read = shapedPart(assistantLine, value, placeOf(line, aids));
        const reply = read === undefined ? undefined : readReply(read, line, aids);
        if (reply !== undefined) items.push(reply);
        break;
      }
      case 'user': {
        const read = shapedPart(userLine, value, placeOf(line, aids));
        if (read === undefined) break;
        for (const item of readUserLine(read, line, expansions, aids)) {
          if (item.type === 'compacted') compactions.takeSummary(item, read.parentUuid);
          else items.push(item);
        }
        break;
      }
      case 'system':
        compactions.takeBoundary(value, line);
        break;
      case 'api-request-shape':
        shapes.set(value['shapeHash'], value['shape']);
        break;
      case 'api-request': {
        if (!STEPS.test(textIn(value['querySource']))) break;
        const { shapeHash } = value;
        if (shape !== undefined && shape !== shapeHash) {
          items.push({ type: 'changed', line, what: 'preamble' });
        }
        shape = shapeHash;
        break;
      }
      case 'progress':
        if (isResume(value['data'])) items.push({ type: 'resumed', line });
        break;
      case 'attachment':
        if (isResume(value['attachment'])) items.push({ type: 'resumed', line });
        items.push(...readQueuedPrompt(value['attachment'], line));
        items.push(...readInstruction(value['attachment'], line));
        if (removesTools(value['attachment'])) {
          items.push({ type: 'changed', line, what: 'preamble' });
        }
        compactions.takeFile(value['attachment']);
        break;
    }
  }
  const by = isSubagent ? { promptsByAgent: 'all' as const } : {};
  return { ok: true, value: { ...preambleOf(shapes.get(shape), aids), ...by, items } };
}

/** The purposes of requests that are steps, in the file and in what it records of its requests. */
export const STEPS = /^(?:repl_main_thread|sdk|agent:|hook_agent)/;

/** System prompt and tools, which newer versions record (seen in 2.1.332); empty for older ones. */
function preambleOf(shape: unknown, aids: ImportAids): Pick<Recording, 'system' | 'tools'> {
  const { system, tools } = isObject(shape) ? shape : {};
  const said = messageContent.safeParse(system);
  const parts = said.success && typeof said.data !== 'string' ? said.data : [];
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return {
    system: parts.map((part) => textIn(part['text'])).join('\n\n'),
    tools: list.flatMap((tool) => readTool(tool, aids)),
  };
}

interface OwnLines {
  readonly own: readonly JsonLine[];
  readonly isSubagent: boolean;
}

/** Leaves out repeated lines, and those of subagents unless the file is a subagent's own. */
function ownLines(lines: readonly JsonLine[], { leftOut }: ImportAids): OwnLines {
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
    return { own: once, isSubagent: true };
  }
  leftOut.add('subagentLine', talk.filter(isSidechain).length);
  return { own: once.filter((line) => !isSidechain(line)), isSubagent: false };
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
  const written = fields?.['cache_creation'];
  const usage = recordedUsage({
    input: fields?.['input_tokens'],
    cacheCreation: fields?.['cache_creation_input_tokens'],
    cacheCreation1h: isObject(written) ? written['ephemeral_1h_input_tokens'] : undefined,
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

/** A prompt typed while the agent was working, given to the model between two steps. */
function readQueuedPrompt(attachment: unknown, line: number): readonly RecordedItem[] {
  if (!isObject(attachment) || attachment['type'] !== 'queued_command') return [];
  const { prompt: text, commandMode } = attachment;
  if (typeof text !== 'string' || commandMode === 'task-notification') return [];
  return [{ type: 'prompt', line, text, attachments: [] }];
}

/** A hook at the start of the agent says that it resumed the session; without hooks none does. */
function isResume(hook: unknown): boolean {
  return isObject(hook) && hook['hookName'] === 'SessionStart:resume';
}

/**
 * Tools of a server that is gone left every later request. Added ones come after the messages, so they
 * change nothing before these.
 */
function removesTools(attachment: unknown): boolean {
  if (!isObject(attachment) || attachment['type'] !== 'deferred_tools_delta') return false;
  return textsIn(attachment['removedNames']).length > 0;
}

/** A rule for some paths, or a nested CLAUDE.md, given to the model with a matching file. */
function readInstruction(attachment: unknown, line: number): readonly RecordedItem[] {
  if (!isObject(attachment) || attachment['type'] !== 'nested_memory') return [];
  const { path } = attachment;
  return typeof path === 'string' && path !== '' ? [{ type: 'instruction', line, path }] : [];
}

/** A user line: typed text, tool results, or Claude Code's own additions. */
const userLine = z.object({
  uuid: z.optional(z.string()),
  parentUuid: z.nullish(z.string()),
  isMeta: z.nullish(z.boolean()),
  isCompactSummary: z.nullish(z.boolean()),
  origin: z.optional(z.unknown()),
  message: z.object({ content: messageContent }),
});

type UserLine = z.output<typeof userLine>;

/** Claude Code's own lines around a slash command, or a command of the shell. */
export const LOCAL_COMMAND = /^\s*<(?:command-name|command-message|local-command-\w+|bash-\w+)>/;
const INTERRUPT_MARK = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;

/** The text each slash command stands for, by the uuid of the line with the command. */
function expansionsOf(lines: readonly JsonLine[]): ReadonlyMap<string, string> {
  const commands = new Set<string>();
  const expansions = new Map<string, string>();
  for (const { value } of lines) {
    const read = value['type'] === 'user' ? userLine.safeParse(value) : undefined;
    if (read?.success !== true) continue;
    const { uuid, parentUuid, isMeta } = read.data;
    const text = plainText(read.data.message.content);
    if (isMeta !== true && uuid !== undefined && LOCAL_COMMAND.test(text)) commands.add(uuid);
    const isOfCommand = typeof parentUuid === 'string' && commands.has(parentUuid);
    if (isMeta === true && isOfCommand && !LOCAL_COMMAND.test(text))
      expansions.set(parentUuid, text);
  }
  return expansions;
}

/** Reads one user line. */
function readUserLine(
  value: UserLine,
  line: number,
  expansions: ReadonlyMap<string, string>,
  aids: ImportAids,
): readonly RecordedItem[] {
  const { content } = value.message;
  if (value.isCompactSummary === true) {
    return [{ type: 'compacted', line, summary: readContent(content, aids).text }];
  }
  if (value.isMeta === true) {
    if (!expansions.has(value.parentUuid ?? '')) aids.leftOut.add('injectedText');
    return readResults(content, aids);
  }
  const text = plainText(content);
  if (LOCAL_COMMAND.test(text)) {
    const expansion = expansions.get(value.uuid ?? '');
    if (expansion === undefined) {
      aids.leftOut.add('commandLine');
      return readResults(content, aids);
    }
    return [
      { type: 'prompt', line, text: `${typedCommand(text)}\n\n${expansion}`, attachments: [] },
    ];
  }
  if (INTERRUPT_MARK.test(text)) {
    aids.leftOut.add('interruptMark');
    return readResults(content, aids);
  }
  const items = readUserContent(content, aids, line);
  // A sub-agent or a command in the background reports: the user typed none of it.
  const isReport = isObject(value.origin) && value.origin['kind'] === 'task-notification';
  return isReport
    ? items.map((item) => (item.type === 'prompt' ? { ...item, byAgent: true } : item))
    : items;
}

/** Only the text parts, by which a wrapper or a mark is recognised. */
function plainText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [textIn(part['text'])] : [])).join('\n');
}

/** A slash command as the user typed it. */
export function typedCommand(text: string): string {
  return [tagged(text, 'command-name'), tagged(text, 'command-args')].join(' ').trim();
}

function tagged(text: string, tag: string): string {
  return new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? '';
}

type Fields = JsonLine['value'];

/** A boundary whose summary has not come yet. */
interface OpenBoundary {
  /** The uuid of its line; the line of its summary names it as its parent. */
  readonly uuid: unknown;
  /** Its index among the items. */
  readonly at: number;
}

/**
 * Puts the compactions of a Claude Code session among its items. A compaction is a boundary and, on
 * a later line, its summary; other lines can come in between.
 */
class ClaudeCodeCompactions {
  #open: OpenBoundary[] = [];
  readonly #lineOf: ReadonlyMap<unknown, number>;

  /** Adds to `items`; `lines` are those of the session itself. */
  constructor(
    private readonly items: RecordedItem[],
    lines: readonly JsonLine[],
  ) {
    this.#lineOf = new Map(
      lines.flatMap(({ line, value: { uuid } }) =>
        typeof uuid === 'string' ? [[uuid, line] as const] : [],
      ),
    );
  }

  /** Handles a system line if it marks a compaction. */
  takeBoundary(value: Fields, line: number): void {
    if (value['subtype'] === 'compact_boundary') {
      const metadata = value['compactMetadata'];
      const kept = this.#keptBy(metadata);
      const isByUser = isObject(metadata) && metadata['trigger'] === 'manual';
      this.#open.push({ uuid: value['uuid'], at: this.items.length });
      const by = isByUser ? { byUser: true as const } : {};
      this.items.push({ type: 'compacted', line, kept, ...by });
    } else if (value['subtype'] === 'microcompact_boundary') {
      const metadata = value['microcompactMetadata'];
      const clearedCallIds = textsIn(isObject(metadata) ? metadata['compactedToolIds'] : undefined);
      this.items.push({ type: 'compacted', line, clearedCallIds });
    }
  }

  /** Adds a summary to its boundary; a summary without a boundary stands alone. */
  takeSummary(summary: RecordedCompaction, parentUuid: string | null | undefined): void {
    const own = this.#open.find(({ uuid }) => typeof uuid === 'string' && uuid === parentUuid);
    const at = (own ?? this.#open.findLast((open) => this.#isUnanswered(open)))?.at;
    const boundary = this.items[at ?? -1];
    if (at === undefined || boundary?.type !== 'compacted') {
      this.items.push(summary);
      return;
    }
    this.#open = this.#open.filter((open) => open.at !== at);
    this.items[at] = { ...summary, ...boundary };
  }

  /** Takes a file that Claude Code adds again after a compaction; one with a prompt is a mention. */
  takeFile(attachment: unknown): void {
    const last = this.items.at(-1);
    const path = wholeFileIn(attachment);
    if (last?.type !== 'compacted' || path === undefined) return;
    this.items[this.items.length - 1] = { ...last, addedFiles: [...(last.addedFiles ?? []), path] };
  }

  /** Says that no reply came since: the model cannot have continued without the summary. */
  #isUnanswered({ at }: OpenBoundary): boolean {
    return this.items.slice(at).every(({ type }) => type !== 'reply');
  }

  /** What a boundary keeps: the messages it names, or all from one to another. */
  #keptBy(metadata: unknown): readonly RecordedMessage[] {
    const { preservedMessages: named, preservedSegment: segment } = isObject(metadata)
      ? metadata
      : {};
    const uuids = isObject(named) ? textsIn(named['uuids']) : [];
    if (uuids.length > 0) {
      const lines = new Set(uuids.flatMap((uuid) => this.#lineOf.get(uuid) ?? []));
      return this.#messagesFrom(Math.min(...lines), (line) => lines.has(line));
    }
    if (!isObject(segment)) return [];
    const [from, to] = [segment['headUuid'], segment['tailUuid']].map((one) =>
      this.#lineOf.get(one),
    );
    return from === undefined || to === undefined
      ? []
      : this.#messagesFrom(from, (line) => line <= to);
  }

  /** Messages from a line on; looked for from the end, since a session may have thousands of boundaries. */
  #messagesFrom(first: number, isKept: (line: number) => boolean): readonly RecordedMessage[] {
    const before = this.items.findLastIndex(
      (item) => 'line' in item && item.line !== undefined && item.line < first,
    );
    return messagesIn(this.items.slice(before + 1)).filter(({ line = 0 }) => isKept(line));
  }
}

/** The path of an attached file that has all of its lines; undefined for any other attachment. */
function wholeFileIn(attachment: unknown): string | undefined {
  if (!isObject(attachment) || attachment['type'] !== 'file') return undefined;
  const { filename, content, truncated } = attachment;
  const file = isObject(content) ? content['file'] : undefined;
  if (typeof filename !== 'string' || !isObject(file) || truncated === true) return undefined;
  return file['numLines'] === file['totalLines'] ? filename : undefined;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
