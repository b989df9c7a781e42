import { promptTokens, type Usage } from '../contextWindow/account/spending';
import {
  type ImportAids,
  callName,
  messageContent,
  readContent,
  type MessageContent,
} from './messages';
import { type JsonLine, parsed, placeOf, shapedPart } from './readJson';
import {
  LeftOut,
  newestPrompts,
  type Read,
  readCallArguments,
  type RecordedCompaction,
  type RecordedItem,
  type RecordedPart,
  type RecordedPrompt,
  type Recording,
  sourceOfDataUrl,
  textIn,
  undoItems,
  usageOfWholeInput,
  windowSize,
} from './recordedItem';
import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';

type Fields = JsonLine['value'];

/** Reads a Codex rollout: the model's items up to the outputs of its calls are one reply. */
export function readCodex(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const found: RecordedItem[] = [];
  let system: string | undefined;
  let base: 'named' | 'here' | undefined;
  const sessions = new Set<string>();
  let model = '';
  let size: Pick<Recording, 'windowTokens'> = {};
  let by: Pick<Recording, 'promptsByAgent'> = {};
  const counts = new CodexCounts(found);
  for (const { line, value } of lines) {
    const payload = isObject(value['payload']) ? value['payload'] : {};
    switch (value['type']) {
      case 'session_meta':
        // Codex repeats a session's own when it changes.
        if (sessions.has(textIn(payload['id']))) break;
        if (sessions.size === 0 && isOfSubAgent(payload)) by = { promptsByAgent: 'first' };
        if (typeof payload['id'] === 'string') sessions.add(payload['id']);
        // The first one is its own. A fork has that of the session that it continues, too.
        if (isObject(payload['history_base'])) base = 'named';
        else if (base === 'named') base = 'here';
        system ??= systemOf(payload);
        break;
      case 'turn_context':
        model = typeof payload['model'] === 'string' ? payload['model'] : model;
        break;
      case 'compacted':
        chargeSummary(found, payload['message']);
        found.push(readCodexCompaction(payload, line, found, aids));
        break;
      case 'token_usage_record':
        counts.record(payload, model);
        break;
      case 'event_msg':
        if (payload['type'] === 'token_count') counts.take(payload['info'], model);
        if (payload['type'] === 'thread_rolled_back') undoTurns(found, payload['num_turns'], aids);
        size = { ...size, ...windowOf(payload) };
        break;
      case 'response_item': {
        for (const item of readCodexItem(payload, line, model, aids)) addCodexItem(found, item);
        break;
      }
    }
  }
  // A fork has the line of the session that it was forked from after its own, and so on.
  const [lineage] = [...sessions].toReversed();
  if (base !== undefined) aids.leftOut.add(base === 'here' ? 'continuedSession' : 'lostSession');
  const root = lineage === undefined ? {} : { lineage };
  const value = { system: system ?? '', tools: [], ...root, ...size, ...by, items: found };
  return { ok: true, value };
}

/** Codex names what started a sub-agent; one with its parent's history begins with the user's prompts. */
function isOfSubAgent({ source, history_base: base }: Fields): boolean {
  return isObject(source) && source['subagent'] !== undefined && !isObject(base);
}

/** The user went back by some prompts: these, and everything after them, left the conversation. */
function undoTurns(found: RecordedItem[], turns: unknown, { leftOut }: ImportAids): void {
  if (typeof turns !== 'number' || turns < 1) return;
  let left = Math.floor(turns);
  let start = found.length;
  for (let at = found.length - 1; at >= 0 && left > 0; at -= 1) {
    if (found[at]?.type !== 'prompt') continue;
    start = at;
    left -= 1;
  }
  undoItems(found, start, leftOut);
}

/** The window is given where a turn begins and with every count. */
function windowOf({ info, model_context_window: atTurn }: Fields) {
  return windowSize(isObject(info) ? info['model_context_window'] : atTurn);
}

/**
 * Adds an item; a piece of a reply joins the previous one, until outputs, a prompt or usage end it.
 */
export function addCodexItem(found: RecordedItem[], item: RecordedItem): void {
  const last = found.at(-1);
  if (item.type === 'reply' && last?.type === 'reply' && last.usage === undefined) {
    found[found.length - 1] = { ...last, parts: [...last.parts, ...item.parts] };
  } else found.push(item);
}

/** Usage follows the items of its response. */
class CodexCounts {
  /** What the session had used in all by the last count. */
  #total: string | undefined;
  /** The responses whose usage has a record of its own. */
  readonly #recorded = new Set<string>();
  /** Whether a record came since the last count: the next count repeats it. */
  #isRecorded = false;
  /** A count since the last record: the next record may repeat it. */
  #counted: Usage | undefined;

  constructor(private readonly found: RecordedItem[]) {}

  /** Takes the usage of a response, as version 0.171 records it: also that of a compaction. */
  record({ response_id: id, usage: counted }: Fields, model: string): void {
    const usage = usageIn(counted);
    if (usage === undefined) return;
    const isCounted = this.#counted !== undefined && isOfOneResponse(usage, this.#counted);
    this.#counted = undefined;
    const isRepeated = typeof id === 'string' && this.#recorded.has(id);
    if (typeof id === 'string') this.#recorded.add(id);
    if (isCounted) return;
    this.#isRecorded = true;
    if (!isRepeated) this.#give(usage, model, true);
  }

  /**
   * Takes a count, unless it repeats the last one or the records since then. An older version, which
   * writes no records, may continue the session.
   */
  take(info: unknown, model: string): void {
    const usage = isObject(info) ? usageIn(info['last_token_usage']) : undefined;
    if (usage === undefined) return;
    const total = isObject(info) ? JSON.stringify(info['total_token_usage']) : undefined;
    if (total !== undefined && total === this.#total) return;
    this.#total = total;
    const isRecorded = this.#isRecorded;
    this.#isRecorded = false;
    if (isRecorded) return;
    this.#counted = usage;
    // Without a total it may repeat the last one.
    this.#give(usage, model, total !== undefined);
  }

  #give(usage: Usage, model: string, isNew: boolean): void {
    const at = this.found.findLastIndex(({ type }) => type === 'reply');
    const reply = this.found[at];
    if (reply?.type === 'reply' && reply.usage === undefined) this.found[at] = { ...reply, usage };
    // The response held only reasoning, or was the request for a summary.
    else if (isNew) this.found.push({ type: 'charged', charge: { model, usage } });
  }
}

/** A count may lack what the record says of cache writes. */
function isOfOneResponse(one: Usage, other: Usage): boolean {
  return promptTokens(one) === promptTokens(other) && one.outputTokens === other.outputTokens;
}

function usageIn(counted: unknown): Usage | undefined {
  if (!isObject(counted)) return undefined;
  return usageOfWholeInput({
    input: counted['input_tokens'],
    cacheCreation: counted['cache_write_input_tokens'],
    cacheRead: counted['cached_input_tokens'],
    output: counted['output_tokens'],
  });
}

function systemOf({ base_instructions: base, instructions }: Fields): string {
  const text = isObject(base) ? base['text'] : (base ?? instructions);
  return typeof text === 'string' ? text : '';
}

const callId = z._default(z.string(), '');

const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), role: z.string(), content: messageContent }),
  z.object({
    type: z.literal('function_call'),
    call_id: callId,
    name: callName,
    arguments: z.unknown(),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    call_id: callId,
    name: callName,
    input: z.unknown(),
  }),
  z.object({
    type: z.literal('local_shell_call'),
    call_id: z.nullish(z.string()),
    id: z.nullish(z.string()),
    action: z._default(z.record(z.string(), z.unknown()), {}),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: callId, output: z.unknown() }),
  z.object({ type: z.literal('custom_tool_call_output'), call_id: callId, output: z.unknown() }),
]);

/** The start of a user message that Codex wrote. */
const INJECTED =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_shell_command|skill|subagent_notification)\b)/;

/** Reads one item of a rollout; reasoning, and items outside the conversation, give nothing. */
export function readCodexItem(
  payload: JsonLine['value'],
  line: number,
  model: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  if (payload['type'] === 'reasoning') {
    aids.leftOut.add('thinking');
    return [];
  }
  if (!isKnown(payload['type'])) {
    aids.leftOut.add('unknownPart');
    return [];
  }
  const read = shapedPart(item, payload, { ...placeOf(line, aids), within: 'payload' });
  return read === undefined ? [] : itemsOf(read, line, model, aids);
}

function isKnown(type: unknown): boolean {
  return item.def.options.some(({ shape }) => shape.type.def.values[0] === type);
}

function itemsOf(
  one: z.output<typeof item>,
  line: number,
  model: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  const reply = (part: RecordedPart): readonly RecordedItem[] => [
    { type: 'reply', line, model, parts: [part] },
  ];
  switch (one.type) {
    case 'message':
      if (one.role === 'user') return readPrompt(one.content, line, aids);
      if (one.role === 'assistant') {
        return reply({
          type: 'text',
          text: readContent(asMessagesContent(one.content), aids).text,
        });
      }
      aids.leftOut.add('injectedText');
      return [];
    case 'function_call': {
      const input = readCallArguments(one.arguments, aids.leftOut);
      return reply({ type: 'call', id: one.call_id, name: one.name, input });
    }
    case 'custom_tool_call': {
      const input = isObject(one.input) ? one.input : { input: one.input };
      return reply({ type: 'call', id: one.call_id, name: one.name, input });
    }
    case 'local_shell_call': {
      const id = one.call_id ?? one.id ?? '';
      return reply({ type: 'call', id, name: 'local_shell', input: one.action });
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ type: 'result', callId: one.call_id, ...readOutput(one.output, aids) }];
  }
}

function readPrompt(
  content: MessageContent,
  line: number,
  aids: ImportAids,
): readonly RecordedItem[] {
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  const typed = parts.filter((part) => !INJECTED.test(textIn(part['text'])));
  aids.leftOut.add('injectedText', parts.length - typed.length);
  if (typed.length === 0) return [];
  return [{ type: 'prompt', line, ...readContent(asMessagesContent(typed), aids) }];
}

/** An output is a text, parts, or an object with one of these and a success flag. */
function readOutput(output: unknown, aids: ImportAids) {
  const body = isObject(output) ? (output['content'] ?? output['body'] ?? '') : output;
  const content = messageContent.safeParse(body);
  const said = readContent(asMessagesContent(content.success ? content.data : ''), aids);
  const failed = isObject(output) && output['success'] === false;
  return { ...said, isError: failed || exitCode(said.text) !== 0 };
}

/** Older outputs are JSON with the exit code in them; newer ones have it in the first line. */
function exitCode(text: string): number {
  const said = /^Exit code: (-?\d+)/.exec(text)?.[1];
  if (said !== undefined) return Number(said);
  const value = text.startsWith('{') ? parsed(text) : undefined;
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const code = isObject(metadata) ? metadata['exit_code'] : undefined;
  return typeof code === 'number' ? code : 0;
}

/** Writes the parts as the Messages API has them. */
function asMessagesContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    if (part.type === 'input_text' || part.type === 'output_text') return { ...part, type: 'text' };
    if (part.type !== 'input_image') return part;
    return { type: 'image', source: sourceOfDataUrl(part['image_url']) };
  });
}

/** The reply before a compaction that is its summary: it is no step, and is charged all the same. */
function chargeSummary(found: RecordedItem[], summary: unknown): void {
  const last = found.at(-1);
  const [part, ...more] = last?.type === 'reply' ? last.parts : [];
  if (last?.type !== 'reply' || part?.type !== 'text' || more.length > 0) return;
  // Codex writes a line of its own before it.
  if (part.text === '' || !`\n${textIn(summary)}`.endsWith(`\n${part.text}`)) return;
  found.pop();
  const { model, usage } = last;
  if (usage !== undefined) found.push({ type: 'charged', charge: { model, usage } });
}

/** Reads a compaction of Codex: prompts stay verbatim; the summary replaces everything else. */
function readCodexCompaction(
  { message, replacement_history: history }: JsonLine['value'],
  line: number,
  before: readonly RecordedItem[],
  aids: ImportAids,
): RecordedCompaction {
  const prompts = before.filter((item) => item.type === 'prompt');
  const kept = Array.isArray(history)
    ? namedIn(prompts, textsOf(history, line, aids))
    : newestPrompts(before);
  const hasSummary = typeof message === 'string' && message.trim() !== '';
  return { type: 'compacted', line, ...(hasSummary ? { summary: message } : {}), kept };
}

/** The prompts in what replaced the conversation. */
function textsOf(history: readonly unknown[], line: number, aids: ImportAids): readonly string[] {
  // Parts left out here were already reported at their first place.
  const again = { ...aids, leftOut: new LeftOut() };
  return history.flatMap((item) => {
    const items = isObject(item) ? readCodexItem(item, line, '', again) : [];
    return items.flatMap((one) => (one.type === 'prompt' ? [one.text] : []));
  });
}

/** The newest prompts with these texts, each text as often as it is named. */
function namedIn(
  prompts: readonly RecordedPrompt[],
  texts: readonly string[],
): readonly RecordedPrompt[] {
  const left = [...texts];
  const named = prompts.toReversed().filter(({ text }) => {
    const at = left.lastIndexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  return named.reverse();
}
