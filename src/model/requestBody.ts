import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../agent/model';
import type { AppliedContextEdit, ContextEdit } from '../contextWindow/contextEditing';
import { isObject } from '../contextWindow/json';
import type { MessagePart } from '../contextWindow/request/blockMessages';
import { sendableContextEdits } from '../contextWindow/request/request';
import { isCount } from './apiUsage';

type Body = Omit<Anthropic.MessageCreateParamsStreaming, 'stream'>;
type CountBody = Pick<Body, 'model' | 'system' | 'tools' | 'messages' | 'thinking'>;

/** Builds the body of a request to /v1/messages; empty lists are left out. */
export function messagesBody(request: ModelRequest): Body {
  const { tools, system, messages, toolChoice } = request;
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    ...thinkingOf(request),
    ...(request.effort !== undefined && { output_config: { effort: request.effort } }),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    // The API refuses a choice among no tools.
    ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: { type: toolChoice } }),
    ...(system.length > 0 && { system: system.map((part) => ({ ...part })) }),
    messages: messages.map(({ role, content }) => ({ role, content: content.map(partOf) })),
  };
}

/**
 * Builds the body of a request to count_tokens: without max_tokens, and without cache breakpoints,
 * which change no count but would make the same content look new to a cache.
 */
export function countBody(request: ModelRequest): CountBody {
  const { tools, system, messages } = request;
  return {
    model: request.model,
    ...thinkingOf(request),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(system.length > 0 && { system: system.map(withoutBreakpoint) }),
    messages: messages.map(({ role, content }) => ({
      role,
      content: content.map((part) => partOf(withoutBreakpoint(part))),
    })),
  };
}

function thinkingOf({ thinking }: ModelRequest): Pick<Body, 'thinking'> {
  return thinking === undefined ? {} : { thinking: { ...thinking } };
}

function toolOf({ name, description, input_schema }: ModelRequest['tools'][number]) {
  return { name, description, input_schema: { ...input_schema, type: 'object' as const } };
}

/**
 * Copies a part unchanged, since the window has parts in the API's form. The SDK knows compaction
 * only in its beta types, and its lists are mutable.
 */
function partOf(part: MessagePart): Anthropic.ContentBlockParam {
  return { ...part } as Anthropic.ContentBlockParam;
}

function withoutBreakpoint<T extends object>(part: T): T {
  if (!('cache_control' in part)) return part;
  const { cache_control: _, ...rest } = part;
  return rest as unknown as T;
}

/**
 * The exact body of a request to /v1/messages. Beta names go in the header `anthropic-beta`, and
 * the key in its own header, so neither is in here.
 */
export function sentBody(request: ModelRequest): Readonly<Record<string, unknown>> {
  const { betas: _inHeader, ...editing } = contextEditingOf(request) ?? { betas: [] };
  return { ...messagesBody(request), stream: true, ...editing };
}

// Names: AnthropicBeta of SDK 1.12.0.
const CONTEXT_MANAGEMENT = 'context-management-2025-06-27';
const COMPACTION = 'compact-2026-01-12';

/** The additional fields of a request that the API is to edit. */
export interface ContextEditing {
  readonly betas: string[];
  readonly context_management?: Anthropic.Beta.BetaContextManagementConfig;
}

/**
 * Builds the fields that ask the API to edit a request; undefined if it is to be sent unchanged.
 *
 * A compaction block alone also needs its beta, or the API does not know the block.
 */
export function contextEditingOf(request: ModelRequest): ContextEditing | undefined {
  const edits = sendableContextEdits(request);
  const isSummarised = holdsCompaction(request);
  if (edits.length === 0 && !isSummarised) return undefined;
  const compacts = edits.some(({ type }) => type === 'compact_20260112');
  const clears = edits.some(({ type }) => type !== 'compact_20260112');
  return {
    betas: [
      ...(clears ? [CONTEXT_MANAGEMENT] : []),
      ...(compacts || isSummarised ? [COMPACTION] : []),
    ],
    ...(edits.length > 0 && { context_management: { edits: edits.map(paramOf) } }),
  };
}

const APPLIED = {
  cleared_tool_uses: 'clearedToolUses',
  cleared_thinking_turns: 'clearedThinkingTurns',
  cleared_input_tokens: 'clearedInputTokens',
} as const;

/** Reads the edits the API reports; undefined if it reports nothing. */
export function appliedEditsIn(said: unknown): readonly AppliedContextEdit[] | undefined {
  const edits = isObject(said) ? said['applied_edits'] : undefined;
  if (!Array.isArray(edits)) return undefined;
  return edits.filter(isObject).flatMap((edit): readonly AppliedContextEdit[] => {
    const { type } = edit;
    if (typeof type !== 'string') return [];
    const counts = Object.entries(APPLIED).flatMap(([name, own]) =>
      isCount(edit[name]) ? [[own, edit[name]] as const] : [],
    );
    return [{ type, ...Object.fromEntries(counts) }];
  });
}

function holdsCompaction({ messages }: ModelRequest): boolean {
  return messages.some(({ content }) => content.some(({ type }) => type === 'compaction'));
}

/** Copies an edit, because the SDK's lists are mutable. */
function paramOf(edit: ContextEdit) {
  if (edit.type !== 'clear_tool_uses_20250919') return { ...edit };
  const { exclude_tools: excluded, ...rest } = edit;
  return { ...rest, ...(excluded !== undefined && { exclude_tools: [...excluded] }) };
}
