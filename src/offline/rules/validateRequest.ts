import { apiError, type ApiError, invalid } from '../apiError';
import { editedPrompt } from '../applyContextEdits';
import {
  blocksOf,
  isSummary,
  type PlacedBlock,
  systemBlocks,
  type Turn,
  turnsOf,
} from '../conversation';
import { contextEditFault } from './contextEditRules';
import { countTokens } from '../countTokens';
import type {
  CacheControl,
  ContentBlock,
  CountRequest,
  MessagesRequest,
  Role,
  ToolUseBlock,
} from '../messagesApi';
import { type OfflineModel, offlineModels } from '../models';
import { requestShape } from './requestShape';
import { isObject } from './fieldShapes';
import { checkThinking, withoutThinking } from './thinkingBinding';

/** Decides, apart from the body, whether a request is valid. */
interface RequestContext {
  readonly models?: readonly OfflineModel[];
  readonly endpoint?: 'messages' | 'count_tokens';
  /** Value of the header anthropic-version. */
  readonly version?: string;
  /** Values of the header anthropic-beta. */
  readonly betas?: readonly string[];
}

/** First version that rejects sampling parameters; SDK 1.x sends it. */
export const currentVersion = '2026-10-21';

// Text: platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5.
function thinkingFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  const thinking = request.thinking;
  if (thinking === undefined) return undefined;
  if (!model.thinkingTypes.includes(thinking.type)) {
    return `"thinking.type.${thinking.type}" is not supported for this model. Use "thinking.type.${model.thinkingTypes[0]}" and "output_config.effort" to control thinking behavior.`;
  }
  const budget = thinking.budget_tokens;
  return budget !== undefined && budget >= (request.max_tokens ?? Infinity)
    ? '`max_tokens` must be greater than `thinking.budget_tokens`.'
    : undefined;
}

// Rejected efforts: SDK 1.12.0, `capabilities.effort`, and its remark that some levels need
// thinking. It does not name them, so we use the two above the default; the texts are ours.
function effortFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  const effort = request.output_config?.effort ?? undefined;
  if (effort === undefined) return undefined;
  if (!model.efforts.includes(effort)) {
    return `output_config.effort: "${effort}" is not supported for this model.`;
  }
  return request.thinking?.type === 'disabled' && (effort === 'xhigh' || effort === 'max')
    ? `output_config.effort: "${effort}" is not supported with thinking disabled.`
    : undefined;
}

function limitFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  return request.max_tokens > model.maxOutputTokens
    ? `max_tokens: ${request.max_tokens} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.id}`
    : undefined;
}

function samplingFault(body: object, model: OfflineModel): string | undefined {
  const used = ['temperature', 'top_p', 'top_k'].find((name) => Object.hasOwn(body, name));
  return used !== undefined && model.bindsThinking
    ? `\`${used}\` is deprecated for this model.`
    : undefined;
}

function overflowFault(request: MessagesRequest, model: OfflineModel): string | undefined {
  const input = countTokens(request, model);
  const window = model.contextWindowTokens;
  if (input > window) return `prompt is too long: ${input} tokens > ${window} maximum`;
  return model.overflow === 'refused' && input + request.max_tokens > window
    ? `input length and \`max_tokens\` exceed context limit: ${input} + ${request.max_tokens} > ${window}, decrease input length or \`max_tokens\` and try again`
    : undefined;
}

/**
 * Checks a body of /v1/messages or /v1/messages/count_tokens as strictly as the API does; returns
 * the API's error, or undefined.
 *
 * Pure, so that a recorded body can be checked without a server.
 */
export function validateRequest(body: unknown, context: RequestContext = {}): ApiError | undefined {
  const { models = offlineModels, endpoint = 'messages', betas = [] } = context;
  const shape = requestShape({
    endpoint,
    sampling: (context.version ?? currentVersion) < currentVersion,
    betas,
  });
  if (!isObject(body)) return invalid('body: Input should be an object');
  const shapeFault = shape(body, '');
  if (shapeFault !== undefined) return invalid(shapeFault);
  const request = body as unknown as MessagesRequest;
  const model = models.find(({ id }) => id === request.model);
  if (model === undefined) return apiError('not_found_error', `model: ${request.model}`);
  const turns = turnsOf(request.messages);
  const fault =
    limitFault(request, model) ??
    samplingFault(body, model) ??
    thinkingFault(request, model) ??
    effortFault(request, model) ??
    toolsFault(request, model) ??
    contextEditFault(request, model) ??
    cacheFault(request) ??
    contentFault(request, turns, model) ??
    toolPairFault(turns);
  if (fault !== undefined) return invalid(fault);
  const thinking = checkThinking(request, model);
  if (thinking.kind === 'refused') return invalid(thinking.message);
  if (endpoint === 'count_tokens') return undefined;
  const accepted = withoutThinking(request, thinking.dropped);
  const overflow = overflowFault(editedPrompt(accepted, model).shown, model);
  return overflow === undefined ? undefined : invalid(overflow);
}

const maxBreakpoints = 4;

interface Marked {
  readonly path: string;
  readonly control: CacheControl;
  readonly emptyText: boolean;
}

function marksOf(block: ContentBlock, path: string): readonly Marked[] {
  const inner =
    block.type === 'tool_result' && typeof block.content !== 'string'
      ? blocksOf(block.content ?? []).flatMap((part, at) => marksOf(part, `${path}.content.${at}`))
      : [];
  if (!('cache_control' in block) || !block.cache_control) return inner;
  const emptyText = block.type === 'text' && block.text === '';
  return [...inner, { path, control: block.cache_control, emptyText }];
}

/** Lists every cache_control of a request in the order the API caches: tools, system, messages. */
function allMarks(request: CountRequest): readonly Marked[] {
  return [
    ...(request.tools ?? []).flatMap((tool, at) =>
      tool.cache_control
        ? [{ path: `tools.${at}`, control: tool.cache_control, emptyText: false }]
        : [],
    ),
    ...systemBlocks(request.system).flatMap((block, at) => marksOf(block, `system.${at}`)),
    ...request.messages.flatMap((message, index) =>
      blocksOf(message.content).flatMap((block, at) =>
        marksOf(block, `messages.${index}.content.${at}`),
      ),
    ),
    ...(request.cache_control
      ? [{ path: 'cache_control', control: request.cache_control, emptyText: false }]
      : []),
  ];
}

/**
 * Finds the first misplaced cache_control: on empty text, more than four, or an hour's after five
 * minutes' (askalf/dario#1066, cnighswonger/claude-code-cache-fix#44; on thinking the shape rejects
 * it).
 */
function cacheFault(request: CountRequest): string | undefined {
  const marks = allMarks(request);
  const empty = marks.find((mark) => mark.emptyText);
  if (empty !== undefined) {
    return `${empty.path}.text: cache_control cannot be set for empty text blocks`;
  }
  if (marks.length > maxBreakpoints) {
    return `A maximum of ${maxBreakpoints} blocks with cache_control may be provided. Found ${marks.length}.`;
  }
  const firstShort = marks.findIndex(({ control }) => control.ttl !== '1h');
  const lateLong = marks.find(
    ({ control }, at) => firstShort >= 0 && at > firstShort && control.ttl === '1h',
  );
  return lateLong === undefined
    ? undefined
    : `${lateLong.path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`;
}

const allowedIn: Readonly<Record<ContentBlock['type'], readonly Role[]>> = {
  text: ['user', 'assistant', 'system'],
  image: ['user'],
  document: ['user'],
  thinking: ['assistant'],
  redacted_thinking: ['assistant'],
  compaction: ['assistant'],
  tool_use: ['assistant'],
  tool_result: ['user'],
};

function textFault(where: string, text: string): string | undefined {
  if (text === '') return `${where}: text content blocks must be non-empty`;
  return text.trim() === ''
    ? `${where}: text content blocks must contain non-whitespace text`
    : undefined;
}

function blockFault(role: Role, { block, path }: PlacedBlock): string | undefined {
  const roles = allowedIn[block.type];
  if (!roles.includes(role)) {
    return `${path}: \`${block.type}\` blocks can only be in \`${roles.join('` or `')}\` messages`;
  }
  if (block.type === 'text') {
    if (role === 'user' && block.citations?.length) {
      return `${path}.text.citations: citations are not permitted in user messages`;
    }
    return textFault('messages', block.text);
  }
  if (block.type !== 'tool_result') return undefined;
  for (const inner of typeof block.content === 'string' ? [] : blocksOf(block.content ?? [])) {
    const fault = inner.type === 'text' ? textFault('messages', inner.text) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function orderFault(turns: readonly Turn[], model: OfflineModel): string | undefined {
  if (turns[0] === undefined) return 'messages: at least one message is required';
  // Content that a compaction block replaces may be omitted; the block then comes first.
  const isSummarised = isSummary(turns[0].blocks[0]?.block);
  if (turns[0].role !== 'user' && !isSummarised)
    return 'messages: first message must use the "user" role';
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'system') continue;
    if (!model.systemMessages) return "role 'system' is not supported on this model";
    if (turns[index - 1]?.role !== 'user') {
      return `${turn.path}: a "system" message must directly follow a "user" message`;
    }
  }
  return undefined;
}

function endFault(turns: readonly Turn[], model: OfflineModel): string | undefined {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return undefined;
  if (!model.prefill) {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  const block = last.blocks.at(-1)?.block;
  return block?.type === 'text' && block.text !== block.text.trimEnd()
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : undefined;
}

/**
 * Finds the first fault in the messages: order of roles, empty content, blocks in the wrong role,
 * prefill.
 *
 * It also rejects whitespace next to real text: reports differ on whether the API does
 * (LibreChat-AI/agents#124, NousResearch/hermes-agent#69517).
 */
function contentFault(
  request: CountRequest,
  turns: readonly Turn[],
  model: OfflineModel,
): string | undefined {
  for (const block of systemBlocks(request.system)) {
    const fault = textFault('system', block.text);
    if (fault !== undefined) return fault;
  }
  const order = orderFault(turns, model);
  if (order !== undefined) return order;
  const lastIndex = request.messages.length - 1;
  for (const [index, message] of request.messages.entries()) {
    const optional = index === lastIndex && message.role === 'assistant';
    if (blocksOf(message.content).length === 0 && !optional) {
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    }
  }
  for (const turn of turns) {
    for (const placed of turn.blocks) {
      const fault = blockFault(turn.role, placed);
      if (fault !== undefined) return fault;
    }
  }
  return endFault(turns, model);
}

const toolUses = (turn: Turn | undefined): readonly ToolUseBlock[] =>
  turn?.role === 'assistant'
    ? turn.blocks.flatMap(({ block }) => (block.type === 'tool_use' ? [block] : []))
    : [];

/**
 * The ids that the tool_result blocks at the start of a user turn answer; a later block does not
 * count as an answer.
 */
function leadingResults(turn: Turn | undefined): readonly string[] {
  const ids: string[] = [];
  if (turn?.role !== 'user') return ids;
  for (const { block } of turn.blocks) {
    if (block.type !== 'tool_result') break;
    ids.push(block.tool_use_id);
  }
  return ids;
}

function repeatedId(turns: readonly Turn[]): string | undefined {
  const seen = new Set<string>();
  for (const { block, path } of turns.flatMap((turn) => turn.blocks)) {
    if (block.type !== 'tool_use') continue;
    if (seen.has(block.id)) return `${path}: \`tool_use\` ids must be unique`;
    seen.add(block.id);
  }
  return undefined;
}

function badResult(results: readonly PlacedBlock[], asked: ReadonlySet<string>) {
  const seen = new Set<string>();
  for (const { block, path } of results) {
    if (block.type !== 'tool_result') continue;
    const id = block.tool_use_id;
    if (!asked.has(id)) {
      return `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (seen.has(id)) {
      return `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
    seen.add(id);
  }
  return undefined;
}

/** Finds the first tool_use without its result in the next turn, or the first tool_result without its tool_use. */
function toolPairFault(turns: readonly Turn[]): string | undefined {
  const repeated = repeatedId(turns);
  if (repeated !== undefined) return repeated;
  for (const [index, turn] of turns.entries()) {
    const answered = leadingResults(turns[index + 1]);
    const open = toolUses(turn).filter(({ id }) => !answered.includes(id));
    if (open.length > 0) {
      const ids = open.map(({ id }) => id).join(', ');
      return `${turn.path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    const asked = new Set(toolUses(turns[index - 1]).map(({ id }) => id));
    const fault = turn.role === 'user' ? badResult(turn.blocks, asked) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Finds faults in the tools and the tool choice of a request. */
function toolsFault(request: CountRequest, model: OfflineModel): string | undefined {
  const names = (request.tools ?? []).map((tool) => tool.name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  const choice = request.tool_choice;
  if (choice === undefined) return undefined;
  if (names.length === 0) return 'tool_choice may only be specified while providing tools.';
  if (choice.name !== undefined && !names.includes(choice.name)) {
    return `Tool '${choice.name}' not found in provided tools`;
  }
  if (choice.type !== 'any' && choice.type !== 'tool') return undefined;
  if (!model.forcedToolUse)
    return `tool_choice.type: '${choice.type}' is not supported for this model`;
  return request.thinking?.type === 'enabled'
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined;
}
