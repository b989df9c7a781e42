import type { TranscriptEntry, TranscriptFormat } from '../transcript';
import type { RecordedItem } from './recordedItem';
import { recordingOf } from './recordingOf';

/**
 * Says what a recording lacks to be replayed, and what to do; undefined when it lacks nothing.
 * `replyLine` finds the line of its first reply, where that is known.
 */
export function whyIncomplete(
  items: readonly RecordedItem[],
  entries: readonly TranscriptEntry[],
  format: TranscriptFormat,
  replyLine: () => number | undefined,
): string | undefined {
  const holds = (type: TranscriptEntry['type']) => entries.some((entry) => entry.type === type);
  if (holds('prompt') && holds('reply')) return undefined;
  const missing = holds('prompt') ? 'reply' : 'prompt';
  const lack = `as ${recordingOf(format)} it holds no ${missing}`;
  const firstPrompt = items.findIndex(({ type }) => type === 'prompt');
  const replies = items.flatMap(({ type }, index) => (type === 'reply' ? [index] : []));
  if (replies.length === 0) return `${lack}. Check that it is whole and in that format.`;
  const line = replyLine();
  const where = line === undefined ? '' : `line ${line}: `;
  if (firstPrompt === -1 || replies.every((index) => index < firstPrompt)) {
    const behind = missing === 'prompt' ? '' : ' behind its first prompt';
    return (
      `${where}${lack}${behind}: it begins with a reply of the assistant, and no request can. ` +
      'Put the prompt that reply answers in front of it.'
    );
  }
  return `${where}${lack} with a text or a call. Check that it is whole.`;
}
