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

  it('has what the user typed as it was sent, without the tag around it', () => {
    const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
    const [, reply] = session(used).messages;
    const messages = [said('<user_input mode="act">Go\non</user_input>'), reply];
    expect(drawn({ ...session(used), messages })[0]).toBe('prompt Go\non');
    expect(drawn({ ...session(used), messages: [said('<user_input> is a tag.'), reply] })[0]).toBe(
      'prompt <user_input> is a tag.',
    );
  });

  it('of a sub-agent has prompts that no user typed', () => {
    const prompts = (agent: string) =>
      transcriptOf({ ...session(used), agent }).entries.flatMap((entry) =>
        entry.type === 'prompt' ? [entry.byAgent === true] : [],
      );
    expect([prompts('lead'), prompts('subagent'), prompts('teammate')]).toEqual([
      [false],
      [true],
      [true],
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

  it('of Roo version 2 has its calls with results, and thinking as items of its own', () => {
    const recording = {
      version: 2,
      messages: [
        { role: 'user', content: [{ type: 'text', text: '<task>Go</task>' }], ts: 1 },
        { type: 'reasoning', encrypted_content: 'gA', ts: 2 },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'So.' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool-call', toolCallId: 't1', toolName: 'read_file', input: { path: 'a' } },
            { type: 'tool-call', toolCallId: 't2', toolName: 'read_file', input: { path: 'b' } },
          ],
          ts: 3,
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 't1', output: { type: 'text', value: 'const a' } },
            {
              type: 'tool-result',
              toolCallId: 't2',
              output: { type: 'text', value: '[ERROR] no b' },
            },
          ],
          ts: 4,
        },
        { role: 'assistant', content: 'Done.', ts: 5 },
      ],
    };
    const { format, entries, notes } = transcriptOf(recording);
    expect(format).toBe('roo');
    expect(entries).toMatchObject([
      { type: 'prompt', at: 1 },
      {
        parts: [{ text: 'Reading.' }, { use: { name: 'read_file' } }, { use: { id: 't2' } }],
        results: [
          { text: 'const a', isError: false },
          { text: '[ERROR] no b', isError: true },
        ],
        at: 3,
      },
      { type: 'reply', at: 5 },
    ]);
    expect(notes).toEqual([
      '2 thinking blocks skipped: thinking is signed for the server that wrote it.',
    ]);
  });

  it('of Roo is read although it has encrypted thinking between its messages', () => {
    const said = (role: string, ts: number) => ({ role, content: `${role} ${ts}`, ts });
    const items = [said('user', 1), { type: 'reasoning', encrypted_content: 'gA' }];
    expect(drawn([...items, said('assistant', 2)])).toEqual(['prompt user 1', 'reply assistant 2']);
  });

  it('has no rules of the user in results and errors that the agent wrote as text', () => {
    const says = (text: string, ts: number) => ({
      role: 'user',
      content: [{ type: 'text', text }],
      ts,
    });
    const recording = [
      says('<task>Go</task>', 1),
      { role: 'assistant', content: 'Reading.', ts: 2 },
      says("[read_file for 'a'] Result:", 3),
      { role: 'assistant', content: 'Hm.', ts: 4 },
      says('[ERROR] You did not use a tool. Always use one.', 5),
      { role: 'assistant', content: 'Done.', ts: 6 },
      says('<user_message>Never push.</user_message>', 7),
    ];
    const prompts = transcriptOf(recording).entries.flatMap((entry) =>
      entry.type === 'prompt' ? [entry.byAgent === true] : [],
    );
    expect(prompts).toEqual([false, true, true, false]);
  });

  describe('with the ui_messages.json next to it', () => {
    const details = (model: string) =>
      `<environment_details>\n# Current Mode\n<slug>code</slug>\n<name>Code</name>\n<model>${model}</model>\n</environment_details>`;
    const says = (role: string, ts: number, more: object = {}) => ({
      role,
      content: [{ type: 'text', text: `${role} ${ts}` }],
      ts,
      ...more,
    });
    const request = (ts: number, counts: object) => ({
      ts,
      type: 'say',
      say: 'api_req_started',
      text: JSON.stringify({ request: 'sent', ...counts }),
    });
    const opened = async (sent: unknown, shown: unknown) => {
      const folder = tempFolder();
      const file = join(folder, 'api_conversation_history.json');
      const text = JSON.stringify(sent, undefined, 1);
      writeFileSync(file, text);
      writeFileSync(
        join(folder, 'ui_messages.json'),
        typeof shown === 'string' ? shown : JSON.stringify(shown),
      );
      const merged = (await sessionBytes(file)).toString('utf8');
      // An error names the line of the file.
      expect(merged.split('\n').length).toBe(
        text.split('\n').length + Number(merged.endsWith('\n')),
      );
      return merged;
    };
    const sent = [
      { ...says('user', 10), content: [{ type: 'text', text: `Go\n${details('claude-x')}` }] },
      says('assistant', 20),
      says('user', 21),
      says('assistant', 40),
      { ...says('user', 41), content: [{ type: 'text', text: `On\n${details('gpt-y')}` }] },
      says('assistant', 60),
    ];

    it('has the usage, the price and the model of each reply', async () => {
      const shown = [
        { ts: 9, type: 'say', say: 'text', text: 'Go' },
        // Roo counts the cached tokens as a part of the input, Cline beside it.
        request(11, { tokensIn: 100, tokensOut: 5, cacheWrites: 60, cacheReads: 30, cost: 0.5 }),
        request(22, { tokensIn: 3, tokensOut: 6, cacheWrites: 0, cacheReads: 90 }),
        request(42, { tokensIn: 7, tokensOut: 1, cost: 0 }),
        // It waits for its reply.
        request(61, {}),
      ];
      const { format, entries } = transcriptOf(await opened(sent, shown));
      expect(format).toBe('roo');
      const usage = (
        ...[inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens]: number[]
      ) => ({
        inputTokens,
        cacheCreationTokens,
        cacheReadTokens,
        outputTokens,
      });
      expect(entries.filter(({ type }) => type === 'reply')).toMatchObject([
        { at: 20, model: 'claude-x', usage: usage(10, 60, 30, 5), usd: 0.5 },
        { at: 40, model: 'claude-x', usage: usage(3, 0, 90, 6) },
        { at: 60, model: 'gpt-y', usage: usage(7, 0, 0, 1) },
      ]);
    });

    it('loses the messages of a truncation when it was shown, not where its marker stands', async () => {
      const cut = { truncationParent: 't' };
      const recording = [
        says('user', 1),
        says('assistant', 2, cut),
        says('user', 3, cut),
        { ...says('user', 3), isTruncationMarker: true, truncationId: 't' },
        says('assistant', 4),
        says('user', 5),
        says('assistant', 6),
      ];
      const at = (ts: number) => ({
        ts,
        type: 'say',
        say: 'sliding_window_truncation',
        contextTruncation: { truncationId: 't' },
      });
      const before = ['prompt user 1', 'reply assistant 2', 'prompt user 3'];
      expect(drawn(await opened(recording, [at(5.5)]))).toEqual([
        ...before,
        'reply assistant 4',
        'prompt user 5',
        'compacted  keeping 0 3 4',
        'reply assistant 6',
      ]);
      expect(drawn(await opened(recording, []))).toEqual([
        ...before,
        'compacted  keeping 0',
        'reply assistant 4',
        'prompt user 5',
        'reply assistant 6',
      ]);
    });

    it('loses the messages that Cline left out of its requests, by their indices', async () => {
      const plain = Array.from({ length: 8 }, (_, n) =>
        says(n % 2 === 0 ? 'user' : 'assistant', n + 1),
      );
      const row = (ts: number, asked: number, range?: readonly number[]) => ({
        ts,
        type: 'say',
        say: 'text',
        conversationHistoryIndex: asked,
        ...(range && { conversationHistoryDeletedRange: range }),
      });
      const shown = [row(3.5, 2), row(5.5, 4, [2, 3]), row(5.6, 4, [2, 3]), row(7.5, 6, [2, 5])];
      const expected = [
        'prompt user 1',
        'reply assistant 2',
        'prompt user 3',
        'reply assistant 4',
        'prompt user 5',
        'compacted  keeping 0 1 4',
        'reply assistant 6',
        'prompt user 7',
        'compacted  keeping 0 1 7',
        'reply assistant 8',
      ];
      expect(drawn(await opened(plain, shown))).toEqual(expected);
      // Older versions do not say when a message was added.
      const file = (await opened(plain, shown)).replace(/,\s*"ts": \d+(?=\s*\})/g, '');
      expect(drawn(file, 'cline')).toEqual(expected);
    });

    it.each(['[{"ts":', '{}', '[null, {"ts":"x","say":"api_req_started"}]', ''])(
      'is read without it if it is damaged: %s',
      async (shown) => {
        const plain = sent.map(({ role, content }) => {
          return `${role === 'user' ? 'prompt' : 'reply'} ${content[0]!.text}`;
        });
        expect(drawn(await opened(sent, shown))).toEqual(plain);
      },
    );
  });
});
