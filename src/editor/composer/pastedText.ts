/** A longer text is not put into the prompt, but offered as an attachment; characters. */
export const LONGEST_PROMPT = 200_000;

/** Longest text that can be pasted at all; characters. */
export const LONGEST_PASTED = 20_000_000;

/** The name of a pasted text as an attachment. */
export const PASTED = 'pasted.txt';
