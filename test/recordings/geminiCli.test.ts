import { describe, expect, it, vi } from 'vitest';
import { recordedChargesOf } from '../../src/sessions/transcript';
import { drawn, jsonl, transcriptOf } from './support/drawnTranscript';

const HEAD = { sessionId: 's', projectHash: 'p', kind: 'main' };

const user = (id: string, ...texts: readonly string[]) => ({
  id,
  timestamp: '2026-11-22T01:02:03.004Z',
  type: 'user',
  content: texts.map((text) => ({ text })),
});

const answered = (id: string, output: unknown, more: object = {}) => ({
  id,
  name: 'read_file',
  args: { path: 'a.ts' },
  status: 'success',
  result: [{ functionResponse: { id, name: 'read_file', response: { output } } }],
  ...more,
});

const gemini = (id: string, content: unknown, more: object = {}) => ({
  id,
  type: 'gemini',
  content,
  model: 'gemini-3-flash-preview',
  ...more,
});

const session = (...messages: readonly object[]) => ({ ...HEAD, messages });

describe('a Gemini CLI session', () => {
  it('of version 0.61 begins with the first prompt, and has each result once', () => {
    const result = { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'a' } } };
    const lines = jsonl(
      HEAD,
      { $set: { messages: [user('1', '<session_context>\nThe folder.\n</session_context>')] } },
      user('2', 'Look.'),
      gemini('3', ''),
      gemini('3', '', { toolCalls: [answered('c1', 'a')] }),
      { ...user('4'), content: [result] },
      gemini('5', 'Done.'),
    );
    expect(drawn(lines)).toEqual(['prompt Look.', 'reply read_file(c1)=a', 'reply Done.']);
    expect(transcriptOf(lines).notes).toEqual(['1 injected text skipped.']);
  });

  it('has each call with the result recorded next to its arguments', () => {
    const messages = [
      { id: '0', type: 'info', content: 'An update is available.' },
      user('1', 'Look at', '@a.ts'),
      gemini('2', 'I look.', { toolCalls: [answered('c1', 'a'), answered('c2', 'b')] }),
      gemini('3', [{ text: 'Done.' }]),
    ];
    expect(drawn(session(...messages))).toEqual([
      'prompt Look at\n@a.ts',
      'reply I look. read_file(c1)=a read_file(c2)=b',
      'reply Done.',
    ]);
    expect(drawn(jsonl(HEAD, ...messages))).toEqual(drawn(session(...messages)));
    expect(transcriptOf(session(...messages)).entries[0]!.at).toBe(
      Date.parse('2026-11-22T01:02:03.004Z'),
    );
  });

  it('has failed results, missing results and results that are not text', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'abc' } };
    const failed = { functionResponse: { response: { error: 'No such file' } } };
    const toolCalls = [
      answered('c1', '', { status: 'error', result: [failed] }),
      answered('c2', '', { status: 'cancelled', result: null }),
      answered('c3', { lines: 2 }),
      answered('c4', '', { result: [image] }),
    ];
    expect(drawn(session(user('1', 'Go'), gemini('2', '', { toolCalls })))).toEqual([
      'prompt Go',
      'reply read_file(c1)!No such file read_file(c2)? read_file(c3)={"lines":2} ' +
        'read_file(c4)= [image image/png 3]',
    ]);
  });

  it('has the usage of every reply: input includes the cache, output includes thoughts', () => {
    const tokens = { input: 100, output: 5, cached: 60, thoughts: 7, tool: 2, total: 114 };
    const { entries, notes } = transcriptOf(
      session(user('1', 'Go'), gemini('2', 'Gone.', { tokens, thoughts: [{}, {}] })),
    );
    expect(entries[1]).toMatchObject({
      model: 'gemini-3-flash-preview',
      usage: { inputTokens: 42, cacheReadTokens: 60, cacheCreationTokens: 0, outputTokens: 12 },
    });
    expect(notes).toEqual([
      '2 thinking blocks skipped: thinking is signed for the server that wrote it.',
    ]);
  });

  it('takes the last version of each line, and omits what the user undid', () => {
    const lines = jsonl(
      HEAD,
      user('1', 'Go'),
      gemini('2', 'Going'),
      gemini('2', 'Going.', { toolCalls: [answered('c1', 'a')] }),
      user('3', 'Not so'),
      gemini('4', 'Hm.'),
      { $rewindTo: '3' },
      { $set: { lastUpdated: 'now' } },
      user('5', 'Rather so'),
      gemini('6', 'Done.'),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply Going. read_file(c1)=a',
      'prompt Rather so',
      'reply Done.',
    ]);
    expect(transcriptOf(lines).notes).toEqual(['2 entries of abandoned branches skipped.']);
  });

  /** Lines as version 0.61 writes them. */
  const CONTEXT = user('0', '<session_context>\nThe folder.\n</session_context>');
  const sent = (id: string, output: string) => ({
    functionResponse: { id, name: 'read_file', response: { output } },
  });
  const set = (...messages: readonly object[]) => ({ $set: { messages } });
  const tokens = (input: number) => ({ tokens: { input, output: 1 } });
  /** A reply as a request has it: its call among the text, and no tokens. */
  const asked = (id: string, text: string, call?: string) => ({
    id,
    type: 'gemini',
    content: [
      { text },
      ...(call === undefined
        ? []
        : [{ functionCall: { id: call, name: 'read_file', args: { path: 'a.ts' } } }]),
    ],
  });
  const results = (id: string, call: string, output: string) => ({
    ...user(id),
    content: [sent(call, output)],
  });
  const FIRST = [
    HEAD,
    set(CONTEXT),
    user('1', 'Go'),
    gemini('2', 'Going.', tokens(100)),
    gemini('2', 'Going.', { ...tokens(100), toolCalls: [answered('c1', 'aaaaaaaa')] }),
    results('3', 'c1', 'aaaaaaaa'),
    gemini('4', 'Gone.', tokens(200)),
  ];
  /** The same messages as the requests of a resumed session have them. */
  const RESUMED = [
    user('1', 'Go'),
    asked('2', 'Going.', 'c1'),
    // Also under the id of the reply, as seen.
    results('2', 'c1', 'aaaaaaaa'),
    results('3', 'c1', 'aaaaaaaa'),
    asked('4', 'Gone.'),
  ];
  const charges = (lines: string) =>
    transcriptOf(lines).entries.flatMap((one) =>
      one.type === 'reply' ? recordedChargesOf(one).map(({ usage }) => usage.inputTokens) : [],
    );

  it('keeps calls, results and tokens when it is resumed', () => {
    const lines = jsonl(
      ...FIRST,
      HEAD,
      set(CONTEXT),
      set(CONTEXT, ...RESUMED),
      user('5', 'On'),
      gemini('6', 'Done.', tokens(300)),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply Going. read_file(c1)=aaaaaaaa',
      'reply Gone.',
      'prompt On',
      'reply Done.',
    ]);
    expect(charges(lines)).toEqual([100, 200, 300]);
    expect(transcriptOf(lines).notes).toEqual(['1 injected text skipped.']);
  });

  it('has a compaction with its summary and what it kept, and once if it is resumed', () => {
    const summary = user('s', '<state_snapshot>So far.</state_snapshot>');
    const window = [
      summary,
      asked('ok', 'Got it. Thanks for the additional context!'),
      user('x1', 'On'),
      asked('x2', 'Looking.', 'c2'),
      results('x3', 'c2', 'bb'),
      asked('x4', 'Done.'),
    ];
    const lines = jsonl(
      ...FIRST,
      user('5', 'On'),
      gemini('6', 'Looking.', { ...tokens(300), toolCalls: [answered('c2', 'bb')] }),
      gemini('7', 'Done.', tokens(400)),
      set(CONTEXT, ...window),
      user('8', 'More'),
      gemini('9', 'Fine.', tokens(50)),
      HEAD,
      set(CONTEXT),
      set(CONTEXT, ...window, user('8', 'More'), asked('9', 'Fine.')),
      user('10', 'Last'),
      gemini('11', 'End.', tokens(60)),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply Going. read_file(c1)=aaaaaaaa',
      'reply Gone.',
      'prompt On',
      'reply Looking. read_file(c2)=bb',
      'reply Done.',
      'compacted <state_snapshot>So far.</state_snapshot> keeping 3 4 5',
      'prompt More',
      'reply Fine.',
      'prompt Last',
      'reply End.',
    ]);
    expect(charges(lines)).toEqual([100, 200, 300, 400, 50, 60]);
    expect(transcriptOf(lines).notes).toEqual(['1 injected text skipped.']);
  });

  it('has a prompt that quotes a summary as a prompt', () => {
    const quoting = user('5', 'What is <state_snapshot> for?');
    const lines = jsonl(...FIRST, set(CONTEXT, ...RESUMED, quoting), gemini('6', 'Memory.'));
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply Going. read_file(c1)=aaaaaaaa',
      'reply Gone.',
      'prompt What is <state_snapshot> for?',
      'reply Memory.',
    ]);
  });

  it('prints each message once, however often it is compacted', () => {
    const compactions = Array.from({ length: 50 }, (_, at) => [
      ...Array.from({ length: 10 }, (_, n) => gemini(`${at}.${n}`, `Reply ${at} ${n}`)),
      set(CONTEXT, user(`s${at}`, `<state_snapshot>${at}</state_snapshot>`)),
    ]);
    const lines = jsonl(...FIRST, ...compactions.flat());
    const print = vi.spyOn(JSON, 'stringify');
    transcriptOf(lines);
    expect(print.mock.calls.length).toBeLessThan(1_000);
    print.mockRestore();
  });

  it('has results that were masked later as cleared, with their first text', () => {
    const masked = [
      user('1', 'Go'),
      asked('2', 'Going.', 'c1'),
      results('3', 'c1', 'a'),
      asked('4', 'Gone.'),
    ];
    const lines = jsonl(
      ...FIRST,
      set(CONTEXT, ...masked),
      user('5', 'On'),
      set(CONTEXT, ...masked, user('5', 'On')),
      gemini('6', 'Done.', tokens(300)),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply Going. read_file(c1)=aaaaaaaa',
      'reply Gone.',
      'compacted clears c1',
      'prompt On',
      'reply Done.',
    ]);
  });

  it('has replies that only a request has, and charges those that the user undid', () => {
    const lines = jsonl(
      HEAD,
      set(CONTEXT, ...RESUMED),
      user('5', 'On'),
      gemini('6', 'Hm.', tokens(300)),
      set(CONTEXT, ...RESUMED),
      user('7', 'Rather so'),
      gemini('8', 'Done.', tokens(400)),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply Going. read_file(c1)=aaaaaaaa',
      'reply Gone.',
      'prompt Rather so',
      'reply Done.',
    ]);
    expect(charges(lines).toSorted((a, b) => a - b)).toEqual([300, 400]);
    expect(transcriptOf(lines).notes).toContain('2 entries of abandoned branches skipped.');
  });

  it('omits one message that has another shape, and names it', () => {
    const bad = gemini('3', 'x', { toolCalls: [{ id: 'c' }] });
    const messages = [user('1', 'Go'), bad, gemini('4', 'Gone.')];
    expect(drawn(session(...messages))).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(session(...messages)).notes[0]).toMatch(
      /^Message 2 left out; it cannot be read: toolCalls\.0\.name: a call needs the name/,
    );
    expect(transcriptOf(jsonl(HEAD, ...messages)).notes[0]).toMatch(/^Line 3 left out; /);
  });
});
