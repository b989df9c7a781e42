import type { CacheMissReason, CacheUse } from './prefixCache';
import type { AppliedEdit } from './rules/contextEdit';
import type { FinishedReply, ReplyBlock } from './reply';
import type { DroppedThinking } from './rules/thinkingBinding';

/** Tokens of one run of the model. */
export interface Sampling {
  readonly inputTokens: number;
  readonly cache: CacheUse;
  readonly outputTokens: number;
}

/** The content of an answer to POST /v1/messages. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly reply: FinishedReply;
  /** Milliseconds before each delta when streamed. */
  readonly delayMs: number;
  readonly inputTokens: number;
  readonly cache: CacheUse;
  /** undefined if the request asked for no diagnosis. */
  readonly cacheMiss: CacheMissReason | null | undefined;
  /** undefined if the request did not turn the beta on. */
  readonly dropped: readonly DroppedThinking[] | undefined;
  /** undefined if the request asked for no context edits. */
  readonly appliedEdits: readonly AppliedEdit[] | undefined;
  /**
   * Usage of the request's compact edit, zero while its trigger is not reached; undefined without
   * such an edit.
   */
  readonly compacted: { readonly by: Sampling | undefined; readonly isPaused: boolean } | undefined;
}

function tokensOf({ inputTokens, cache, outputTokens }: Sampling) {
  const { readTokens, written5mTokens, written1hTokens } = cache;
  const created = written5mTokens + written1hTokens;
  return {
    input_tokens: inputTokens - readTokens - created,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: readTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: written5mTokens,
      ephemeral_1h_input_tokens: written1hTokens,
    },
    output_tokens: outputTokens,
  };
}

/** Usage of an answer; input, created and read add up to the whole prompt. */
function usageOf(answer: Answer, outputTokens: number) {
  return {
    ...tokensOf({ ...answer, outputTokens }),
    output_tokens_details: { thinking_tokens: answer.reply.thinkingTokens },
    inference_geo: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}

/**
 * Usage of a whole answer; with a compact edit also the usage of each run of the model, the
 * compaction separately.
 */
export function finalUsage(answer: Answer): object {
  const { outputTokens } = answer.reply;
  const usage = usageOf(answer, outputTokens);
  if (answer.compacted === undefined) return usage;
  const { by, isPaused } = answer.compacted;
  const iterations = [
    ...(by ? [{ type: 'compaction', ...tokensOf(by) }] : []),
    ...(isPaused ? [] : [{ type: 'message', ...tokensOf({ ...answer, outputTokens }) }]),
  ];
  return { ...usage, iterations };
}

/** The report on the requested context edits at the end of an answer. */
export function contextManagement(answer: Answer): object {
  return answer.appliedEdits === undefined
    ? {}
    : { context_management: { applied_edits: answer.appliedEdits } };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function blockOf(block: ReplyBlock): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, citations: null };
    case 'thinking':
      return block;
    case 'compaction':
      return { ...block, encrypted_content: null };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: parsed(block.json),
        caller: { type: 'direct' },
      };
  }
}

/** The fields that only the end of an answer knows. */
export function ending(answer: Answer) {
  const { stopReason, stopSequence } = answer.reply;
  return {
    stop_reason: stopReason,
    stop_sequence: stopSequence,
    stop_details:
      stopReason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
    container: null,
  };
}

/** The fields that the beginning of an answer knows: a message without content. */
export function messageShell(answer: Answer): object {
  return {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: answer.cacheMiss ? { cache_miss_reason: answer.cacheMiss } : null,
    ...(answer.appliedEdits === undefined ? {} : { context_management: null }),
    input_transformations: answer.dropped,
    usage: usageOf(answer, Math.min(1, answer.reply.outputTokens)),
  };
}

/** Builds the answer that is not streamed. The input of a cut tool call is empty where its JSON is incomplete. */
export function plainMessage(answer: Answer): object {
  return {
    ...messageShell(answer),
    ...ending(answer),
    ...contextManagement(answer),
    content: answer.reply.blocks.map(blockOf),
    usage: finalUsage(answer),
  };
}
