import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../agent/model';
import { contextEditingOf } from './contextEditing';
import type { MessagePart } from '../contextWindow/request/blockMessages';

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
 * Builds the body of a request to count_tokens: no max_tokens, and no cache breakpoints, which
 * change no count but would make the same content look new to a cache.
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
 * Copies a part as it is, since the window already has parts in the API's form. The SDK knows
 * compaction only in its beta types, and its lists are mutable.
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
 * The body of a request to /v1/messages as it is sent. Beta names go in the header
 * `anthropic-beta`, and the key in a header of its own: neither is in here.
 */
export function sentBody(request: ModelRequest): Readonly<Record<string, unknown>> {
  const { betas: _inHeader, ...editing } = contextEditingOf(request) ?? { betas: [] };
  return { ...messagesBody(request), stream: true, ...editing };
}
