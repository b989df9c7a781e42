import * as z from 'zod/mini';
import { text, tokens } from './storedPass';

/** What the API's own editing did to a request. */
export const appliedContextEdit = z.object({
  type: text,
  clearedToolUses: z.optional(z.number()),
  clearedThinkingTurns: z.optional(z.number()),
  clearedInputTokens: z.optional(tokens),
});

const tokensOf = z.object({ type: z.literal('input_tokens'), value: tokens });

/** The API's own editing, as a request asks for it. */
export const contextEdit = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('clear_tool_uses_20250919'),
    trigger: tokensOf,
    keep: z.object({ type: z.literal('tool_uses'), value: z.number() }),
    clear_at_least: z.optional(tokensOf),
    exclude_tools: z.optional(z.array(text)),
    clear_tool_inputs: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('clear_thinking_20251015'),
    keep: z.union([
      z.object({ type: z.literal('thinking_turns'), value: z.number() }),
      z.literal('all'),
    ]),
  }),
  z.object({
    type: z.literal('compact_20260112'),
    trigger: tokensOf,
    instructions: z.optional(text),
  }),
]);
