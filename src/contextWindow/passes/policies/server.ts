import type { Budget } from '../../budget';
import type { ContextEdit } from '../../contextEditing';
import { climb } from '../rungs/planOf';
import { evictOldest } from '../rungs/evict';
import type { Policy } from '../rungs/policyInput';

/** The settings of the API's own context editing. */
export interface ContextEditingSettings {
  readonly clearToolUses: boolean;
  readonly clearThinking: boolean;
  readonly compact: boolean;
  /** How many of the newest tool results the API keeps. */
  readonly keepToolUses: number;
  /** How many of the newest turns keep their thinking. */
  readonly keepThinkingTurns: number;
  /** Tools whose results the API never clears. */
  readonly excludeTools: readonly string[];
}

/** The smallest trigger that the API's compaction accepts; tokens. */
export const LEAST_COMPACT_TRIGGER = 50_000;

/**
 * Lets the API edit the context. Right if its own bookkeeping is trusted and cheap. Wrong if the
 * user wants to know which blocks were removed: the API answers with counts, takes no pins and
 * cannot undo. Plimsoll evicts blocks, oldest first, only if the API leaves too much for the input
 * budget.
 */
export const server: Policy = (input) => climb(input, 'server', [evictOldest]);

/** The edits that a request asks the API for; they start above the high watermark. */
export function contextEditsOf(
  settings: ContextEditingSettings,
  budget: Budget,
): readonly ContextEdit[] {
  const edits: ContextEdit[] = [];
  if (settings.clearThinking) {
    const keep = { type: 'thinking_turns', value: settings.keepThinkingTurns } as const;
    edits.push({ type: 'clear_thinking_20251015', keep });
  }
  if (settings.clearToolUses) {
    edits.push({
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'input_tokens', value: budget.highTokens },
      keep: { type: 'tool_uses', value: settings.keepToolUses },
      clear_at_least: { type: 'input_tokens', value: budget.highTokens - budget.lowTokens },
      ...(settings.excludeTools.length === 0 ? {} : { exclude_tools: settings.excludeTools }),
    });
  }
  if (settings.compact) {
    const value = Math.max(LEAST_COMPACT_TRIGGER, budget.highTokens);
    edits.push({ type: 'compact_20260112', trigger: { type: 'input_tokens', value } });
  }
  return edits;
}
