import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../src/recordings/importTranscript';
import { TRANSCRIPT_FORMATS } from '../../src/sessions/transcript';
import { drawn, jsonl, refusalOf, tokensByLength, transcriptOf } from './support/drawnTranscript';
import { RECORDINGS, user, reply, messages } from './support/smallRecordings';

/** Keys and values that the formats use, so that random JSON comes close to them. */
const WORDS = [
  'type role content message messages payload user assistant text tool_use tool_result id uuid',
  'call_id response_item function_call history instance_id kind ActionEvent ObservationEvent',
  'tool_call_id tool_name observation action args cause info parts tool state status callID',
  'sessionId projectHash gemini toolCalls result tokens $rewindTo $set data user.message',
  'assistant.message toolRequests toolCallId tool.execution_complete format plimsoll-history events',
]
  .join(' ')
  .split(' ');

describe('importTranscript', () => {
  it.each(TRANSCRIPT_FORMATS)('recognises %s by its content', (format) => {
    expect(drawn(RECORDINGS[format])).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(RECORDINGS[format]).format).toBe(format);
    expect(transcriptOf(RECORDINGS[format], format).format).toBe(format);
  });

  it('accepts byte order marks, carriage returns and empty lines', () => {
    const text = `\uFEFF${JSON.stringify(user)}\r\n\r\n${JSON.stringify(reply)}\r\n`;
    expect(drawn(text)).toEqual(['prompt Go', 'reply Gone.']);
  });

  it('does not read several requests in one file', () => {
    for (const line of [{ messages }, { request: { messages }, response: {} }]) {
      expect(refusalOf(jsonl(line, line))).toMatch(/it holds several requests, one on each line/);
    }
  });

  it('refuses values that are nested too deeply to be sent', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const line = JSON.stringify({ ...user, message: { role: 'user', content: 'DEEP' } });
    const brackets = JSON.stringify({ ...user, message: { role: 'user', content: deep } });
    expect(refusalOf(jsonl(user) + line.replace('"DEEP"', deep))).toMatch(
      /line 2: its JSON is nested more than 500 levels deep/,
    );
    const { notes } = transcriptOf(
      `${jsonl(user)}${line.replace('"DEEP"', deep)}\n${jsonl(reply)}`,
    );
    expect(notes[0]).toMatch(/^Line 2 left out; .*500 levels deep/);
    expect(refusalOf(`{"messages": ${deep}}`)).toMatch(/: its JSON is nested more than 500 levels/);
    expect(drawn(`${brackets}\n${jsonl(reply)}`)).toEqual([`prompt ${deep}`, 'reply Gone.']);
  });

  it('says that a file is empty', () => {
    for (const text of ['', ' \n\n', '\uFEFF']) {
      expect(refusalOf(text)).toBe('session cannot be read: it is empty. Give a recorded session.');
    }
  });

  it('says that a list of messages is empty', () => {
    for (const text of ['[]', '{"messages": []}']) {
      expect(refusalOf(text)).toBe(
        'session cannot be read: its list of messages is empty: nothing was recorded. ' +
          'Give one that holds a prompt and a reply.',
      );
    }
  });

  it('says whether the prompt or the reply is missing', () => {
    expect(refusalOf(jsonl(user))).toBe(
      'session cannot be read: as a claude-code recording it holds no reply. ' +
        'Open it after the first reply, or check that it is whole and in that format.',
    );
    expect(refusalOf(jsonl(reply))).toMatch(/it holds no prompt/);
    expect(refusalOf(RECORDINGS.messages, 'codex')).toMatch(
      /as a codex recording it holds no prompt/,
    );
    expect(refusalOf(RECORDINGS.codex, 'messages')).toMatch(/line 2, column 1: .*it is not JSON/);
  });

  it('has the time of each entry if the recording has it', () => {
    const timestamp = '2026-11-22T01:02:03.004Z';
    const { entries } = transcriptOf(
      jsonl({ ...user, timestamp }, { ...reply, timestamp: 'soon' }),
    );
    expect(entries.map(({ at }) => at)).toEqual([Date.parse(timestamp), undefined]);
  });

  it('never throws, and every transcript begins with a prompt', () => {
    const word = fc.constantFrom(...WORDS);
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        word,
        fc.constantFrom(null, 0, '', true),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(word, tie('json'), { maxKeys: 5 }),
      ),
    }));
    const cut = fc
      .tuple(fc.constantFrom(...Object.values(RECORDINGS)), fc.nat())
      .map(([text, at]) => text.slice(0, at % text.length));
    const lines = fc.array(json, { minLength: 1, maxLength: 4 }).map((all) => jsonl(...all));
    const format = fc.constantFrom('auto' as const, ...TRANSCRIPT_FORMATS);
    fc.assert(
      fc.property(fc.oneof(cut, lines, fc.string()), format, (text, as) => {
        const result = importTranscript(text, as, 'session', tokensByLength);
        if (result.ok) expect(result.transcript.entries[0]?.type).toBe('prompt');
        else expect(result.message).toMatch(/^session cannot be read: /);
      }),
      { seed: 20_261_122, numRuns: 4_000 },
    );
  });
});
