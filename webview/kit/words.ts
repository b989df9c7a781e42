import { formatNumber } from './tokens';

/** Writes a number with its noun: "1 block", "14 blocks". */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Restores an undone prompt; the ledger and the conversation name the button alike. */
export const RESTORE_PROMPT = {
  text: 'Restore the prompt',
  label: 'Restore the prompt with its steps',
} as const;
