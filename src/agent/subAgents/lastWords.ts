import { type ContextWindow, latestStep } from '../../contextWindow/window';

/** The text of the newest reply; '' if there is none. */
export function lastWords(window: ContextWindow): string {
  const parts = latestStep(window)?.parts ?? [];
  return parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}
