import type { ContextEdit } from './rules/contextEdit';

/**
 * The part of the Messages API that the strict server supports; shapes from the types of
 * @anthropic-ai/sdk 1.12.0, written out because only src/model may import the SDK.
 */

export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control?: CacheControl | null;
  readonly citations?: readonly unknown[] | null;
}

interface ImageBlock {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
  readonly cache_control?: CacheControl | null;
}

interface DocumentBlock {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
  readonly title?: string | null;
  readonly context?: string | null;
  readonly cache_control?: CacheControl | null;
}

interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cache_control?: CacheControl | null;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (TextBlock | ImageBlock | DocumentBlock)[];
  readonly is_error?: boolean;
  readonly cache_control?: CacheControl | null;
}

/**
 * The server's summary of everything before it; null if summarising failed, which makes the block
 * ineffective.
 */
export interface CompactionBlock {
  readonly type: 'compaction';
  readonly content?: string | null;
  readonly encrypted_content?: string | null;
  readonly cache_control?: CacheControl | null;
}

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | CompactionBlock
  | ToolUseBlock
  | ToolResultBlock;

export type Role = 'user' | 'assistant' | 'system';

export interface Message {
  readonly role: Role;
  readonly content: string | readonly ContentBlock[];
}

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly cache_control?: CacheControl | null;
}

export interface ThinkingConfig {
  readonly type: 'adaptive' | 'enabled' | 'disabled' | 'between_tools';
  readonly budget_tokens?: number;
  readonly display?: 'summarized' | 'omitted' | 'updates' | null;
  readonly block_binding?: {
    readonly prefix_mismatch_behavior?: 'error' | 'drop_block' | null;
  } | null;
}

/** The effort of a reply. */
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** The input of the token counter: the part of a request that the model sees. */
export interface CountRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: { readonly type: string; readonly name?: string };
  readonly thinking?: ThinkingConfig;
  readonly output_config?: { readonly effort?: Effort | null };
  readonly cache_control?: CacheControl | null;
  readonly context_management?: { readonly edits?: readonly ContextEdit[] } | null;
}

/** A valid body of POST /v1/messages. */
export interface MessagesRequest extends CountRequest {
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly stop_sequences?: readonly string[];
  readonly diagnostics?: { readonly previous_message_id?: string | null } | null;
}

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded';

/**
 * One block of the scripted model's answer; a tool_use without an id gets one made from the
 * conversation.
 */
export type ScriptedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | {
      readonly type: 'tool_use';
      readonly id?: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/**
 * A scripted answer; without a stop reason it is tool_use if a tool is called and end_turn
 * otherwise.
 */
export interface ScriptedReply {
  readonly content: readonly ScriptedPart[];
  readonly stopReason?: StopReason;
  /** The model that the answer names; default the requested model. */
  readonly model?: string;
  /** Milliseconds between two deltas of a streamed answer; default 0. */
  readonly delayMs?: number;
}

/** Returns the model's answer to one valid request; pure. */
export type Respond = (request: MessagesRequest) => ScriptedReply;
