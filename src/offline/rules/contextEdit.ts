/** A number of tokens of the prompt. */
export interface InputTokens {
  readonly type: 'input_tokens';
  readonly value: number;
}

/** A number of tool calls. */
interface ToolUses {
  readonly type: 'tool_uses';
  readonly value: number;
}

/** Clears old tool results, and the inputs of their calls on request. */
export interface ClearToolUses {
  readonly type: 'clear_tool_uses_20250919';
  readonly trigger?: InputTokens | ToolUses;
  readonly keep?: ToolUses;
  readonly clear_at_least?: InputTokens | null;
  readonly exclude_tools?: readonly string[] | null;
  /** True for every cleared call, or the names of the affected tools. */
  readonly clear_tool_inputs?: boolean | readonly string[] | null;
}

/** Clears the thinking of older assistant turns. */
export interface ClearThinking {
  readonly type: 'clear_thinking_20251015';
  readonly keep?:
    { readonly type: 'thinking_turns'; readonly value: number } | { readonly type: 'all' } | 'all';
}

/** Summarises the conversation once it has reached a size. */
export interface Compact {
  readonly type: 'compact_20260112';
  readonly trigger?: InputTokens | null;
  readonly instructions?: string | null;
  readonly pause_after_compaction?: boolean;
}

/** One of the API's own context edits (BetaContextManagementConfig of SDK 1.12.0). */
export type ContextEdit = ClearToolUses | ClearThinking | Compact;

/** The effect of a clearing edit, as `applied_edits` reports it. */
export type AppliedEdit =
  | {
      readonly type: ClearToolUses['type'];
      readonly cleared_tool_uses: number;
      readonly cleared_input_tokens: number;
    }
  | {
      readonly type: ClearThinking['type'];
      readonly cleared_thinking_turns: number;
      readonly cleared_input_tokens: number;
    };

/** Beta that lets a request clear tool results and thinking. */
export const contextManagementBeta = 'context-management-2025-06-27';

/** Beta that also lets a request be compacted and contain compaction blocks. */
export const compactionBeta = 'compact-2026-01-12';
