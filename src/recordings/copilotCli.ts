import * as z from 'zod/mini';
import { callName, type ImportAids } from './messages';
import { type JsonLine, placeOf, shapedPart } from './readJson';
import type { Usage } from '../contextWindow/account/spending';
import {
  messagesIn,
  type Read,
  readCallArguments,
  type RecordedItem,
  type RecordedMessage,
  type RecordedReply,
  type Recording,
  textIn,
  usageOfWholeInput,
  windowSize,
} from './recordedItem';
import { isObject } from '../contextWindow/json';

/*
 * The events of Copilot CLI, as seen in a session of version 1.0.64: every line has `type` and
 * `data`. `system.message` and `user.message` hold what was sent, `assistant.message` a whole
 * response with its `toolRequests`, `tool.execution_complete` a result. Hooks, permissions and the
 * bounds of turns are book-keeping. Of tokens a response has only `outputTokens`, never the input:
 * that is no usage of a request, and is left out. Version 1.0.102 has the usage in a line of its
 * own, `session.usage_record`, whose `inputTokens` include those read from the cache. Fields that no
 * session here has are as in nodejs/src/generated/session-events.ts of github/copilot-sdk (August 2026).
 */

const fromSubagent = { parentToolCallId: z.nullish(z.string()) };

const userMessage = z.object({
  content: z.string(),
  /** The text that was sent instead, with the date and similar facts around it. */
  transformedContent: z.nullish(z.string()),
  attachments: z.nullish(z.array(z.unknown())),
  /** What else than the user sent it, such as `skill-pdf`. */
  source: z.nullish(z.string()),
  isAutopilotContinuation: z.nullish(z.boolean()),
});

const assistantMessage = z.object({
  ...fromSubagent,
  model: z.nullish(z.string()),
  content: z._default(z.nullable(z.string()), null),
  apiCallId: z.nullish(z.string()),
  reasoningText: z.nullish(z.string()),
  reasoningOpaque: z.nullish(z.string()),
  toolRequests: z.nullish(
    z.array(z.object({ toolCallId: z.string(), name: callName, arguments: z.unknown() })),
  ),
});

const toolComplete = z.object({
  ...fromSubagent,
  toolCallId: z.string(),
  success: z._default(z.boolean(), true),
  /** `content` is what the model got, `detailedContent` what the user saw. */
  result: z.nullish(z.looseObject({ content: z.optional(z.unknown()) })),
  error: z.nullish(z.looseObject({ message: z.optional(z.unknown()) })),
});

/** Reads the `events.jsonl` of a Copilot CLI session. */
export function readCopilotCli(lines: readonly JsonLine[], aids: ImportAids): Read<Recording> {
  const items: RecordedItem[] = [];
  let system = '';
  let model = '';
  let size: Pick<Recording, 'windowTokens'> = {};
  let isByUser = false;
  let apiCallId = '';
  const usages = usagesIn(lines);
  for (const { line, value } of lines) {
    const data = isObject(value['data']) ? value['data'] : {};
    if (isOfAgent(value)) {
      if (MESSAGES.has(value['type'])) aids.leftOut.add('subagentLine');
      continue;
    }
    switch (value['type']) {
      case 'session.resume':
        items.push({ type: 'resumed', line });
        break;
      case 'system.message':
        if (typeof data['content'] === 'string') system = data['content'];
        break;
      case 'session.model_change':
        if (typeof data['newModel'] === 'string') model = data['newModel'];
        break;
      case 'user.message':
        items.push(...readPrompt(data, line, aids));
        break;
      case 'assistant.message':
        for (const reply of readReply(data, line, { model, usages }, aids)) {
          const id = textIn(data['apiCallId']);
          // A response with reasoning between its parts is several lines.
          const last = id !== '' && id === apiCallId ? items.at(-1) : undefined;
          if (last?.type !== 'reply') items.push(reply);
          else items.splice(-1, 1, { ...last, parts: [...last.parts, ...reply.parts] });
          apiCallId = id;
        }
        break;
      case 'tool.execution_complete':
        items.push(...readResult(data, line, aids));
        break;
      case 'session.compaction_start':
        isByUser = data['trigger'] === 'manual';
        size = { ...size, ...windowSize(data['tokenLimit']) };
        break;
      case 'session.compaction_complete':
        items.push(...chargeOfSummary(data['compactionTokensUsed'], model));
        if (data['success'] !== false && typeof data['summaryContent'] === 'string') {
          const by = isByUser ? { byUser: true as const } : {};
          items.push({ type: 'compacted', line, summary: data['summaryContent'], ...by });
        }
        break;
      case 'session.truncation':
        size = { ...size, ...windowSize(data['tokenLimit']) };
        if (isRemoval(value)) {
          const kept = newestOf(items, data['postTruncationMessagesLength']);
          items.push({ type: 'compacted', line, kept });
        }
        break;
      case 'session.context_cleared':
        if (isRemoval(value)) items.push({ type: 'compacted', line });
        break;
      case 'system.notification':
        aids.leftOut.add('injectedText');
        break;
    }
  }
  return { ok: true, value: { system, tools: [], ...size, items } };
}

const MESSAGES: ReadonlySet<unknown> = new Set([
  'user.message',
  'assistant.message',
  'tool.execution_complete',
]);

/** Whether an event is one of a sub-agent; older versions name the call that started it instead. */
export function isOfAgent({ agentId }: JsonLine['value']): boolean {
  return typeof agentId === 'string' && agentId !== '';
}

/** Whether Copilot removed messages without a summary. */
export function isRemoval({ type, data }: JsonLine['value']): boolean {
  if (!isObject(data)) return false;
  const { messagesRemovedDuringTruncation: cut, messagesCleared: cleared } = data;
  const removed = type === 'session.truncation' ? cut : cleared;
  return typeof removed === 'number' && removed > 0;
}

/** The prompts and replies among the newest messages; a result is a message, too. */
function newestOf(items: readonly RecordedItem[], messages: unknown): readonly RecordedMessage[] {
  let left = typeof messages === 'number' ? messages : 0;
  const start = items.findLastIndex((item) => {
    if (item.type === 'compacted') return true;
    if (!['prompt', 'reply', 'result'].includes(item.type)) return false;
    left -= 1;
    return left < 0;
  });
  return messagesIn(items.slice(start + 1));
}

function chargeOfSummary(used: unknown, model: string): readonly RecordedItem[] {
  if (!isObject(used)) return [];
  const usage = usageIn(used);
  if (usage === undefined) return [];
  return [{ type: 'charged', charge: { model: textIn(used['model']) || model, usage } }];
}

function usageIn(counted: JsonLine['value']): Usage | undefined {
  return usageOfWholeInput({
    input: counted['inputTokens'],
    cacheCreation: counted['cacheWriteTokens'],
    cacheRead: counted['cacheReadTokens'],
    output: counted['outputTokens'],
  });
}

/** A skill's text, and what another agent asked. */
const OTHER_SOURCE = /^(?:skill|agent|system)\b/;

function readPrompt(data: unknown, line: number, aids: ImportAids): readonly RecordedItem[] {
  const read = shapedPart(userMessage, data, { ...placeOf(line, aids), within: 'data' });
  if (read === undefined) return [];
  const { content: text, transformedContent: sent, attachments } = read;
  if (typeof sent === 'string' && sent.trim() !== text.trim()) aids.leftOut.add('injectedText');
  aids.leftOut.add('remoteAttachment', attachments?.length ?? 0);
  const isInjected = read.isAutopilotContinuation === true || OTHER_SOURCE.test(read.source ?? '');
  const by = isInjected ? { byAgent: true as const } : {};
  if (text.trim() !== '') return [{ type: 'prompt', line, text, attachments: [], ...by }];
  aids.leftOut.add('emptyPrompt');
  return [];
}

function readReply(
  data: unknown,
  line: number,
  before: { readonly model: string; readonly usages: ReadonlyMap<string, Usage> },
  aids: ImportAids,
): readonly RecordedReply[] {
  const read = shapedPart(assistantMessage, data, { ...placeOf(line, aids), within: 'data' });
  if (read === undefined) return [];
  if (isOfSubagent(read, aids)) return [];
  const { content, model, apiCallId, reasoningText, reasoningOpaque, toolRequests } = read;
  if ((reasoningText ?? reasoningOpaque ?? '') !== '') aids.leftOut.add('thinking');
  const calls = (toolRequests ?? []).map(({ toolCallId: id, name, arguments: written }) => ({
    type: 'call' as const,
    id,
    name,
    input: readCallArguments(written, aids.leftOut),
  }));
  const parts = [{ type: 'text' as const, text: content ?? '' }, ...calls];
  const usage = before.usages.get(apiCallId ?? '');
  const reply = { type: 'reply' as const, line, model: model ?? before.model, parts };
  return [usage === undefined ? reply : { ...reply, usage }];
}

/** The usage of each request, by the name that its reply has, before it or after it. */
function usagesIn(lines: readonly JsonLine[]): ReadonlyMap<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const { value } of lines) {
    if (value['type'] !== 'session.usage_record' || !isObject(value['data'])) continue;
    const { usage } = value['data'];
    if (!isObject(usage) || typeof usage['apiCallId'] !== 'string') continue;
    const counted = usageIn(usage);
    if (counted !== undefined) usages.set(usage['apiCallId'], counted);
  }
  return usages;
}

function readResult(data: unknown, line: number, aids: ImportAids): readonly RecordedItem[] {
  const read = shapedPart(toolComplete, data, { ...placeOf(line, aids), within: 'data' });
  if (read === undefined) return [];
  if (isOfSubagent(read, aids)) return [];
  const { toolCallId: callId, success, result, error } = read;
  const said = success ? result?.content : (error?.message ?? result?.content);
  const text = typeof said === 'string' ? said : JSON.stringify(said ?? '');
  return [{ type: 'result', callId, isError: !success, text, attachments: [] }];
}

/** A subagent's messages are not part of the conversation; its call has its report. */
function isOfSubagent(
  { parentToolCallId }: { readonly parentToolCallId?: string | null | undefined },
  { leftOut }: ImportAids,
): boolean {
  const isOf = typeof parentToolCallId === 'string';
  if (isOf) leftOut.add('subagentLine');
  return isOf;
}
