/** Restores an undone prompt; the ledger and the conversation name the button alike. */
export const RESTORE_PROMPT = {
  text: 'Restore the prompt',
  label: 'Restore the prompt with its steps',
} as const;
