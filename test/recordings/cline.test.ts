import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionBytes } from '../../src/recordings/lens/sessionBytes';
import { tempFolder } from '../tools/support/tempFolder';
import { drawn, refusalOf, transcriptOf } from './support/drawnTranscript';

describe('a session of the cline SDK', () => {
  const used = { inputTokens: 110, outputTokens: 5, cacheReadTokens: 90, cacheWriteTokens: 8 };
  const session = (metrics: object) => ({
    version: 1,
    sessionId: 's',
    system_prompt: 'You are Cline.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Mend @a.ts' },
          { type: 'file', path: '/w/a.ts', content: 'const a = 1' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }],
        modelInfo: { id: 'claude-x', provider: 'cline' },
        metrics,
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ result: 'A' }] }],
      },
    ],
  });

  it('has the compaction in the file beside it, with its summary and the messages that stayed', async () => {
    const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });
    const messages = [
      said('user', 'Go'),
      said('assistant', 'Going.'),
      said('user', 'On'),
      said('assistant', 'Gone.'),
      said('user', 'More'),
      said('assistant', 'Done.'),
    ];
    const folder = join(tempFolder(), 's1');
    mkdirSync(folder);
    const file = join(folder, 's1.messages.json');
    const beside = join(folder, 's1.compaction.json');
    writeFileSync(file, JSON.stringify({ version: 1, sessionId: 's1', messages }));
    const opened = async (compaction: unknown) => {
      writeFileSync(beside, JSON.stringify(compaction));
      return drawn((await sessionBytes(file)).toString('utf8'));
    };
    const metadata = { kind: 'compaction_summary', summary: 'So far.' };
    const summary = { ...said('user', 'Context summary:\n\nSo far.'), metadata };
    const state = (count: number, ...stays: readonly object[]) => ({
      version: 1,
      updated_at: '2026-11-24T10:00:00.000Z',
      source_message_count: count,
      messages: stays,
    });
    const plain = messages.map(({ role, content }) => {
      return `${role === 'user' ? 'prompt' : 'reply'} ${content[0]!.text}`;
    });
    const kept = await opened(state(4, summary, messages[2]!, messages[3]!));
    expect(kept).toEqual([
      ...plain.slice(0, 4),
      'compacted So far. keeping 2 3',
      ...plain.slice(4),
    ]);
    expect(await opened(state(6, summary))).toEqual([...plain, 'compacted So far.']);
    // Without a model: the oldest messages are gone, and others cut.
    const cut = await opened(state(4, messages[0]!, said('user', 'O…'), messages[3]!));
    expect(cut[4]).toBe('compacted  keeping 0 3');
    for (const damaged of [state(9, summary), [], { messages: 1 }, null, state(-1)]) {
      expect(await opened(damaged)).toEqual(plain);
    }
    rmSync(beside);
    writeFileSync(join(folder, 'secret.json'), JSON.stringify(state(4, summary)));
    if (process.platform !== 'win32') symlinkSync(join(folder, 'secret.json'), beside);
    expect(drawn((await sessionBytes(file)).toString('utf8'))).toEqual(plain);
  });

  it('is read with mentioned files, results kept as JSON, and usage without the cached input', () => {
    const { format, system, entries } = transcriptOf(session(used));
    expect({ format, system }).toEqual({ format: 'cline', system: 'You are Cline.' });
    expect(entries).toMatchObject([
      { type: 'prompt', text: 'Mend @a.ts\n[file /w/a.ts]\nconst a = 1' },
      {
        type: 'reply',
        model: 'claude-x',
        results: [{ text: '[{"result":"A"}]' }],
        usage: { inputTokens: 12, cacheCreationTokens: 8, cacheReadTokens: 90, outputTokens: 5 },
      },
    ]);
  });

  it('treats an input below the cached tokens as uncached tokens only', () => {
    expect(transcriptOf(session({ ...used, inputTokens: 3 })).entries[1]).toMatchObject({
      usage: { inputTokens: 3, cacheCreationTokens: 8, cacheReadTokens: 90, outputTokens: 5 },
    });
  });

  it('has the price that the file names', () => {
    expect(transcriptOf(session({ ...used, cost: 0.25 })).entries[1]).toMatchObject({ usd: 0.25 });
    expect(transcriptOf(session({ ...used, cost: 0 })).entries[1]).not.toHaveProperty('usd');
  });

  it('has no usage if all its numbers are zero', () => {
    expect(transcriptOf(session({ inputTokens: 0 })).entries[1]).not.toHaveProperty('usage');
  });
});

describe('an api_conversation_history.json', () => {
  it('keeps what no summary replaced, if its messages say which summary does', () => {
    const says = (role: string, content: string, more: object = {}) => ({
      role,
      content: [{ type: 'text', text: content }],
      ts: 1,
      ...more,
    });
    const recording = [
      says('user', 'Go'),
      says('assistant', 'One.', { condenseParent: 'c1' }),
      says('user', 'On', { condenseParent: 'c1' }),
      says('assistant', 'Two.', { condenseParent: 'undone since' }),
      says('assistant', 'So far', { isSummary: true, condenseId: 'c1' }),
      says('user', 'More'),
    ];
    expect(drawn(recording, 'cline')).toEqual([
      'prompt Go',
      'reply One.',
      'prompt On',
      'reply Two.',
      'compacted So far keeping 0 3',
      'prompt More',
    ]);
  });

  it('is read with its tools as text, and says so', () => {
    const recording = [
      { role: 'user', content: [{ type: 'text', text: '<task>Go</task>' }], ts: 1 },
      { role: 'assistant', content: 'So far', ts: 2, isSummary: true },
      { role: 'assistant', content: [{ type: 'text', text: '<read_file/>' }], ts: 3 },
      { role: 'user', content: [{ type: 'text', text: "[read_file for 'a'] Result:" }], ts: 4 },
    ];
    expect(drawn(recording)).toEqual([
      'prompt <task>Go</task>',
      'compacted So far',
      'reply <read_file/>',
      "prompt [read_file for 'a'] Result:",
    ]);
    expect(transcriptOf(recording)).toMatchObject({
      format: 'roo',
      system: '',
      notes: ['Its tool calls are plain text, so every result is shown as a prompt.'],
    });
  });

  it('names the message that has another shape', () => {
    expect(refusalOf('[{"role":"user","content":3,"ts":1}]', 'cline')).toMatch(
      /line 1, as a cline recording: messages\.0\.content: /,
    );
  });
});
