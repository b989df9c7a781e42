import type { Transcript } from '../sessions/transcript';

/** What a file holds of the requests of its agent. */
type Held = Pick<Transcript, 'format' | 'system' | 'tools'>;

/** How many of a session's requests were captured. */
export interface CapturedShare {
  readonly steps: number;
  readonly exact: number;
}

/** The parts of every request that a file does not hold. */
export function missingParts({ system, tools }: Pick<Held, 'system' | 'tools'>): readonly string[] {
  return [...(system === '' ? ['system prompt'] : []), ...(tools.length === 0 ? ['tools'] : [])];
}

/**
 * Says once whether the windows of a recording are exact, and why not; the panel and the terminal
 * say the same.
 */
export function windowOrigin(held: Held, captured?: CapturedShare): string {
  const { steps = 0, exact = 0 } = captured ?? {};
  if (exact === 0) return reconstructedFrom(held);
  return exact === steps
    ? 'Exact: the request of every step was recorded.'
    : `Exact for ${exact} of ${steps} steps, whose requests were recorded. The others are reconstructed.`;
}

function reconstructedFrom(held: Held): string {
  const missing = missingParts(held);
  if (missing.length > 0) return `Reconstructed: this file has no ${missing.join(' or ')}.`;
  return held.format === 'messages' || held.format === 'openai-requests'
    ? 'Exact: this file is a request itself.'
    : 'Reconstructed from the system prompt, tools and messages in this file.';
}
