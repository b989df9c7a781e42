import { describe, expect, it } from 'vitest';
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
