import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../agent/model';
import { sendableContextEdits } from '../contextWindow/request/request';
import { isCount } from './heardNumber';
import type { AppliedContextEdit, ContextEdit } from '../contextWindow/contextEditing';
import { isObject } from '../contextWindow/json';

// Names: AnthropicBeta of SDK 1.12.0.
const CONTEXT_MANAGEMENT = 'context-management-2025-06-27';
const COMPACTION = 'compact-2026-01-12';

/** What a request has in addition to its plain body when the API is to edit it. */
export interface ContextEditing {
  readonly betas: string[];
  readonly context_management?: Anthropic.Beta.BetaContextManagementConfig;
}

/**
 * Builds what asks the API to edit a request; undefined when it is to be sent as it is.
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

/** Reads what the API says it did; undefined when the answer says nothing about it. */
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

/** Copies an edit, for the SDK's lists are mutable. */
function paramOf(edit: ContextEdit) {
  if (edit.type !== 'clear_tool_uses_20250919') return { ...edit };
  const { exclude_tools: excluded, ...rest } = edit;
  return { ...rest, ...(excluded !== undefined && { exclude_tools: [...excluded] }) };
}
