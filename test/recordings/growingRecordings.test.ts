import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../src/recordings/importTranscript';
import { tokensByLength, transcriptOf } from './support/drawnTranscript';
import { LINE_FORMATS, RECORDINGS, messages } from './support/smallRecordings';

describe('a growing recording', () => {
  it.each(LINE_FORMATS)('has no note about the torn last line of a growing %s file', (format) => {
    const text = RECORDINGS[format];
    const whole = importTranscript(text, format, 'session', tokensByLength);
    for (const torn of ['{"type":"us', '{', '"é\ufffd']) {
      for (const as of ['auto', format] as const) {
        const growing = { growing: true };
        expect(importTranscript(text + torn, as, 'session', tokensByLength, growing)).toEqual(
          whole,
        );
      }
    }
    expect(transcriptOf(`${text}{"type":"us`, format).notes.join()).toMatch(/ was cut off/);
  });

  it('includes a last line that lacks only its line break', () => {
    const text = RECORDINGS['claude-code'].trimEnd();
    const read = importTranscript(text, 'auto', 'session', tokensByLength, { growing: true });
    expect(read).toEqual(importTranscript(text, 'auto', 'session', tokensByLength));
  });

  it('is read as usual if it is one value', () => {
    const text = JSON.stringify(messages, null, 2);
    const read = importTranscript(text, 'auto', 'session', tokensByLength, { growing: true });
    expect(read.ok).toBe(true);
  });
});
