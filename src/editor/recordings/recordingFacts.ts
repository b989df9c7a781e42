import { createHash } from 'node:crypto';
import { tokenText } from '../../contextWindow/amountText';
import { unrecordedTokens } from '../../contextWindow/account/recordedWeight';
import type { Replayed } from '../../replay/replayed';
import type { Transcript } from '../../sessions/transcript';

/**
 * Names a replay. Under this name the panel keeps over a reload what the user began, while the
 * numbers start again: so another file must have another name, and the name must not say where the
 * file lies.
 */
export function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${digestOf(file).slice(0, 12)}`;
}

/** A short value that stands for a text, to compare it with another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Estimates of another API's tokens may be this far off: a smaller share is not called missing. */
const DOUBT_SHARE = 0.1;

/**
 * Says what a recording lacks of its agent's requests; undefined where it seems to have everything.
 */
export function recordingLacks(
  { system, tools }: Pick<Transcript, 'system' | 'tools'>,
  { events, window }: Pick<Replayed, 'events' | 'window'>,
): string | undefined {
  const missing = [
    ...(system === '' ? ['system prompt'] : []),
    ...(tools.length === 0 ? ['tools'] : []),
  ];
  const first = events.find((event) => event.type === 'recordedCounted');
  if (first === undefined) {
    if (missing.length === 0) return undefined;
    return `The file holds no ${missing.join(' and no ')}: the window of its agent was fuller than this one, and the file does not say by how much.`;
  }
  const { tokens: counted, sizes } = first;
  const beyond = sizes.find(({ part }) => part === 'unrecorded')?.unrecorded ?? 0;
  const own = 'not in the recording and stand in the window as a part of their own';
  if (beyond > counted * DOUBT_SHARE) {
    const such = missing.length === 0 ? '' : `, such as its ${missing.join(' and ')}`;
    return (
      `The API counted ${tokenText(counted)} tokens in its first request, of which the file holds ` +
      `≈ ${tokenText(counted - beyond)}. The other ≈ ${tokenText(beyond)}${such}, and what it counted ` +
      `later beyond the file, such as thinking, are ${own}.`
    );
  }
  const { recorded } = window;
  const all = unrecordedTokens(window);
  if (all <= (recorded?.tokens ?? 0) * DOUBT_SHARE) return undefined;
  return (
    `The API counted more than the file holds: ≈ ${tokenText(all)} tokens of the window, such as ` +
    `thinking, are ${own}.`
  );
}
