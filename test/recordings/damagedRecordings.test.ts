import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../src/recordings/importTranscript';
import { prompt } from '../sessions/support/sampleEvents';
import { jsonl, refusalOf, tokensByLength, transcriptOf } from './support/drawnTranscript';
import { LINE_FORMATS, user, reply, RECORDINGS } from './support/smallRecordings';

/** Three more prompts in the lines of a format. */
function moreOf(format: (typeof LINE_FORMATS)[number]): string[] {
  const message = (text: string) => ({ role: 'user', content: text });
  const line = {
    'claude-code': (text: string) => ({ type: 'user', message: message(text) }),
    pi: (text: string) => ({ type: 'message', message: message(text) }),
    codex: (text: string) => ({
      type: 'response_item',
      payload: { type: 'message', ...message(text) },
    }),
    'copilot-cli': (text: string) => ({ type: 'user.message', data: { content: text } }),
    plimsoll: (text: string) => ({ at: 9, turn: Number(text), ...prompt(text) }),
  }[format];
  return ['2', '3', '4'].map((text) => JSON.stringify(line(text)));
}

describe('a damaged recording', () => {
  it('omits a line that is not JSON, and names it with its column', () => {
    const { entries, notes } = transcriptOf(`${jsonl(user)}{"type":}\n${jsonl(reply)}`);
    expect(entries).toHaveLength(2);
    expect(notes).toEqual([
      'Line 2 left out; it cannot be read: column 9: unexpected "}" where a value should be; it is not JSON.',
    ]);
    expect(transcriptOf(`oops\n${jsonl(user, reply)}`).notes[0]).toMatch(
      /^Line 1 left out; .*column 1: unexpected "oops"/,
    );
    expect(refusalOf('{\n"messages": [}\n}')).toMatch(/line 2, column 14: unexpected "}"/);
  });

  it('omits a line that is JSON but not an object', () => {
    expect(transcriptOf(`${jsonl(user)}7\n${jsonl(reply)}`).notes).toEqual([
      'Line 2 left out; it cannot be read: it is not a JSON object.',
    ]);
  });

  it('names three lines, and counts the others', () => {
    const bad = Array.from({ length: 5 }, () => '{bad\n').join('');
    const { notes } = transcriptOf(`${jsonl(user)}${bad}${jsonl(reply)}`);
    expect(notes.map((note) => note.slice(0, 15))).toEqual([
      'Line 2 left out',
      'Line 3 left out',
      'Line 4 left out',
      '2 more left out',
    ]);
    expect(notes[3]).toBe('2 more left out for the same or another reason, up to line 6.');
  });

  it('omits a last line that was cut off, with or without a line break after it', () => {
    const torn = jsonl(user, reply) + JSON.stringify(reply).slice(0, 30);
    for (const text of [torn, `${torn}\n`, `${torn}\n\n`]) {
      expect(transcriptOf(text).notes).toEqual([
        'Line 3 left out; it cannot be read: it was cut off while it was written (30 characters).',
      ]);
    }
    expect(transcriptOf(`${torn}\n${jsonl(user)}`).notes[0]).toMatch(
      /column \d+: .*it is not JSON/,
    );
  });

  it.each(LINE_FORMATS)(
    'omits any one damaged line of a %s file, and reads the rest unchanged',
    (format) => {
      const lines = RECORDINGS[format].trimEnd().split('\n');
      const more = [...lines, ...moreOf(format)];
      for (const at of [...more.keys()].slice(lines.length)) {
        const damaged = more.map((line, index) => (index === at ? line.slice(0, -4) : line));
        for (const growing of [false, true]) {
          const text = `${damaged.join('\n')}\n`;
          const read = importTranscript(text, 'auto', 'session', tokensByLength, { growing });
          if (!read.ok) throw new Error(read.message);
          expect(read.transcript.format).toBe(format);
          expect(read.transcript.entries[0]).toMatchObject({ type: 'prompt', text: 'Go' });
          const left = read.transcript.entries.filter(({ type }) => type === 'prompt');
          expect(left).toHaveLength(more.length - lines.length);
          expect(read.transcript.notes.join(' ')).toMatch(
            new RegExp(`^Line ${at + 1} (left out|of session is damaged and was left out)`),
          );
        }
      }
    },
  );

  it('names the error in the bad line if nothing remains without it', () => {
    const torn = jsonl(user) + JSON.stringify(reply).slice(0, 30);
    expect(refusalOf(torn)).toBe(
      'session cannot be read: line 2: it was cut off while it was written (30 characters). ' +
        'Without it: as a claude-code recording it holds no reply. ' +
        'Open it after the first reply, or check that it is whole and in that format.',
    );
  });

  it('says that a file of one value was cut off', () => {
    expect(refusalOf(RECORDINGS.messages.slice(0, 40))).toMatch(
      /line 1, column \d+: .*; the file was cut off\. Record or copy it again\.$/,
    );
  });
});
