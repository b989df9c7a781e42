import type { Transcript } from '../sessions/transcript';
import { type CapturedSession, NOTHING_CAPTURED } from './captures/capturedCall';

/** The parts of every request that a file does not hold. */
export function missingParts({
  system,
  tools,
}: Pick<Transcript, 'system' | 'tools'>): readonly string[] {
  return [...(system === '' ? ['system prompt'] : []), ...(tools.length === 0 ? ['tools'] : [])];
}

/** How much of what a recording's windows hold is certain. */
export type Exactness = 'exact' | 'partly exact' | 'reconstructed';

/** Whether the windows of a recording are exact. */
export function exactnessOf(transcript: Transcript, captured = NOTHING_CAPTURED): Exactness {
  const exact = captured.steps.size;
  if (exact > 0) return exact === stepsIn(transcript) ? 'exact' : 'partly exact';
  return isRequestItself(transcript) ? 'exact' : 'reconstructed';
}

/**
 * Says once whether the windows of a recording are exact, and why not. The panel and the terminal use the
 * same words.
 */
export function windowOrigin(transcript: Transcript, captured = NOTHING_CAPTURED): string {
  const steps = stepsIn(transcript);
  const exact = captured.steps.size;
  if (exact === 0) return reconstructedFrom(transcript);
  const share =
    exact === steps
      ? 'Exact: the request of every step was recorded.'
      : `Exact for ${exact} of ${steps} steps, whose requests were recorded. The others are reconstructed.`;
  return [share, ...othersOf(captured)].join(' ');
}

/** Most kinds of other requests that are named, and the longest name; characters. */
const MOST_KINDS = 4;
const LONGEST_KIND = 40;

function othersOf({ others }: CapturedSession): readonly string[] {
  if (others.size === 0) return [];
  const kinds = [...others]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_KINDS)
    .map(([kind, count]) => `${kind.slice(0, LONGEST_KIND)} (${count})`);
  return [`Also recorded, but not part of a step: ${kinds.join(', ')}.`];
}

function reconstructedFrom(held: Transcript): string {
  const missing = missingParts(held);
  if (missing.length > 0) return `Reconstructed: this file has no ${missing.join(' or ')}.`;
  return isRequestItself(held)
    ? 'Exact: this file is a request itself.'
    : 'Reconstructed from the system prompt, tools and messages in this file.';
}

function stepsIn({ entries }: Transcript): number {
  return entries.filter(({ type }) => type === 'reply').length;
}

/** A file that is a whole request, with nothing missing. */
function isRequestItself(held: Transcript): boolean {
  if (missingParts(held).length > 0) return false;
  return held.format === 'messages' || held.format === 'openai-requests';
}
