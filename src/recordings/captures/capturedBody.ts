import { isObject } from '../../contextWindow/json';
import type { Result } from '../../contextWindow/result';
import { type CapturedCall, capturedValues } from './capturedCall';
import { requestOfLine } from './debugLogRequests';

type Fields = Readonly<Record<string, unknown>>;

/** One piece of a request. */
export interface CapturedPart {
  readonly title: string;
  readonly text: string;
  /** What the model reads of it, where that is another text; '' if no text says what it weighs. */
  readonly read?: string;
  /** The prompt cache may end after it. */
  readonly breakpoint?: true;
}

/** A tool, a part of the system prompt, or a message. */
export interface CapturedSection {
  readonly id: string;
  readonly title: string;
  readonly role: 'tool' | 'system' | 'user' | 'assistant';
  readonly parts: readonly CapturedPart[];
}

/** A captured request, in the order of the prompt-cache prefix. */
export interface CapturedBody {
  /** As it was captured; whole, also if the agent sent only its end. */
  readonly raw: Fields;
  readonly maxTokens: number | undefined;
  /** Thinking and effort, in the API's terms. */
  readonly settings: readonly string[];
  readonly sections: readonly CapturedSection[];
}

/** Reads a captured request whole. */
export async function capturedBody(call: CapturedCall): Promise<Result<{ body: CapturedBody }>> {
  const read = await capturedValues([...call.before, call.request]);
  if (!read.ok) return read;
  const pieces = read.values.map((value) => (isObject(value) ? value : {}));
  const last = pieces.at(-1) ?? {};
  if (call.request.bytes !== undefined) {
    const whole = await requestOfLine(call.request.file, last);
    return whole.ok ? { ok: true, body: bodyOf(whole.raw) } : whole;
  }
  const items = pieces.flatMap(itemsIn);
  const raw = call.before.length === 0 ? last : { ...last, input: items };
  return { ok: true, body: bodyOf(raw) };
}

/** The items of a request, or those of a response. */
function itemsIn({ input, output_items: output }: Fields): readonly unknown[] {
  return listIn(input ?? output);
}

/**
 * Lays a request out for reading: of the Messages API, of the Responses API, or in the form in which VS
 * Code's agent logs either.
 */
export function bodyOf(raw: Fields): CapturedBody {
  const tools = listIn(raw['tools']).map(toolSection);
  const edits = raw['context_management'];
  const asked: readonly CapturedSection[] =
    edits === undefined
      ? []
      : [
          {
            id: 'edits',
            title: 'Edits requested from the API (context_management)',
            role: 'system',
            parts: [{ title: 'edits', ...json(edits), read: '' }],
          },
        ];
  const isMessages = Array.isArray(raw['messages']);
  const rest = isMessages
    ? [...systemSections(raw['system']), ...messageSections(listIn(raw['messages']))]
    : [...systemSections(raw['instructions']), ...itemSections(listIn(raw['input']))];
  const maxTokens = raw['max_tokens'] ?? raw['max_output_tokens'];
  return {
    raw,
    maxTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
    settings: settingsIn(raw),
    sections: [...asked, ...tools, ...rest],
  };
}

function settingsIn({ thinking, output_config: output, reasoning }: Fields): readonly string[] {
  const words: string[] = [];
  if (isObject(thinking)) {
    const { type, budget_tokens: budget } = thinking;
    const tokens = typeof budget === 'number' ? ` (budget_tokens: ${budget})` : '';
    words.push(`thinking: ${textOf(type)}${tokens}`);
  }
  if (isObject(output) && 'effort' in output) words.push(`effort: ${textOf(output['effort'])}`);
  if (isObject(reasoning) && 'effort' in reasoning) {
    words.push(`effort: ${textOf(reasoning['effort'])}`);
  }
  return words;
}

function toolSection(tool: unknown, index: number): CapturedSection {
  const fields = isObject(tool) ? tool : {};
  const inner = isObject(fields['function']) ? fields['function'] : fields;
  const { name, type, description, input_schema: schema, parameters } = inner;
  const parts: CapturedPart[] = [];
  if (typeof description === 'string') parts.push({ title: 'description', text: description });
  const shape = schema ?? parameters;
  const isKnown = shape !== undefined;
  parts.push({
    title: isKnown ? 'input schema' : 'definition',
    ...json(isKnown ? shape : inner),
  });
  return {
    id: `tool-${index + 1}`,
    title: `Tool ${textOf(name) || textOf(type)}`,
    role: 'tool',
    parts: withBreakpointAfter(parts, fields),
  };
}

function systemSections(system: unknown): readonly CapturedSection[] {
  const blocks = typeof system === 'string' ? [{ text: system }] : listIn(system).filter(isObject);
  const many = blocks.length > 1;
  return blocks.map((block, index) => ({
    id: `system-${index + 1}`,
    title: many ? `System prompt, part ${index + 1}` : 'System prompt',
    role: 'system',
    parts: withBreakpointAfter([{ title: 'text', text: textIn(block) }], block),
  }));
}

function messageSections(messages: readonly unknown[]): readonly CapturedSection[] {
  const list = messages.filter(isObject);
  const nameOf = namesIn(list.flatMap(({ content, parts }) => listIn(content ?? parts)));
  return list.map(({ role, content, parts }, index) => ({
    id: `message-${index + 1}`,
    title: `Message ${index + 1}, ${textOf(role)}`,
    role: role === 'assistant' ? 'assistant' : role === 'system' ? 'system' : 'user',
    parts: partsOf(content ?? parts, nameOf),
  }));
}

/** The names of calls, which their results lack. */
function namesIn(parts: readonly unknown[]): ReadonlyMap<string, string> {
  return new Map(
    parts.flatMap((part) => {
      if (!isObject(part)) return [];
      const id = part['call_id'] ?? part['id'];
      return typeof id === 'string' && typeof part['name'] === 'string'
        ? [[id, part['name']] as const]
        : [];
    }),
  );
}

/** A text alone and a list with one text are the same message: agents write it either way. */
function partsOf(content: unknown, nameOf: ReadonlyMap<string, string>): readonly CapturedPart[] {
  if (typeof content === 'string') return [{ title: 'text', text: content }];
  return listIn(content)
    .filter(isObject)
    .flatMap((part) => withBreakpointAfter([partOf(part, nameOf)], part));
}

function partOf(part: Fields, nameOf: ReadonlyMap<string, string>): CapturedPart {
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { title: 'text', text: textIn(part) };
    case 'thinking':
      return { title: 'thinking', text: textOf(part['thinking']) };
    case 'reasoning':
      return { title: 'thinking', text: textOf(part['content']) };
    case 'redacted_thinking':
      return encrypted(part['data']);
    case 'tool_use':
      return { title: `calls ${textOf(part['name'])}`, ...json(part['input']) };
    case 'tool_call':
      return { title: `calls ${textOf(part['name'])}`, ...json(part['arguments']) };
    case 'tool_call_response':
    case 'tool_result': {
      const id = textOf(part['tool_use_id'] ?? part['id']);
      const failed = part['is_error'] === true ? ', an error' : '';
      return {
        title: `result of ${nameOf.get(id) ?? id}${failed}`,
        text: partsOf(part['content'] ?? part['response'], nameOf)
          .map(({ text }) => text)
          .join('\n'),
      };
    }
    case 'image':
    case 'document':
    case 'input_image':
    case 'blob':
    case 'uri':
    case 'file':
      return { title: textOf(part['modality'] ?? part['type']), text: mediaText(part), read: '' };
  }
  return { title: textOf(part['type']) || 'part', ...json(part) };
}

/** Base64 tells a reader nothing; the raw form has it. */
function mediaText(part: Fields): string {
  const source = isObject(part['source']) ? part['source'] : {};
  const data = textOf(
    source['data'] ?? part['image_url'] ?? source['url'] ?? part['content'] ?? part['uri'],
  );
  if (source['type'] === 'text') return data;
  const named = textOf(source['media_type'] ?? part['mime_type']);
  const type = named || /^data:([^;,]+)/.exec(data)?.[1] || 'file';
  return `[${type}, ${data.length.toLocaleString('en-US')} characters]`;
}

/** The items of the Responses API. */
function itemSections(items: readonly unknown[]): readonly CapturedSection[] {
  const list = items.filter(isObject);
  const nameOf = namesIn(list);
  return list.map((item, index) => {
    const { type = 'message', role } = item;
    const id = `message-${index + 1}`;
    const title = `Item ${index + 1}, ${textOf(type === 'message' ? role : type).replaceAll('_', ' ')}`;
    if (type === 'message') {
      const isSystem = role === 'developer' || role === 'system';
      const shown = role === 'assistant' ? 'assistant' : isSystem ? 'system' : 'user';
      return { id, title, role: shown, parts: partsOf(item['content'], nameOf) };
    }
    const isResult = textOf(type).endsWith('_output');
    return { id, title, role: isResult ? 'user' : 'assistant', parts: [itemPart(item, nameOf)] };
  });
}

function itemPart(item: Fields, nameOf: ReadonlyMap<string, string>): CapturedPart {
  const id = textOf(item['call_id']);
  if (textOf(item['type']).endsWith('_output')) {
    return { title: `result of ${nameOf.get(id) ?? id}`, ...json(item['output']) };
  }
  if (typeof item['name'] === 'string') {
    return { title: `calls ${item['name']}`, ...json(item['arguments'] ?? item['input']) };
  }
  if (item['type'] === 'reasoning' && typeof item['encrypted_content'] === 'string') {
    return encrypted(item['encrypted_content']);
  }
  return { title: textOf(item['type']), ...json(item) };
}

/** Marks the last part if the cache may end after it. */
function withBreakpointAfter(
  parts: readonly CapturedPart[],
  { cache_control: mark }: Fields,
): readonly CapturedPart[] {
  if (!isObject(mark)) return parts;
  return parts.map((part, index) =>
    index === parts.length - 1 ? { ...part, breakpoint: true } : part,
  );
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text of a part, under the name that the API or VS Code's log gives it. */
function textIn({ text, content }: Fields): string {
  return textOf(text ?? content);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Laid out for a reader; the model reads it without the spaces. */
function json(value: unknown): Pick<CapturedPart, 'text' | 'read'> {
  if (typeof value === 'string') return { text: value };
  return { text: JSON.stringify(value, null, 2) ?? '', read: JSON.stringify(value) ?? '' };
}

function encrypted(data: unknown): CapturedPart {
  return { title: 'thinking, encrypted by the API', text: textOf(data), read: '' };
}
