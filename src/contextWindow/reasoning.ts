/** Effort levels as the API names them, lowest first. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/**
 * Thinking modes as the API names them: up to the model, up to a budget of tokens, off, or short
 * notes between tool calls.
 */
export const THINKING_MODES = ['adaptive', 'enabled', 'disabled', 'between_tools'] as const;
export type ThinkingMode = (typeof THINKING_MODES)[number];

/** The API's smallest thinking budget in tokens. */
export const SMALLEST_THINKING_BUDGET = 1_024;

/** The thinking parameter of a request. */
export type Thinking =
  | { readonly type: 'adaptive'; readonly display: 'summarized' }
  | {
      readonly type: 'enabled';
      readonly budget_tokens: number;
      readonly display: 'summarized';
    }
  | { readonly type: 'disabled' | 'between_tools' };

/** The thinking and effort of a request; absent values are up to the model. */
export interface Reasoning {
  readonly thinking?: Thinking;
  readonly effort?: Effort;
}

/** A model's known abilities; absent if unknown. */
export interface ModelAbilities {
  readonly thinking?: readonly ThinkingMode[];
  /** Empty if the model takes no effort. */
  readonly efforts?: readonly Effort[];
  readonly images?: boolean;
}

/** The user's settings of thinking and effort; `auto` leaves it to the model. */
export interface ReasoningWished {
  readonly mode: ThinkingMode | 'auto';
  readonly budgetTokens: number;
  readonly effort: Effort | 'auto';
}

/**
 * The thinking and effort to request: the user's settings, except what the model is known to
 * refuse.
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
    // Without `display` newer models answer with a signature and no text.
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
 * Keeps the thinking budget below the longest reply, as the API requires. Omits thinking if the
 * reply has no room for the smallest budget. `maxTokens` is that of the request.
 */
export function withinReply(reasoning: Reasoning, maxTokens: number): Reasoning {
  const { thinking, ...rest } = reasoning;
  if (thinking?.type !== 'enabled' || thinking.budget_tokens < maxTokens) return reasoning;
  const most = maxTokens - 1;
  if (most < SMALLEST_THINKING_BUDGET) return rest;
  return { ...rest, thinking: { ...thinking, budget_tokens: most } };
}
