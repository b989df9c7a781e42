import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import {
  asLog,
  callsTools,
  dated,
  finished,
  prompt,
  started,
} from '../sessions/support/sampleEvents';
import { recordedChargesOf } from '../../src/sessions/transcript';
import { drawn, refusalOf, transcriptOf } from './support/drawnTranscript';

const preamble: NewEvent = {
  type: 'preambleSet',
  system: 'You are Plimsoll.',
  tools: [{ name: 'run_command', description: '', inputSchema: { type: 'object' } }],
};
const note: NewEvent = {
  type: 'noteAdded',
  source: { from: 'memory', path: 'lib' },
  text: 'Use tabs.',
  admission: { form: 'whole' },
};
const thought: NewEvent = {
  ...callsTools('c'),
  parts: [
    { type: 'thinking', thinking: 'Hm.', signature: 's' },
    { type: 'text', text: 'Done.' },
  ],
} as NewEvent;

const LOG = asLog(
  dated(
    started,
    preamble,
    prompt('Fix it'),
    callsTools('a', 'b'),
    finished('b'),
    note,
    { ...finished('a'), isError: true, origin: 'denied' } as NewEvent,
    prompt('And that'),
    thought,
  ),
);

describe('a log of Plimsoll', () => {
  it('is replayed like any recording: its prompts, replies, times and usage', () => {
    expect(drawn(LOG)).toEqual([
      'prompt Fix it',
      'reply I look. run_command(a)!made a run_command(b)=made b',
      'prompt And that',
      'reply Done.',
    ]);
    const { format, system, tools, entries, notes } = transcriptOf(LOG);
    expect([format, system, tools.length]).toEqual(['plimsoll', 'You are Plimsoll.', 1]);
    expect(entries[1]).toMatchObject({ at: 4, model: 'm', usage: { inputTokens: 10 } });
    expect(notes).toEqual([
      '1 note added by Plimsoll skipped.',
      '1 thinking block skipped: thinking is signed for the server that wrote it.',
    ]);
  });

  it('has the charges of side requests, and of a reply whose window was changed meanwhile', () => {
    const usage = (inputTokens: number) => ({
      inputTokens,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
      outputTokens: 1,
    });
    const asked: NewEvent = {
      type: 'modelAsked',
      purpose: 'salience',
      model: 'r',
      usage: usage(7),
    };
    const changed = { ...callsTools(), usage: usage(9), editedMeanwhile: true } as NewEvent;
    const log = asLog(
      dated(started, preamble, prompt('Go'), asked, changed, prompt('On'), thought),
    );
    const { entries } = transcriptOf(log);
    expect(entries[1]).not.toHaveProperty('usage');
    expect(
      entries.map((entry) =>
        entry.type === 'reply'
          ? recordedChargesOf(entry).map((charge) => [charge.model, charge.usage.inputTokens])
          : [],
      ),
    ).toEqual([
      [],
      [
        ['r', 7],
        ['m', 9],
      ],
      [],
      [['m', 10]],
    ]);
  });

  it('is recognised by its lines, even if the first ones are damaged', () => {
    const lines = LOG.split('\n');
    expect(drawn(['{"at":1,"ty', ...lines.slice(1)].join('\n'))).toHaveLength(4);
    expect(drawn(lines.slice(2).join('\n'))).toHaveLength(4);
    expect(drawn(`\uFEFF${LOG}`)).toHaveLength(4);
  });

  it('is refused if it has no reply, or is not a log', () => {
    expect(refusalOf(asLog(dated(started, prompt('Go'))))).toBe(
      'session cannot be read: as a plimsoll recording it holds no reply. ' +
        'Open it after the first reply, or check that it is whole and in that format.',
    );
    expect(refusalOf('{"a":1}', 'plimsoll')).toBe(
      'session cannot be read: it is neither a session log of Plimsoll nor an export.',
    );
    const later = LOG.replace('"version":3', '"version":99');
    expect(refusalOf(later)).toMatch(/it has version 99.*Update Plimsoll/);
  });
});
