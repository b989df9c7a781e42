import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { callName, type ImportAids, readContent } from './messages';
import { type JsonValue, shapedFile, shapedPart } from './readJson';
import {
  newestPrompts,
  type Read,
  type RecordedItem,
  type RecordedOutcome,
  type RecordedPart,
  type Recording,
  recordedUsage,
  textIn,
} from './recordedItem';

type Fields = Readonly<Record<string, unknown>>;

const thread = z.looseObject({
  messages: z.array(z.unknown()),
  model: z.nullish(z.looseObject({ model: z._default(z.string(), '') })),
  request_token_usage: z.optional(z.unknown()),
});

const toolUse = z.looseObject({ id: z.string(), name: callName });

/**
 * A message of versions 0.1 and 0.2 of the format, and before (crates/agent/src/legacy_thread.rs in
 * zed-industries/zed).
 */
const earlier = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  text: z.optional(z.string()),
  context: z.optional(z.string()),
  segments: z._default(z.array(z.looseObject({ type: z.string() })), []),
  tool_uses: z._default(z.array(toolUse), []),
  tool_results: z._default(z.array(z.looseObject({ tool_use_id: z.string() })), []),
});

/**
 * Reads a thread of Zed, as its database holds it. In version 0.3 (crates/agent/src/db.rs and
 * thread.rs) a message is `{User}` or `{Agent}`, an agent's with the results of its calls, and the
 * usage of the newest request since a prompt is under the prompt's id.
 */
export function readZed(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(thread, value, 'zed');
  if (!read.ok) return read;
  const { messages, model, request_token_usage: usages } = read.value;
  const reader = new ThreadReader(model?.model ?? '', isObject(usages) ? usages : {}, aids);
  messages.forEach((one, index) => reader.read(one, `message ${index + 1}`));
  return { ok: true, value: { system: '', tools: [], items: reader.items } };
}

class ThreadReader {
  readonly items: RecordedItem[] = [];
  /** The id of the last prompt. */
  #prompt = '';

  /** A message without content asked for a compaction. */
  #isAsked = false;

  constructor(
    private readonly model: string,
    private readonly usages: Fields,
    private readonly aids: ImportAids,
  ) {}

  read(one: unknown, place: string): void {
    // Zed sent the conversation again after an error.
    if (one === 'Resume') return;
    if (!isObject(one)) this.aids.leftOut.addUnreadable(place, 'it is not a message.');
    else if (isObject(one['User'])) this.#readUser(one['User']);
    else if (isObject(one['Agent'])) this.#readAgent(one['Agent'], place);
    else if (isObject(one['Compaction'])) this.#readCompaction(one['Compaction']);
    else if ('role' in one) this.#readEarlier(one, place);
    else this.aids.leftOut.add('unknownPart');
  }

  /** Since 1.7; a provider's own compaction has no text. A message without content asked for it. */
  #readCompaction({ Summary: said }: Fields): void {
    const summary = textIn(said);
    const by = this.#isAsked ? { byUser: true as const } : {};
    this.#isAsked = false;
    this.items.push({
      type: 'compacted',
      ...(summary.trim() === '' ? {} : { summary }),
      kept: newestPrompts(this.items),
      ...by,
    });
  }

  #readUser({ id, content }: Fields): void {
    this.#prompt = textIn(id);
    this.#isAsked = Array.isArray(content) && content.length === 0;
    if (this.#isAsked) return;
    const parts = listIn(content).map((part) => {
      if (!isObject(part)) return { type: 'unknown' };
      const { Text: text, Mention: mention, Image: image } = part;
      if (typeof text === 'string') return { type: 'text', text };
      if (isObject(mention)) return { type: 'text', text: textIn(mention['content']) };
      return isObject(image) ? pictureOf(image) : { type: 'unknown' };
    });
    this.#addPrompt(parts);
  }

  #addPrompt(parts: readonly { readonly type: string }[]): void {
    const said = readContent([...parts], this.aids);
    if (said.text.trim() !== '' || said.attachments.length > 0) {
      this.items.push({ type: 'prompt', ...said });
    } else this.aids.leftOut.add('emptyPrompt');
  }

  #readAgent({ content, tool_results: results }: Fields, place: string): void {
    const parts = listIn(content).flatMap((part) => this.#replyPart(part, place));
    this.#addReply(parts);
    for (const [id, result] of Object.entries(isObject(results) ? results : {})) {
      if (isObject(result)) this.items.push(this.#outcome(id, result));
    }
  }

  #replyPart(part: unknown, place: string): readonly RecordedPart[] {
    const { leftOut } = this.aids;
    const { Text: text, ToolUse: use } = isObject(part) ? part : {};
    if (typeof text === 'string') return [{ type: 'text', text }];
    if (use !== undefined) return this.#call(use, place);
    const isThinking = isObject(part) && ('Thinking' in part || 'RedactedThinking' in part);
    leftOut.add(isThinking ? 'thinking' : 'unknownPart');
    return [];
  }

  #call(use: unknown, place: string): readonly RecordedPart[] {
    const within = 'a call';
    const read = shapedPart(toolUse, use, { leftOut: this.aids.leftOut, place, within });
    if (read === undefined) return [];
    const { id, name } = read;
    const input = inputOf(read['input']);
    return [{ type: 'call', id, name, input: isObject(input) ? input : {} }];
  }

  /** The last reply to a prompt is the one that Zed keeps the usage of. */
  #addReply(parts: readonly RecordedPart[]): void {
    const counted = this.usages[this.#prompt];
    const {
      input_tokens: input,
      output_tokens: output,
      ...cache
    } = isObject(counted) ? counted : {};
    const cacheCreation = cache['cache_creation_input_tokens'];
    const cacheRead = cache['cache_read_input_tokens'];
    const usage = recordedUsage({ input, output, cacheCreation, cacheRead });
    const before = this.items.findLastIndex(({ type }) => type === 'reply' || type === 'prompt');
    const last = this.items[before];
    if (last?.type === 'reply') {
      const { usage: _moved, ...rest } = last;
      this.items[before] = rest;
    }
    const { model } = this;
    this.items.push({ type: 'reply', model, parts, ...(usage === undefined ? {} : { usage }) });
  }

  #outcome(callId: string, { is_error: isError, content }: Fields): RecordedOutcome {
    const read = readContent(listIn(content, [content]).map(resultPart), this.aids);
    return { type: 'result', callId, isError: isError === true, ...read };
  }

  #readEarlier(one: Fields, place: string): void {
    const { leftOut } = this.aids;
    const read = shapedPart(earlier, one, { leftOut, place });
    if (read === undefined) return;
    const { role, text, context = '', segments, tool_uses: uses, tool_results: results } = read;
    const texts = [...(text === undefined ? [] : [{ type: 'text', text }]), ...segments].filter(
      ({ type }) => type === 'text',
    );
    leftOut.add(
      'thinking',
      segments.length - segments.filter(({ type }) => type === 'text').length,
    );
    if (role === 'assistant') {
      this.#addReply([
        ...texts.map((part) => ({ type: 'text' as const, text: textIn(part['text']) })),
        ...uses.flatMap((use) => this.#call(use, place)),
      ]);
    }
    // In 0.1 the user's next message has the results, and a text that is not sent.
    for (const result of results) this.items.push(this.#outcome(result.tool_use_id, result));
    if (role !== 'user' || results.length > 0) return;
    this.#addPrompt(context === '' ? texts : [{ type: 'text', text: context }, ...texts]);
  }
}

/** Newer versions name the form of an input: `{type: 'json', value}`, or a text. */
function inputOf(input: unknown): unknown {
  if (!isObject(input) || Object.keys(input).length !== 2) return input;
  const { type, value } = input;
  if (type === 'json' && 'value' in input) return value;
  return type === 'text' && typeof value === 'string' ? { input: value } : input;
}

/** A text, `{Text}`, `{type: 'text', text}`, or an image, in any of the forms Zed reads. */
function resultPart(part: unknown): { readonly type: string; readonly text?: string } {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isObject(part)) return { type: 'text', text: '' };
  const text = part['Text'] ?? part['text'];
  if (typeof text === 'string') return { type: 'text', text };
  const image = part['Image'] ?? part['image'] ?? part;
  return isObject(image) ? pictureOf(image) : { type: 'unknown' };
}

/** Zed keeps images as PNG. */
function pictureOf({ source }: Fields) {
  return { type: 'image', source: { media_type: 'image/png', data: source } };
}

function listIn(value: unknown, otherwise: readonly unknown[] = []): readonly unknown[] {
  return Array.isArray(value) ? value : otherwise;
}

/** Whether a value is a thread of Zed. */
export function isOfZed({ messages, updated_at: at, title, summary }: Fields): boolean {
  if (!Array.isArray(messages) || typeof at !== 'string') return false;
  if (typeof (title ?? summary) !== 'string') return false;
  // A later version may have other messages, too; so may a damaged thread.
  const isNamed = (one: unknown) => isObject(one) && ('User' in one || 'Agent' in one);
  return messages.some(isNamed) || messages.every(isZedMessage);
}

function isZedMessage(one: unknown): boolean {
  if (one === 'Resume') return true;
  if (!isObject(one)) return false;
  return (
    'User' in one ||
    'Agent' in one ||
    'Compaction' in one ||
    'segments' in one ||
    ('text' in one && 'id' in one)
  );
}
