/** Why the model stopped writing; `stopped` is Plimsoll's own: the user stopped it. */
export const STOP_REASONS = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'stopped',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];
