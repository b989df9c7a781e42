import type { Admission, Attachment } from './block';
import { admit, type Estimate } from './truncate';

/** A result as it comes in, before it is cut. */
export interface IncomingResult {
  readonly text: string;
  readonly isError: boolean;
  readonly attachments: readonly Attachment[];
}

/**
 * Keeps what is attached out where it would be over the cap of its result, with a word: an image cannot
 * be cut to fit. Nothing is attached to an error, of which the API takes only text.
 */
export function withinCap<R extends IncomingResult>(result: R, cap: number, estimate: Estimate): R {
  const { text, isError, attachments } = result;
  if (isError) return { ...result, attachments: [] };
  const tokens = tokensOf(attachments);
  if (attachments.length === 0 || tokens + estimate(text) <= cap) return result;
  const said =
    `${text}\nNot shown: it would take about ${tokens} tokens, and one result may take ` +
    `${cap}. Ask the user for the part that matters, or find another way to its content.`;
  return { ...result, text: said, isError: true, attachments: [] };
}

/** Admits a result that is `withinCap`: its text is cut to what its attachments leave of the cap. */
export function admitResult(
  { text, attachments }: IncomingResult,
  cap: number,
  estimate: Estimate,
  handle: string,
): { readonly admission: Admission; readonly tokens: number } {
  const attached = tokensOf(attachments);
  const admission = admit(text, cap - attached, estimate, handle);
  const admitted = admission.form === 'whole' ? estimate(text) : admission.tokensAfter;
  return { admission, tokens: attached + admitted };
}

function tokensOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { tokens }) => sum + tokens, 0);
}
