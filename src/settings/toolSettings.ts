import * as z from 'zod/mini';

/** Says what a list of tools must be. */
export const TOOL_NAMES = 'must be a list of tool names';

/** What is set under `plimsoll.tools.`. */
export const TOOLS = z.object({
  /** Tools of others that the agent may call, by the names that their providers gave them. */
  enabled: z.array(z.string(TOOL_NAMES), TOOL_NAMES),
  /** Tools of Plimsoll's own that it does without. */
  disabled: z.array(z.string(TOOL_NAMES), TOOL_NAMES),
});
