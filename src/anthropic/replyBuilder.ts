import type Anthropic from '@anthropic-ai/sdk';
import type { ModelEvent, Reply } from '../agent/model';
import type { ReplyPart, ToolUseId } from '../contextWindow/block';
import type { StopReason } from '../contextWindow/event';
import type { Usage } from '../contextWindow/usage';
import { isObject, objectIn, wholeMembers } from './wholeMembers';

/** A content block while it streams; `json` is the tool input as it was written so far. */
type OpenBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redactedThinking'; data: string }
  | { type: 'toolUse'; id: string; name: string; given: unknown; json: string };

const CUT_REASONS: ReadonlySet<StopReason> = new Set([
  'max_tokens',
  'model_context_window_exceeded',
]);

/**
 * Puts a reply together from the events of a stream.
 *
 * Blocks of a type it does not know (server tools, citations: Plimsoll asks for none) are left out of
 * the reply; so are empty texts, which the API would refuse to take back.
 */
export class ReplyBuilder {
  #model: string;
  readonly #blocks = new Map<number, OpenBlock>();
  #stopReason: string | null = null;
  #usage: Usage = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  #isComplete = false;

  /** `model` names the answer's model until the stream does. */
  constructor(model: string) {
    this.#model = model;
  }

  /** Takes in one event; returns what there is to tell of it. */
  take(event: Anthropic.RawMessageStreamEvent): ModelEvent | undefined {
    switch (event.type) {
      case 'message_start':
        this.#model = event.message.model || this.#model;
        this.#usage = later(this.#usage, event.message.usage);
        return undefined;
      case 'content_block_start':
        return this.#open(event.index, event.content_block);
      case 'content_block_delta':
        return this.#add(this.#blocks.get(event.index), event.delta);
      case 'message_delta':
        this.#stopReason = event.delta.stop_reason;
        this.#usage = later(this.#usage, event.usage);
        return undefined;
      case 'message_stop':
        this.#isComplete = true;
        return undefined;
      case 'content_block_stop':
        return undefined;
    }
  }

  /** Returns the whole reply; undefined before message_stop. */
  finish(): Reply | undefined {
    if (!this.#isComplete) return undefined;
    const stopReason = this.#reason();
    const isCut = CUT_REASONS.has(stopReason);
    const parts = [...this.#blocks]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([, block]) => partOf(block, isCut));
    return { model: this.#model, parts, stopReason, usage: this.#usage };
  }

  #open(index: number, block: Anthropic.ContentBlock): ModelEvent | undefined {
    if (block.type === 'text') {
      this.#blocks.set(index, { type: 'text', text: block.text });
      return block.text === '' ? undefined : { type: 'textDelta', text: block.text };
    }
    if (block.type === 'thinking') {
      const { thinking, signature } = block;
      this.#blocks.set(index, { type: 'thinking', thinking, signature });
      return thinking === '' ? undefined : { type: 'thinkingDelta', text: thinking };
    }
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      this.#blocks.set(index, { type: 'toolUse', id, name, given: input, json: '' });
      return { type: 'toolUseStarted', id, name };
    }
    if (block.type === 'redacted_thinking') {
      this.#blocks.set(index, { type: 'redactedThinking', data: block.data });
    }
    return undefined;
  }

  #add(
    block: OpenBlock | undefined,
    delta: Anthropic.RawContentBlockDelta,
  ): ModelEvent | undefined {
    if (delta.type === 'text_delta' && block?.type === 'text') {
      block.text += delta.text;
      return { type: 'textDelta', text: delta.text };
    }
    if (delta.type === 'thinking_delta' && block?.type === 'thinking') {
      block.thinking += delta.thinking;
      return { type: 'thinkingDelta', text: delta.thinking };
    }
    if (delta.type === 'signature_delta' && block?.type === 'thinking') {
      block.signature += delta.signature;
    }
    if (delta.type === 'input_json_delta' && block?.type === 'toolUse') {
      block.json += delta.partial_json;
    }
    return undefined;
  }

  /** Some compatible servers leave the reason out, or have one of their own. */
  #reason(): StopReason {
    switch (this.#stopReason) {
      case 'end_turn':
      case 'tool_use':
      case 'max_tokens':
      case 'stop_sequence':
      case 'pause_turn':
      case 'refusal':
      case 'model_context_window_exceeded':
        return this.#stopReason;
      default: {
        const blocks = [...this.#blocks.values()];
        return blocks.some(({ type }) => type === 'toolUse') ? 'tool_use' : 'end_turn';
      }
    }
  }
}

function partOf(block: OpenBlock, isCut: boolean): readonly ReplyPart[] {
  if (block.type === 'text') return block.text === '' ? [] : [block];
  if (block.type !== 'toolUse') return [block];
  const { id, name } = block;
  return [{ type: 'toolUse', use: { id: id as ToolUseId, name, input: inputOf(block, isCut) } }];
}

/**
 * Reads a tool's input. Only a reply that says it was cut keeps what is whole of a broken one, for it
 * will not be run; anywhere else a broken input becomes `{}`, which the tool refuses.
 */
function inputOf(
  { given, json }: { readonly given: unknown; readonly json: string },
  isCut: boolean,
): Readonly<Record<string, unknown>> {
  if (json.trim() === '') return isObject(given) ? given : {};
  return objectIn(json) ?? (isCut ? wholeMembers(json) : {});
}

/** Counts are cumulative: the highest one heard holds, and null says nothing. */
function later(
  usage: Usage,
  heard: Partial<Anthropic.Usage> | Partial<Anthropic.MessageDeltaUsage> | null | undefined,
): Usage {
  const { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens } = usage;
  return {
    inputTokens: Math.max(inputTokens, heard?.input_tokens ?? 0),
    cacheCreationTokens: Math.max(cacheCreationTokens, heard?.cache_creation_input_tokens ?? 0),
    cacheReadTokens: Math.max(cacheReadTokens, heard?.cache_read_input_tokens ?? 0),
    outputTokens: Math.max(outputTokens, heard?.output_tokens ?? 0),
  };
}
