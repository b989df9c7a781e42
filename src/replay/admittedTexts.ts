import type { TranscriptEntry } from '../sessions/transcript';

/** The texts of an entry that are weighed before they are admitted. */
export function admittedTexts(entry: TranscriptEntry): readonly string[] {
  switch (entry.type) {
    case 'prompt':
      return [entry.text];
    case 'reply':
      return entry.results.map(({ text }) => text);
    case 'compacted':
      return [];
  }
}
