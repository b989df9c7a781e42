/** How much work a reply may take, as the API names it, least first. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/**
 * Ways of thinking, as the API names them: the model decides, up to a budget of tokens, not at all, or
 * short notes between calls of tools.
 */
export const THINKING_MODES = ['adaptive', 'enabled', 'disabled', 'between_tools'] as const;
export type ThinkingMode = (typeof THINKING_MODES)[number];

/** The API takes no smaller budget for thinking; tokens. */
export const SMALLEST_THINKING_BUDGET = 1_024;

/** How a model is asked to think, as the API takes it. */
export type Thinking =
  | { readonly type: 'adaptive'; readonly display: 'summarized' }
  | {
      readonly type: 'enabled';
      readonly budget_tokens: number;
      readonly display: 'summarized';
    }
  | { readonly type: 'disabled' | 'between_tools' };

/** What a request says of thinking and effort; what is absent is for the model to decide. */
export interface Reasoning {
  readonly thinking?: Thinking;
  readonly effort?: Effort;
}

/** What a model can do, as far as anybody says; absent where nobody does. */
export interface ModelAbilities {
  readonly thinking?: readonly ThinkingMode[];
  /** Empty where the model takes no effort. */
  readonly efforts?: readonly Effort[];
  readonly images?: boolean;
}

/** What the user wants of thinking and effort; `auto`: nothing is said, the model decides. */
export interface ReasoningWished {
  readonly mode: ThinkingMode | 'auto';
  readonly budgetTokens: number;
  readonly effort: Effort | 'auto';
}

/**
 * Says what to ask a model for: what the user wants, without what the model is known not to take, which
 * the API would refuse.
 */
export function reasoningFor(
  { mode, budgetTokens, effort }: ReasoningWished,
  { thinking: modes, efforts }: ModelAbilities = {},
): Reasoning {
  const takesMode = mode !== 'auto' && modes?.includes(mode) !== false;
  const takesEffort = effort !== 'auto' && efforts?.includes(effort) !== false;
  return {
    ...(takesMode ? { thinking: thinkingOf(mode, budgetTokens) } : {}),
    ...(takesEffort ? { effort } : {}),
  };
}

function thinkingOf(mode: ThinkingMode, budgetTokens: number): Thinking {
  switch (mode) {
    // Without `display` newer models answer with a signature and no words.
    case 'adaptive':
      return { type: mode, display: 'summarized' };
    case 'enabled':
      return { type: mode, budget_tokens: budgetTokens, display: 'summarized' };
    case 'disabled':
    case 'between_tools':
      return { type: mode };
  }
}

/**
 * Keeps the budget of thinking below the longest reply, as the API wants it; leaves thinking out where
 * the reply has no room for the smallest budget. `maxTokens` is what the request sets.
 */
export function withinReply(reasoning: Reasoning, maxTokens: number): Reasoning {
  const { thinking, ...rest } = reasoning;
  if (thinking?.type !== 'enabled' || thinking.budget_tokens < maxTokens) return reasoning;
  const most = maxTokens - 1;
  if (most < SMALLEST_THINKING_BUDGET) return rest;
  return { ...rest, thinking: { ...thinking, budget_tokens: most } };
}
