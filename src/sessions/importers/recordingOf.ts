import type { TranscriptFormat } from '../transcript';

/** Names a recording of a format in a sentence, for example `a pi recording`. */
export function recordingOf(format: TranscriptFormat): string {
  return `${/^[aeiou]/.test(format) ? 'an' : 'a'} ${format} recording`;
}
