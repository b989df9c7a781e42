interface TokensOf {
  readonly type: 'input_tokens';
  readonly value: number;
}

/** One of the API's own context edits, in the form of a request. */
export type ContextEdit =
  | {
      readonly type: 'clear_tool_uses_20250919';
      readonly trigger: TokensOf;
      readonly keep: { readonly type: 'tool_uses'; readonly value: number };
      readonly clear_at_least?: TokensOf;
      readonly exclude_tools?: readonly string[];
      readonly clear_tool_inputs?: boolean;
    }
  | {
      readonly type: 'clear_thinking_20251015';
      readonly keep: { readonly type: 'thinking_turns'; readonly value: number } | 'all';
    }
  | {
      readonly type: 'compact_20260112';
      readonly trigger: TokensOf;
      readonly instructions?: string;
    };

/** The result of one edit as the API reports it: counts, no ids. */
export interface AppliedContextEdit {
  readonly type: string;
  readonly clearedToolUses?: number;
  readonly clearedThinkingTurns?: number;
  readonly clearedInputTokens?: number;
}

/** The API's own editing of a request: the requested and the applied edits. */
interface ContextEditingReport {
  readonly parts: readonly { readonly type: string }[];
  readonly serverEdits?: readonly ContextEdit[];
  readonly appliedEdits?: readonly AppliedContextEdit[];
}

/**
 * Says whether the model may have read less than was sent. Requested edits count as applied if the
 * API did not report on them.
 */
export function mayBeContextEdited({
  parts,
  serverEdits = [],
  appliedEdits,
}: ContextEditingReport): boolean {
  if (parts.some(({ type }) => type === 'compaction')) return true;
  return appliedEdits === undefined ? serverEdits.length > 0 : appliedEdits.length > 0;
}
