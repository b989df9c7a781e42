import { describe, expect, it } from 'vitest';
import { drawn, transcriptOf } from './support/drawnTranscript';

const user = (...parts: readonly object[]) => ({
  info: { role: 'user', time: { created: 5 } },
  parts,
});
const assistant = (parts: readonly object[], info: object = {}) => ({
  info: { role: 'assistant', modelID: 'claude-sonnet-4.6', time: { created: 7 }, ...info },
  parts,
});
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const tool = (callID: string, state: object) => ({
  type: 'tool',
  tool: 'read',
  callID,
  state: { input: { filePath: 'a.ts' }, ...state },
});
const done = (output: string, more: object = {}) => ({ status: 'completed', output, ...more });
const exported = (...messages: readonly object[]) => ({ info: { id: 'ses_1' }, messages });
const START = { type: 'step-start' };
const finish = (input: number) => ({
  type: 'step-finish',
  tokens: { input, output: 3, reasoning: 2, cache: { read: 40, write: 1 } },
});

describe('an OpenCode session', () => {
  it('has each call with its result, its time and the model that answered', () => {
    const session = exported(
      user(text('Go')),
      assistant([START, text('I look.'), tool('c1', done('a')), tool('c2', done('b')), finish(9)]),
      assistant([START, text('Done.'), { type: 'patch' }, finish(10)]),
    );
    expect(drawn(session)).toEqual([
      'prompt Go',
      'reply I look. read(c1)=a read(c2)=b',
      'reply Done.',
    ]);
    const { entries } = transcriptOf(session);
    expect(entries.map(({ at }) => at)).toEqual([5, 7, 7]);
    expect(entries[1]).toMatchObject({
      model: 'claude-sonnet-4.6',
      usage: { inputTokens: 9, cacheReadTokens: 40, cacheCreationTokens: 1, outputTokens: 5 },
    });
  });

  it('has the price that the file names, and the charge of a summary', () => {
    const tokens = { input: 9, output: 3, reasoning: 2, cache: { read: 40, write: 1 } };
    const summary = { info: { role: 'assistant', modelID: 'm', summary: true, tokens, cost: 0.5 } };
    const priced = { type: 'step-finish', tokens, cost: 0.25 };
    const { entries } = transcriptOf(
      exported(
        user(text('Go')),
        assistant([START, text('A'), priced]),
        { ...summary, parts: [text('So far.')] },
        assistant([START, text('B'), priced]),
      ),
    );
    expect(entries.map((entry) => entry.type === 'reply' && entry.usd)).toEqual([
      false,
      0.25,
      false,
      0.25,
    ]);
    const usage = { inputTokens: 9, cacheCreationTokens: 1, cacheReadTokens: 40, outputTokens: 5 };
    expect(entries[3]).toMatchObject({ otherCharges: [{ model: 'm', usage, usd: 0.5 }] });
  });

  it('has failed results and calls that were never answered', () => {
    const calls = [
      tool('c1', { status: 'error', error: 'Not read yet' }),
      tool('c2', { status: 'running' }),
    ];
    expect(drawn(exported(user(text('Go')), assistant(calls)))[1]).toBe(
      'reply read(c1)!Not read yet read(c2)?',
    );
  });

  it('is read even if one message has several responses', () => {
    const parts = [START, tool('c1', done('a')), finish(9), START, text('Done.'), finish(12)];
    const { entries } = transcriptOf(exported(user(text('Go')), assistant(parts)));
    expect(entries).toHaveLength(3);
    expect(entries[2]).toMatchObject({ usage: { inputTokens: 12 } });
  });

  it('has the summary where OpenCode compacted, and omits the prompt that OpenCode wrote', () => {
    const session = exported(
      user(text('Go')),
      assistant([tool('c1', done('a'))]),
      user({ type: 'compaction', auto: true }),
      assistant([START, text('It went.'), finish(90)], { summary: true }),
      user(text('Continue if you have next steps.', { synthetic: true })),
      assistant([text('Done.')]),
    );
    expect(drawn(session)).toEqual([
      'prompt Go',
      'reply read(c1)=a',
      'compacted It went.',
      'reply Done.',
    ]);
    expect(transcriptOf(session).notes).toEqual(['1 injected text skipped.']);
  });

  it('keeps the messages from the one that a compaction names, and has no failed compaction', () => {
    const named = (
      id: string,
      message: { readonly info: object; readonly parts: readonly object[] },
    ) => ({
      ...message,
      info: { ...message.info, id },
    });
    const asks = (id: string, tail_start_id?: string) =>
      named(id, user({ type: 'compaction', auto: true, tail_start_id }));
    const answers = (parentID: string, words: string, error?: object) =>
      assistant([START, text(words)], { summary: true, parentID, error });
    const session = exported(
      named('m1', user(text('Go'))),
      named('m2', assistant([tool('c1', done('a'))])),
      named('m3', user(text('On'))),
      named('m4', assistant([text('Gone.')])),
      asks('m5', 'm3'),
      answers('m5', 'So far.'),
      named('m6', user(text('More'))),
      named('m7', assistant([text('Done.')])),
      asks('m8', 'm6'),
      answers('m8', 'It failed', { name: 'ContextOverflowError' }),
      asks('m9'),
      answers('m9', 'In all.'),
      named('m10', assistant([text('End.')])),
    );
    expect(drawn(session)).toEqual([
      'prompt Go',
      'reply read(c1)=a',
      'prompt On',
      'reply Gone.',
      'compacted So far. keeping 2 3',
      'prompt More',
      'reply Done.',
      'compacted In all.',
      'reply End.',
    ]);
  });

  it('has results that were cleared, when they were', () => {
    const at = (created: number) => ({ time: { created } });
    const cleared = (output: string, compacted: number) =>
      done(output, { time: { start: 1, end: 2, compacted } });
    const session = exported(
      { ...user(text('Go')), info: { role: 'user', ...at(1) } },
      assistant([tool('c1', cleared('a', 15)), tool('c2', cleared('b', 16))], at(2)),
      assistant([tool('c3', cleared('c', 40)), tool('c4', done('d'))], at(10)),
      assistant([text('Done.')], at(20)),
      assistant([text('End.')], at(30)),
    );
    expect(drawn(session)).toEqual([
      'prompt Go',
      'reply read(c1)=a read(c2)=b',
      'reply read(c3)=c read(c4)=d',
      'compacted clears c1 c2',
      'reply Done.',
      'reply End.',
      'compacted clears c3',
    ]);
  });

  it('has any number of results that were cleared together', () => {
    const cleared = done('', { time: { compacted: 15 } });
    const calls = Array.from({ length: 150_000 }, (_, at) => tool(`c${at}`, cleared));
    const { entries } = transcriptOf(exported(user(text('Go')), assistant(calls)));
    expect(entries.at(-1)).toMatchObject({ type: 'compacted', at: 15 });
  });

  it('has the text of a mentioned file, and the images in a file', () => {
    const url = 'data:image/png;base64,abcd';
    const session = exported(
      user(
        text('See @a.ts'),
        { type: 'file', mime: 'text/plain', url: 'file:///a.ts' },
        text('<content>a</content>', { synthetic: true }),
        text('never sent', { ignored: true }),
        { type: 'file', mime: 'image/png', url },
      ),
      assistant([
        tool('c1', done('', { attachments: [{ type: 'file', mime: 'image/png', url }] })),
      ]),
    );
    expect(drawn(session)).toEqual([
      'prompt See @a.ts\n<content>a</content> [image image/png 4]',
      'reply read(c1)= [image image/png 4]',
    ]);
  });

  it('omits one message or call that has another shape, and names it', () => {
    const { entries, notes } = transcriptOf(
      exported(
        user(text('Go')),
        { info: { role: 'judge' }, parts: [] },
        assistant([text('I look.'), { type: 'tool', callID: 'c1', state: {} }]),
      ),
    );
    expect(entries).toHaveLength(2);
    expect(notes[0]).toMatch(/^Message 2 left out; it cannot be read: info\.role: /);
    expect(notes[1]).toMatch(/^Message 3 left out; .*a tool part: tool: a call needs the name/);
  });

  it('has what the user undid neither in the conversation nor out of the bill', () => {
    const named = (
      id: string,
      one: { readonly info: object; readonly parts: readonly object[] },
    ) => ({
      ...one,
      info: { ...one.info, id },
    });
    const messages = [
      named('m1', user(text('Go'))),
      named('m2', assistant([START, text('One.'), finish(9)])),
      named('m3', user(text('No, this'))),
      named('m4', assistant([START, text('Two.'), tool('c1', done('a')), finish(10)])),
    ];
    const reverted = (revert: object) => ({ info: { id: 'ses_1', revert }, messages });
    const { entries, notes } = transcriptOf(reverted({ messageID: 'm3' }));
    expect(entries.map(({ type }) => type)).toEqual(['prompt', 'reply']);
    expect(entries[1]).toMatchObject({
      usage: { inputTokens: 9 },
      otherCharges: [{ usage: { inputTokens: 10 } }],
    });
    expect(notes).toContain('3 entries of abandoned branches skipped.');
    // From the second part on.
    const parts = [START, text('Two.', { id: 'p2' }), { ...tool('c1', done('a')), id: 'p3' }];
    const half = named('m4', assistant([...parts, finish(10)], { tokens: finish(10).tokens }));
    const partly = { messageID: 'm4', partID: 'p3' };
    const cut = {
      info: { id: 'ses_1', revert: partly },
      messages: [...messages.slice(0, 3), half],
    };
    expect(drawn(cut)).toEqual(['prompt Go', 'reply One.', 'prompt No, this', 'reply Two.']);
    const [, , , last] = transcriptOf(cut).entries;
    expect(last).toMatchObject({ usage: { inputTokens: 10 } });
    expect(last).not.toHaveProperty('otherCharges');
    // Nothing is undone that is not there.
    for (const odd of [{ messageID: 'm9' }, {}, 7, { messageID: 'm4', partID: 'p9' }]) {
      expect(drawn(reverted(odd as object))).toHaveLength(4);
    }
  });
});
