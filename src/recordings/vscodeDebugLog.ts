import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { refused } from '../contextWindow/result';
import { callName, type ImportAids, readContent, readFunctionTools } from './messages';
import { isTooDeep, type JsonLine, parsed } from './readJson';
import {
  type Read,
  readCallArguments,
  type RecordedItem,
  type RecordedMessage,
  type RecordedPart,
  type RecordedReply,
  type Recording,
  textIn,
  usageOfWholeInput,
} from './recordedItem';

type Fields = JsonLine['value'];

/*
 * The debug log of VS Code's agent (`debug-logs/<session>/main.jsonl`, written if
 * `github.copilot.chat.agentDebugLog.fileLogging.enabled` is set; chatDebugFileLoggerService.ts and
 * messageFormatters.ts in microsoft/vscode, version 1 of the log). Each request is there whole, as
 * messages by the GenAI conventions of OpenTelemetry; the text of a response is cut after 5,000
 * characters, but the next request has it. System prompt and tools are in files beside the log,
 * which come as lines of type `file`.
 */

const part = z.looseObject({ type: z.string() });

const message = z.object({
  role: z.nullish(z.string()),
  parts: z._default(z.array(part), []),
});

type Message = z.output<typeof message>;

const list = z.array(message);

const ENTRY_TYPES: readonly string[] = ['session_start', 'llm_request', 'user_message'];

/** Says whether a line is one of such a log. */
export function isOfVsCodeDebugLog({ type, sid, attrs }: Fields): boolean {
  return ENTRY_TYPES.includes(textIn(type)) && typeof sid === 'string' && isObject(attrs);
}

/** Whether a name is that of a file next to a log, with a system prompt or with tools. */
export function isNextToLog(name: unknown): name is string {
  return typeof name === 'string' && /^(?:system_prompt|tools)_\d+\.json$/.test(name);
}

/** The line that stands for a file beside the log. */
export function lineOfFile(name: string, content: unknown): string {
  return `${JSON.stringify({ type: 'file', name, content })}\n`;
}

/** The file that such a line stands for; undefined for a line of the log. */
export function nameOfFileLine(line: string): string | undefined {
  return /^\{"type":"file","name":"(\w+\.json)"/.exec(line)?.[1];
}

/** Reads the requests of such a log as one conversation. */
export function readVsCodeDebugLog(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const files = new Map<unknown, unknown>();
  const conversation = new Conversation(aids);
  let newest: Fields = {};
  for (const { line, value } of lines) {
    const attrs = isObject(value['attrs']) ? value['attrs'] : {};
    if (value['type'] === 'file') files.set(value['name'], value['content']);
    else if (value['type'] === 'llm_request') {
      if (conversation.request(line, value, attrs)) newest = attrs;
    } else if (value['type'] === 'agent_response') conversation.response(textIn(attrs['response']));
  }
  const items = conversation.end();
  if (items.length === 0) return refused('it holds no request with its messages.');
  const own = conversation.system;
  const system = systemOf(files.get(newest['systemPromptFile']));
  const listed = files.get(newest['toolsFile']);
  const tools = readFunctionTools(inner(listed) ?? listed, aids);
  return { ok: true, value: { system: system === '' ? own : system, tools, items } };
}

/** A request that waits for the text of its reply. */
interface Waiting {
  readonly line: number;
  readonly attrs: Fields;
  /** When the reply was whole; ms since the epoch. */
  readonly at: { readonly at?: number };
  reply?: Message;
}

/** Puts the messages of one request after another together. */
class Conversation {
  /** The messages of the last request, and how many items there were before each. */
  #sent: readonly Message[] = [];
  #startOf: number[] = [];
  readonly #items: RecordedItem[] = [];
  readonly #itemOf = new Map<string, RecordedMessage>();
  #waiting: Waiting | undefined;
  /** A request that continued nothing; another conversation if a later one continues it. */
  #aside: readonly Message[] = [];
  system = '';

  constructor(private readonly aids: ImportAids) {}

  /** Takes a request; false for one that is not of this conversation. */
  request(line: number, { ts, dur }: Fields, attrs: Fields): boolean {
    const read = list.safeParse(inner(attrs['inputMessages']));
    if (!read.success) {
      if (attrs['inputMessages'] !== undefined) {
        this.aids.leftOut.addUnreadable(`line ${line}`, 'its messages are not in a known form.');
      }
      return false;
    }
    const messages = read.data.filter((one) => !isSystem(one));
    if (!this.#continue(messages)) {
      this.#aside = messages;
      this.aids.leftOut.add('otherRequest');
      return false;
    }
    const system = read.data.filter(isSystem).map(textOfMessage);
    if (system.length > 0) this.system = system.join('\n\n');
    this.#sent = messages;
    const ended = Number(ts) + Number(dur ?? 0);
    this.#waiting = { line, attrs, at: Number.isFinite(ended) ? { at: ended } : {} };
    return true;
  }

  /** Adds the new messages of a request; false if it continues no earlier one. */
  #continue(messages: readonly Message[]): boolean {
    const shared = sharedStart(this.#sent, messages);
    if (shared === this.#sent.length) {
      this.#sent.forEach((one, index) => {
        const item = this.#itemOf.get(keyOf(one));
        const now = messages[index];
        if (item !== undefined && now !== undefined) this.#itemOf.set(keyOf(now), item);
      });
      if (messages[shared]?.role !== 'assistant') this.#drop();
      this.#add(messages.slice(shared));
      return true;
    }
    const summary = messages.findLastIndex((one) => summaryIn(textOfMessage(one)) !== undefined);
    if (summary !== -1) {
      this.#compact(messages, summary);
      return true;
    }
    const isOther = this.#aside.length > 0 && messages.length > this.#aside.length;
    const isNew = isOther && sharedStart(this.#aside, messages) === this.#aside.length;
    if (shared === 0 && !isNew) return false;
    this.#goBack(isNew ? 0 : shared);
    this.#add(messages.slice(isNew ? 0 : shared));
    return true;
  }

  /** Takes the reply to the last request; one that was cut is not readable. */
  response(text: string): void {
    const read = list.safeParse(inner(text));
    if (read.success && this.#waiting !== undefined) this.#waiting.reply ??= read.data[0];
  }

  end(): readonly RecordedItem[] {
    this.#drop();
    return this.#items;
  }

  /** A request with a summary in place of earlier messages; some others may have stayed. */
  #compact(messages: readonly Message[], at: number): void {
    // The reply to the request before is in no later one.
    this.#drop();
    const kept = messages.flatMap((one) => this.#itemOf.get(keyOf(one)) ?? []);
    const isNew = (one: Message, index: number) => index > at && !this.#itemOf.has(keyOf(one));
    const firstNew = messages.findIndex(isNew);
    const summary = summaryIn(textOfMessage(messages[at])) ?? '';
    this.#items.push({ type: 'compacted', summary, ...(kept.length === 0 ? {} : { kept }) });
    const start = firstNew === -1 ? messages.length : firstNew;
    this.#startOf = messages.slice(0, start).map(() => this.#items.length);
    this.#add(messages.slice(start));
  }

  /** The user went back to an earlier message; later replies were charged all the same. */
  #goBack(shared: number): void {
    this.#drop();
    const undone = this.#items.splice(this.#startOf[shared] ?? this.#items.length);
    this.#startOf.length = Math.min(this.#startOf.length, shared);
    this.aids.leftOut.add('otherBranch', undone.filter(({ type }) => type !== 'result').length);
    for (const item of undone) {
      if (item.type === 'charged') this.#items.push(item);
      if (item.type !== 'reply' || item.usage === undefined) continue;
      const charge = { model: item.model, usage: item.usage };
      this.#items.push({ type: 'charged', charge });
    }
  }

  /** The reply of the last request, when no later one repeats it. */
  #drop(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (waiting.reply !== undefined) {
      const said = { ...waiting.reply, role: 'assistant' };
      const reply = this.#reply(said);
      this.#items.push(reply);
      this.#itemOf.set(keyOf(said), reply);
      return;
    }
    this.#waiting = undefined;
    const usage = usageOf(waiting.attrs);
    if (usage === undefined) return;
    const charge = { model: textIn(waiting.attrs['model']), usage };
    this.#items.push({ type: 'charged', charge });
  }

  #add(messages: readonly Message[]): void {
    for (const one of messages) {
      this.#startOf.push(this.#items.length);
      const read = one.role === 'assistant' ? [this.#reply(one)] : readInput(one, this.aids);
      for (const item of read) {
        this.#items.push(item);
        if (item.type === 'prompt' || item.type === 'reply') this.#itemOf.set(keyOf(one), item);
      }
    }
  }

  #reply({ parts }: Message): RecordedReply {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const { leftOut } = this.aids;
    const read = parts.flatMap((each): readonly RecordedPart[] => {
      switch (each.type) {
        case 'text':
          return [{ type: 'text' as const, text: textIn(each['content']) }];
        case 'tool_call': {
          const name = callName.safeParse(each['name']);
          const input = readCallArguments(each['arguments'], leftOut);
          const id = textIn(each['id']);
          return [{ type: 'call' as const, id, name: name.success ? name.data : 'unnamed', input }];
        }
        case 'reasoning':
          leftOut.add('thinking');
          return [];
      }
      leftOut.add('unknownPart');
      return [];
    });
    const usage = waiting === undefined ? undefined : usageOf(waiting.attrs);
    return {
      type: 'reply',
      ...(waiting === undefined ? {} : { line: waiting.line, ...waiting.at }),
      model: textIn(waiting?.attrs['model']),
      parts: read,
      ...(usage === undefined ? {} : { usage }),
    };
  }
}

/** A prompt, or the results of calls. */
function readInput({ parts }: Message, aids: ImportAids): readonly RecordedItem[] {
  const results = parts.flatMap((each): readonly RecordedItem[] => {
    if (each.type !== 'tool_call_response') return [];
    const text = textOfResponse(each['response']);
    return [{ type: 'result', callId: textIn(each['id']), text, isError: false, attachments: [] }];
  });
  const said = readContent(
    parts.flatMap((each) => {
      switch (each.type) {
        case 'tool_call_response':
          return [];
        case 'text':
          return [{ type: 'text', text: textIn(each['content']) }];
        case 'blob': {
          const type = each['modality'] === 'document' ? 'document' : 'image';
          const source = { media_type: each['mime_type'], data: each['content'] };
          return [{ type, source }];
        }
        case 'uri':
        case 'file':
          return [{ type: 'image' }];
      }
      return [{ type: each.type }];
    }),
    aids,
  );
  const isEmpty = said.text.trim() === '' && said.attachments.length === 0;
  return isEmpty ? results : [...results, { type: 'prompt', ...said }];
}

function textOfResponse(response: unknown): string {
  if (typeof response === 'string') return response;
  if (!Array.isArray(response)) return JSON.stringify(response ?? '');
  return response.map((each) => textOfBlock(each)).join('\n');
}

function textOfBlock(block: unknown): string {
  if (!isObject(block)) return textIn(block);
  return textIn(block['text'] ?? block['content'] ?? block['value']);
}

function textOfMessage(one: Message | undefined): string {
  const texts = (one?.parts ?? []).filter(({ type }) => type === 'text');
  return texts.map((each) => textIn(each['content'])).join('\n');
}

/** The text that Copilot Chat puts in place of earlier messages. */
function summaryIn(text: string): string | undefined {
  const [, summary] =
    /<conversation-summary>\n?([^]*?)\n?<\/conversation-summary>/.exec(text) ?? [];
  return summary;
}

/**
 * How many messages at the start of two requests are the same ones. Copilot
 * Chat writes a prompt differently once a newer one follows.
 */
function sharedStart(sent: readonly Message[], messages: readonly Message[]): number {
  let same = 0;
  for (const [index, one] of sent.entries()) {
    const other = messages[index];
    if (other === undefined) return same;
    const isSame = keyOf(one) === keyOf(other);
    if (!isSame && !isPromptAgain(one, other)) return same;
    if (isSame) same = index + 1;
  }
  return messages.length > sent.length ? sent.length : same;
}

function isPromptAgain(one: Message, other: Message): boolean {
  if (one.role !== 'user' || other.role !== 'user') return false;
  const [was, is] = [textOfMessage(one), textOfMessage(other)];
  if (was === '' || is === '' || summaryIn(is) !== undefined) return false;
  const [asked, askedNow] = [requestIn(was), requestIn(is)];
  if (asked !== undefined && askedNow !== undefined) return asked === askedNow;
  return was.includes(is) || is.includes(was);
}

/** The user's own words in a prompt of Copilot Chat. */
function requestIn(text: string): string | undefined {
  return /<userRequest>([^]*?)<\/userRequest>/.exec(text)?.[1]?.trim();
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

/** The value of a JSON text within the log; undefined for one nested more deeply than any request. */
function inner(text: unknown): unknown {
  const written = textIn(text);
  return isTooDeep(written) ? undefined : parsed(written);
}

function keyOf(one: Message): string {
  return JSON.stringify(one);
}

function usageOf(attrs: Fields) {
  return usageOfWholeInput({
    input: attrs['inputTokens'],
    cacheCreation: 0,
    cacheRead: attrs['cachedTokens'],
    output: attrs['outputTokens'],
  });
}

/** The content of `system_prompt_N.json`: a list of texts, as JSON. */
function systemOf(content: unknown): string {
  const texts = inner(content) ?? content;
  if (!Array.isArray(texts)) return textIn(texts);
  return texts.map((each) => textOfBlock(each)).join('\n\n');
}
