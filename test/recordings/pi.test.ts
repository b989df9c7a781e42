import { describe, expect, it } from 'vitest';
import { drawn, jsonl, refusalOf, transcriptOf } from './support/drawnTranscript';

const session = { type: 'session', id: 's', cwd: '/w' };
const message = (fields: object, more: object = {}) => ({
  type: 'message',
  message: fields,
  ...more,
});
const user = (content: unknown, more?: object) => message({ role: 'user', content }, more);
const assistant = (content: readonly unknown[], more: object = {}, around?: object) =>
  message({ role: 'assistant', model: 'claude-x', content, ...more }, around);
const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: { path: 'a' } });
const text = (words: string) => ({ type: 'text', text: words });

describe('a pi session', () => {
  it('is read with calls, results and usage', () => {
    const { entries, notes } = transcriptOf(
      jsonl(
        session,
        user([text('Go'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
        assistant([{ type: 'thinking', thinking: 'Hm' }, text('I look.'), call('t1')], {
          usage: { input: 3, output: 20, cacheRead: 100, cacheWrite: 7, cost: { total: 0.25 } },
        }),
        message({ role: 'toolResult', toolCallId: 't1', content: [text('A')], isError: true }),
        { type: 'model_change', modelId: 'other' },
        assistant([], { stopReason: 'aborted', usage: { input: 0, output: 0 } }),
        message({ role: 'bashExecution', command: 'ls', output: '' }),
        message({ role: 'custom', content: 'by an extension' }),
      ),
    );
    expect(entries).toEqual([
      {
        type: 'prompt',
        line: 2,
        text: 'Go',
        attachments: [{ type: 'image', mediaType: 'image/png', data: 'AAAA', tokens: 4 }],
      },
      {
        type: 'reply',
        line: 3,
        model: 'claude-x',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'toolUse', use: { id: 't1', name: 'read', input: { path: 'a' } } },
        ],
        results: [{ toolUseId: 't1', text: 'A', isError: true, origin: 'ran' }],
        usage: { inputTokens: 3, cacheCreationTokens: 7, cacheReadTokens: 100, outputTokens: 20 },
        usd: 0.25,
      },
    ]);
    expect(notes).toEqual([
      '1 thinking block skipped: thinking is signed for the server that wrote it.',
      "1 line of the user's own commands skipped.",
      '1 injected text skipped.',
      '1 empty reply skipped.',
    ]);
  });

  it('shows its compactions', () => {
    const recording = jsonl(
      session,
      user('Go'),
      assistant([text('One.')]),
      { type: 'compaction', summary: 'So far', tokensBefore: 9 },
      assistant([text('Two.')]),
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply One.', 'compacted So far', 'reply Two.']);
  });

  it('keeps everything after the entry that a summary of pi names', () => {
    const at = (id: string, parentId: string | null) => ({ id, parentId });
    const result = (toolCallId: string, around: object) =>
      message({ role: 'toolResult', toolCallId, content: [text('A')] }, around);
    const recording = jsonl(
      session,
      user('Go', at('1', null)),
      assistant([call('t1')], {}, at('2', '1')),
      result('t1', at('3', '2')),
      assistant([], { stopReason: 'aborted' }, at('4', '3')),
      assistant([call('t2')], {}, at('5', '4')),
      result('t2', at('6', '5')),
      user('More', at('7', '6')),
      { type: 'compaction', summary: 'So far', firstKeptEntryId: '4', ...at('8', '7') },
      assistant([text('One.')], {}, at('9', '8')),
      { type: 'compaction', summary: 'Second', firstKeptEntryId: '7', ...at('10', '9') },
      { type: 'compaction', summary: 'Third', firstKeptEntryId: 'gone', ...at('11', '10') },
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(t1)=A',
      'reply read(t2)=A',
      'prompt More',
      'compacted So far keeping 2 3',
      'reply One.',
      'compacted Second keeping 3 5',
      'compacted Third',
    ]);
  });

  it('keeps the same by position in the file, as sessions before the tree store it', () => {
    const recording = jsonl(
      session,
      user('Go'),
      assistant([text('One.')]),
      user('More'),
      { type: 'compaction', summary: 'So far', firstKeptEntryIndex: 3 },
      assistant([text('Two.')]),
    );
    expect(drawn(recording)[3]).toBe('compacted So far keeping 2');
  });

  it('does not mistake an entry of another branch for the first one kept', () => {
    const at = (id: string, parentId: string | null) => ({ id, parentId });
    const recording = jsonl(
      session,
      user('Go', at('1', null)),
      user('Wrong way', at('2', '1')),
      assistant([text('One.')], {}, at('3', '1')),
      { type: 'compaction', summary: 'So far', firstKeptEntryId: '2', ...at('4', '3') },
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply One.', 'compacted So far']);
  });

  it('follows the branch of the last line if the session is a tree', () => {
    const at = (id: string, parentId: string | null) => ({ id, parentId });
    const recording = jsonl(
      session,
      user('Go', at('1', null)),
      assistant([text('One.')], {}, at('2', '1')),
      user('Wrong way', at('3', '2')),
      assistant([text('Lost.')], {}, at('4', '3')),
      { type: 'branch_summary', summary: 'Left', ...at('5', '2') },
      user('Right way', at('6', '5')),
      assistant([text('Found.')], {}, at('7', '6')),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply One.',
      'prompt Right way',
      'reply Found.',
    ]);
    expect(transcriptOf(recording).notes).toEqual([
      '2 entries of abandoned branches skipped.',
      '1 injected text skipped.',
    ]);
  });

  it('ends if parents form a cycle', () => {
    const recording = jsonl(
      user('Go', { id: '1', parentId: '2' }),
      assistant([text('Gone.')], {}, { id: '2', parentId: '1' }),
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Gone.']);
  });

  it('names the line that has another shape', () => {
    expect(refusalOf(jsonl(session, { type: 'message', message: 'Go' }))).toMatch(
      /line 2: message: /,
    );
    expect(refusalOf(jsonl(session, { type: 'compaction' }))).toMatch(/line 2: summary: /);
  });

  it('continues with the previous line if the parent of an entry cannot be read', () => {
    const entry = (id: string, parentId: string | null, message: object) =>
      JSON.stringify({ type: 'message', id, parentId, message });
    const lines = [
      JSON.stringify({ type: 'session', id: 's' }),
      entry('a', null, { role: 'user', content: 'Go' }),
      entry('b', 'a', { role: 'assistant', content: 'Going.' }),
      entry('c', 'b', { role: 'user', content: 'On' }).slice(0, -5),
      entry('d', 'c', { role: 'assistant', content: 'Done.' }),
    ];
    expect(drawn(lines.join('\n'))).toEqual(['prompt Go', 'reply Going.', 'reply Done.']);
  });

  it('has the system prompt and the tools that newer versions record, as they are at the end', () => {
    const tool = (name: string) => ({
      name,
      description: `Runs ${name}.`,
      parameters: { type: 'object', properties: {} },
    });
    const system = (fields: object) => message({ role: 'system', content: '', ...fields });
    const first = system({
      sections: { preamble: 'You are an agent.', skills: '<skills>\n</skills>', cwd: '/w' },
      toolsAdded: [tool('read'), tool('write')],
    });
    const turn = [user('Go'), assistant([text('Done.')])];
    const changed = system({
      sections: { skills: null, cwd: '/else' },
      toolsAdded: [tool('bash')],
      toolsRemoved: [{ name: 'write' }],
    });
    const again = system({ sections: { cwd: '/else' } });
    const transcript = transcriptOf(
      jsonl(session, first, ...turn, changed, ...turn, again, ...turn),
    );
    expect(transcript).toMatchObject({
      system: 'You are an agent.\n\n/else',
      tools: [{ name: 'read', description: 'Runs read.' }, { name: 'bash' }],
      notes: [],
    });
    const changes = transcript.entries.map((entry) => entry.type === 'reply' && entry.changed);
    expect(changes).toEqual([false, undefined, false, 'preamble', false, undefined]);
  });

  it('has what summaries and a warm cache cost, next to the replies', () => {
    const usage = { input: 9, output: 1, cacheRead: 5, cacheWrite: 0, cost: { total: 0.5 } };
    const { entries } = transcriptOf(
      jsonl(
        session,
        user('Go'),
        assistant([text('Done.')], { usage }),
        { type: 'compaction', summary: 'So far', usage },
        { type: 'usage', kind: 'cache_warm', model: 'claude-y', usage },
        { type: 'branch_summary', summary: 'Elsewhere', usage: { input: 0 } },
        user('On'),
        assistant([text('Done.')]),
      ),
    );
    const counted = { inputTokens: 9, cacheCreationTokens: 0, cacheReadTokens: 5, outputTokens: 1 };
    const charge = (model: string) => ({ model, usd: 0.5, usage: counted });
    expect(entries.at(-1)).toMatchObject({
      otherCharges: [charge('claude-x'), charge('claude-y')],
    });
  });

  it('loses what an extension took out of its context', () => {
    const id = (name: string) => ({ id: name });
    const edit = (targetId: string, replacement: unknown) => ({
      type: 'context_edit',
      targetId,
      replacement,
    });
    const result = { role: 'toolResult', toolCallId: 't1', content: [text('A')] };
    const recording = jsonl(
      session,
      user('Go', id('a')),
      assistant([call('t1')], {}, id('b')),
      message(result, id('c')),
      user('On', id('d')),
      edit('c', 'shorter'),
      edit('d', null),
      edit('d', 'other words'),
      edit('nowhere', null),
      assistant([text('Done.')]),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(t1)=A',
      'prompt On',
      'compacted clears t1',
      'compacted  keeping 0 1',
      'reply Done.',
    ]);
  });
});
