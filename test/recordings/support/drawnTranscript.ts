import { importTranscript } from '../../../src/recordings/importTranscript';
import type {
  Transcript,
  TranscriptEntry,
  TranscriptFormat,
} from '../../../src/sessions/transcript';

/** Counts one token for each character of an attachment's data. */
export const tokensByLength = ({ data }: { readonly data: string }): number => data.length;

/** Writes each value as one line of JSON. */
export function jsonl(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The transcript of a recording; throws if it cannot be read. */
export function transcriptOf(
  recording: unknown,
  format: TranscriptFormat | 'auto' = 'auto',
): Transcript {
  const text = typeof recording === 'string' ? recording : JSON.stringify(recording);
  const result = importTranscript(text, format, 'session', tokensByLength);
  if (!result.ok) throw new Error(result.message);
  return result.transcript;
}

/** The error message for a recording that cannot be read. */
export function refusalOf(text: string, format: TranscriptFormat | 'auto' = 'auto'): string {
  const result = importTranscript(text, format, 'session', tokensByLength);
  if (result.ok) throw new Error('it was read');
  return result.message;
}

/**
 * Draws the entries of a recording, one a line: `prompt Fix it`, `reply Looking. read(t1)=text`,
 * `compacted The summary keeping 1 2` (the kept entries by index). After a call `=` is a result,
 * `!` an error, `?` a missing result.
 */
export function drawn(recording: unknown, format: TranscriptFormat | 'auto' = 'auto'): string[] {
  return transcriptOf(recording, format).entries.map(drawnEntry);
}

function drawnEntry(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'prompt':
      return `prompt ${entry.text}${(entry.attachments ?? []).map(drawnAttachment).join('')}`;
    case 'compacted': {
      const cleared = entry.clearedToolUseIds?.join(' ');
      const kept = entry.kept === undefined ? '' : ` keeping ${entry.kept.join(' ')}`;
      return `compacted ${entry.summary ?? (cleared === undefined ? '' : `clears ${cleared}`)}${kept}`;
    }
    case 'reply': {
      const parts = entry.parts.map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type !== 'toolUse') throw new Error(part.type);
        const result = entry.results.find(({ toolUseId }) => toolUseId === part.use.id)!;
        const sign = result.origin === 'interrupted' ? '?' : result.isError ? '!' : '=';
        const text = result.origin === 'interrupted' ? '' : result.text;
        const attached = (result.attachments ?? []).map(drawnAttachment).join('');
        return `${part.use.name}(${part.use.id})${sign}${text}${attached}`;
      });
      return `reply ${parts.join(' ')}`;
    }
  }
}

function drawnAttachment({
  type,
  mediaType,
  tokens,
}: {
  readonly type: string;
  readonly mediaType: string;
  readonly tokens: number;
}): string {
  return ` [${type} ${mediaType} ${tokens}]`;
}
